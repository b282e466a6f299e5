"""SOURCE to a copy that porter may change, at a known commit; the source is never written to."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path, PurePosixPath
from urllib.parse import unquote, urlsplit

from porter import clone, repository
from porter.errors import NetworkError, SourceError

Progress = Callable[[str], None]
IMPORT_DATE = "2000-01-01T00:00:00+0000"  # so that the same files give the same commit
FORMS = (
    "give a git URL (with @ref and #subdir if needed), a folder, or pypi:name==version, "
    "for instance https://example.org/ops.git@v1.2, ./ops or pypi:some-ops==1.0"
)
_SCP = re.compile(r"^(?:[\w.-]+@[\w.-]+:(?!//)\S+|[\w.-]+:(?!//)[^\s/]+/\S+)$")


class Kind(StrEnum):
    GIT = "git"
    PATH = "path"
    PYPI = "pypi"


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceSpec:
    """A SOURCE taken apart; `ref` is the version for a distribution."""

    text: str
    kind: Kind
    location: str  # URL, absolute path, or name of a distribution
    ref: str | None = None
    subdir: str = ""

    @property
    def identity(self) -> str:
        """One spelling for all ways to write the same source."""
        if self.kind is Kind.GIT:
            place = _plain_url(self.location)
        else:
            place = f"{self.kind.value}:{self.location}"
        mark = "==" if self.kind is Kind.PYPI else "@"
        ref = f"{mark}{self.ref}" if self.ref else ""
        return f"{place}{ref}" + (f"#{self.subdir}" if self.subdir else "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Checkout:
    """A source on disk: `base` as it was, `tree` the same as a git work tree to change."""

    source: str
    identity: str
    kind: Kind
    base: Path
    tree: Path
    head: str  # the commit of `tree` that patches stand on
    digest: str  # of the content: git's id of the whole tree
    commit: str | None = None  # the source's own commit
    version: str | None = None  # of a distribution
    sha256: str | None = None  # of the archive
    subdir: str = ""
    dirty: tuple[str, ...] = ()  # paths with uncommitted changes, taken as they are
    notes: tuple[str, ...] = ()

    @property
    def project(self) -> Path:
        """The project's root in the work tree."""
        return self.tree / self.subdir


def parse(source: str) -> SourceSpec:
    """Take a SOURCE apart, without network. Raises SourceError where it cannot be one."""
    text = source.strip()
    if not text or text.startswith("-") or any(ord(c) < 32 for c in text):
        raise SourceError(f"not a source: {source!r}", hint=FORMS)
    if text.lower().startswith("pypi:"):
        return _parse_pypi(text)
    if _existing(text):
        return SourceSpec(
            text=text, kind=Kind.PATH, location=str(Path(text).expanduser().resolve())
        )
    body, _, fragment = text.partition("#")
    subdir = _subdir(fragment, text)
    body = body.removeprefix("git+")
    if "://" in body:
        return _parse_url(text, body, subdir)
    if _SCP.match(body) and not re.match(r"^[A-Za-z]:\\", body):
        host, _, path = body.partition(":")
        path, ref = _split_ref(path, text)
        return SourceSpec(
            text=text, kind=Kind.GIT, location=_safe(f"{host}:{path}", text), ref=ref, subdir=subdir
        )
    return _parse_path(text, body, subdir)


def fetch(
    spec: SourceSpec,
    folder: Path,
    progress: Progress = lambda line: None,
    *,
    submodules: bool = False,
) -> Checkout:
    """Bring a source into `folder` as `base/` and `tree/`, replacing what an earlier try left.

    Raises SourceError, NetworkError or EnvironmentFailed, each with a remedy.
    """
    tree, base = folder / "tree", folder / "base"
    for old in (tree, base):
        if old.exists():
            shutil.rmtree(old)
    folder.mkdir(parents=True, exist_ok=True)
    if spec.kind is Kind.PYPI:
        checkout = _from_index(spec, folder, progress)
    elif spec.kind is Kind.GIT:
        state = clone.remote(spec.location, spec.ref, tree, progress, submodules=submodules)
        checkout = _checkout(spec, folder, state.commit, commit=state.commit, notes=state.notes)
    else:
        checkout = _from_path(spec, folder, progress, submodules)
    _require_subdir(checkout)
    progress("keeping an unpatched copy")
    shutil.copytree(tree, base, symlinks=True, ignore=shutil.ignore_patterns(".git"))
    return checkout


def add_submodules(
    spec: SourceSpec, folder: Path, progress: Progress = lambda line: None
) -> tuple[str, ...]:
    """Bring the submodules into a checkout made without them, for a build that needs them.

    Gives the folders that are now there. Raises NetworkError where one is not to be had.
    """
    tree, base = folder / "tree", folder / "base"
    wanted = clone.gitlinks(tree)
    if not wanted:
        return ()
    notes = clone.add_submodules(spec.location, tree, progress)
    for name in wanted:
        if (tree / name).is_dir() and any((tree / name).iterdir()):
            shutil.rmtree(base / name, ignore_errors=True)
            clone.copy_files(tree / name, base / name)
    if notes:
        raise NetworkError("; ".join(notes), hint="give a local clone that has its submodules")
    return wanted


# ------------------------------------------------------------------- parsing


def _existing(text: str) -> bool:
    try:
        return Path(text).expanduser().exists()
    except (OSError, RuntimeError, ValueError):
        return False


def _parse_pypi(text: str) -> SourceSpec:
    from packaging.utils import canonicalize_name

    match = re.fullmatch(
        r"(?i)pypi:\s*([A-Z0-9](?:[A-Z0-9._-]*[A-Z0-9])?)\s*(?:==\s*([A-Z0-9.!+_-]+))?", text
    )
    if match is None:
        raise SourceError(f"not a distribution: {text}", hint="write pypi:name==version")
    return SourceSpec(text=text, kind=Kind.PYPI, location=canonicalize_name(match[1]), ref=match[2])


def _parse_url(text: str, body: str, subdir: str) -> SourceSpec:
    parts = urlsplit(body)
    if parts.scheme not in ("https", "http", "ssh", "git", "file"):
        raise SourceError(
            f"porter does not fetch over {parts.scheme}: {text}",
            hint="use https, ssh, git or file URLs",
        )
    path, ref = _split_ref(parts.path, text)
    if parts.scheme == "file":
        location = str(Path(unquote(path)).resolve())
        kind = Kind.GIT if ref or clone.is_bare(Path(location)) else Kind.PATH
        return SourceSpec(text=text, kind=kind, location=location, ref=ref, subdir=subdir)
    if not parts.netloc.strip("@") or not path.strip("/"):
        raise SourceError(f"no repository in this URL: {text}", hint=FORMS)
    url = _safe(f"{parts.scheme}://{parts.netloc}{path}", text)
    return SourceSpec(text=text, kind=Kind.GIT, location=url, ref=ref, subdir=subdir)


def _parse_path(text: str, body: str, subdir: str) -> SourceSpec:
    if _existing(body):
        location, ref = body, None
    else:
        location, ref = _split_ref(body, text)
    path = Path(location).expanduser()
    kind = Kind.PATH if ref is None else Kind.GIT
    return SourceSpec(text=text, kind=kind, location=str(path.resolve()), ref=ref, subdir=subdir)


def _split_ref(path: str, text: str) -> tuple[str, str | None]:
    """`path@ref` at the last `@`, as pip reads it."""
    if "@" not in path:
        return path, None
    path, _, ref = path.rpartition("@")
    if not re.fullmatch(r"(?![-/.])(?!.*(?:\.\.|@\{|//))[^\s~^:?*\[\\\x00-\x1f]+(?<![/.])", ref):
        raise SourceError(f"not a git ref: {ref!r} in {text}", hint=FORMS)
    return path, ref


def _safe(url: str, text: str) -> str:
    host = re.sub(r"^\w+://", "", url)
    if host.startswith("-") or re.search(r"[@/:]-", host.split("/", 1)[0]) or "::" in url:
        raise SourceError(f"this looks like an option, not a URL: {text}", hint=FORMS)
    return url


def _subdir(fragment: str, text: str) -> str:
    fields = [field for field in fragment.split("&") if not field.startswith("egg=")]
    value = fields[0].removeprefix("subdirectory=").removeprefix("subdir=") if fields else ""
    path = PurePosixPath(value)
    if path.is_absolute() or ".." in path.parts:
        raise SourceError(f"the subdirectory must lie inside the source: {text}", hint=FORMS)
    return "" if str(path) == "." else str(path)


def _plain_url(location: str) -> str:
    """`host/path`, whichever protocol and user it is fetched with."""
    if "://" in location:
        parts = urlsplit(location)
        host, path = parts.hostname or "", parts.path
    elif _SCP.match(location):
        host, _, path = location.rpartition("@")[2].partition(":")
    else:
        return f"path:{location}"
    return f"git:{host.lower()}/{path.strip('/').removesuffix('.git')}"


# ------------------------------------------------------------------ fetching


def _checkout(
    spec: SourceSpec,
    folder: Path,
    head: str,
    *,
    commit: str | None = None,
    version: str | None = None,
    sha256: str | None = None,
    dirty: tuple[str, ...] = (),
    notes: tuple[str, ...] = (),
) -> Checkout:
    tree = folder / "tree"
    repository.git(tree, "update-ref", repository.BASE_REF, head)
    return Checkout(
        source=repository.shown(spec.text),
        identity=spec.identity,
        kind=spec.kind,
        digest=repository.git(tree, "rev-parse", f"{head}^{{tree}}").decode().strip(),
        base=folder / "base",
        tree=tree,
        head=head,
        commit=commit,
        version=version,
        sha256=sha256,
        subdir=spec.subdir,
        dirty=dirty,
        notes=notes,
    )


def _from_path(spec: SourceSpec, folder: Path, progress: Progress, submodules: bool) -> Checkout:
    path = Path(spec.location)
    if not path.exists():
        raise SourceError(f"no such folder: {path}", hint=FORMS)
    if not path.is_dir():
        raise SourceError(f"not a folder: {path}", hint="give the folder the file is in")
    if clone.is_bare(path):
        state = clone.remote(spec.location, None, folder / "tree", progress, submodules=submodules)
        return _checkout(spec, folder, state.commit, commit=state.commit, notes=state.notes)
    if (path / ".git").exists() and clone.has_commit(path):
        local = clone.work_tree(path, folder / "tree", progress, submodules=submodules)
        return _checkout(
            spec, folder, local.head, commit=local.commit, dirty=local.dirty, notes=local.notes
        )
    return _from_folder(spec, path, folder, progress)


def _from_folder(spec: SourceSpec, path: Path, folder: Path, progress: Progress) -> Checkout:
    progress(f"copying {path}")
    if folder.resolve().is_relative_to(path):
        raise SourceError(
            f"porter's data folder lies inside the source: {folder}",
            hint="set PORTER_HOME to a folder elsewhere",
        )
    tree = folder / "tree"
    notes = list(clone.copy_files(path, tree))
    head = _import(tree, f"Import of {path.name}")
    outer = next((p for p in path.parents if (p / ".git").exists()), None)
    if outer is not None:
        inner = path.relative_to(outer).as_posix()
        notes.append(f"part of the git repository {outer}: `{outer}#{inner}` keeps its history")
    return _checkout(spec, folder, head, notes=tuple(notes))


def _from_index(spec: SourceSpec, folder: Path, progress: Progress) -> Checkout:
    from porter import sdist

    archive = sdist.download(spec.location, spec.ref, folder / "download", progress)
    progress(f"unpacking {archive.path.name}")
    sdist.unpack(archive.path, folder / "tree")
    head = _import(folder / "tree", f"Import of {spec.location} {archive.version}")
    return _checkout(
        spec,
        folder,
        head,
        version=archive.version,
        sha256=archive.sha256,
        notes=(f"sha256 {archive.sha256}, from {archive.url}", *archive.notes),
    )


def _import(tree: Path, message: str) -> str:
    """One commit with every file, ignored ones too: the history patches stand on."""
    if not any(tree.iterdir()):
        raise SourceError("the source is empty: it has no files", hint=FORMS)
    repository.initialise(tree)
    repository.steady(tree)
    quick = ("-c", "core.looseCompression=0", "-c", "core.fsync=none")
    repository.git(tree, *quick, "add", "--all", "--force", ".")
    return repository.commit(tree, message, IMPORT_DATE)


def _require_subdir(checkout: Checkout) -> None:
    project = checkout.project
    if not project.is_dir() or not project.resolve().is_relative_to(checkout.tree.resolve()):
        names = sorted(p.name for p in checkout.tree.iterdir() if p.is_dir() and p.name != ".git")
        raise SourceError(
            f"no folder {checkout.subdir} in {checkout.source}",
            hint=f"its folders are: {', '.join(names[:20])}",
        )
