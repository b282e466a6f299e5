"""SOURCE to a copy that porter may change, at a known commit; the source is never written to."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from porter.errors import NetworkError, SourceError
from porter.sources import clone, repository, view
from porter.sources.clone import Fetched
from porter.sources.source import FORMS, Kind, SourceSpec, parse

__all__ = [
    "Checkout",
    "Kind",
    "SourceSpec",
    "add_submodules",
    "fetch",
    "lacks_submodules",
    "parse",
]

Progress = Callable[[str], None]
IMPORT_DATE = "2000-01-01T00:00:00+0000"  # so that the same files give the same commit


@dataclass(frozen=True, slots=True, kw_only=True)
class Checkout:
    """A source on disk, as it was: a git work tree."""

    source: str
    identity: str
    kind: Kind
    base: Path
    head: str  # the commit that patches stand on
    digest: str  # of the content: git's id of the whole tree
    commit: str | None = None  # the source's own commit
    version: str | None = None  # of a distribution
    sha256: str | None = None  # of the archive
    subdir: str = ""
    dirty: tuple[str, ...] = ()  # paths with uncommitted changes, taken as they are
    notes: tuple[str, ...] = ()

    @property
    def tree(self) -> Path:
        """The same to change, which `add_tree` makes."""
        return self.base.with_name("tree")

    @property
    def project(self) -> Path:
        """The project's root in the work tree."""
        return self.base / self.subdir


def fetch(
    spec: SourceSpec,
    folder: Path,
    progress: Progress = lambda line: None,
    *,
    submodules: bool = False,
) -> Checkout:
    """Bring a source into `folder` as `base/`, replacing what an earlier try left.

    Raises SourceError, NetworkError or EnvironmentFailed, each with a remedy.
    """
    base = folder / "base"
    for old in (folder / "tree", base):
        if old.exists():
            shutil.rmtree(old)
    folder.mkdir(parents=True, exist_ok=True)
    if spec.kind is Kind.PYPI:
        got = _fetch_from_index(spec, folder, progress)
    elif spec.kind is Kind.GIT:
        got = clone.remote(spec.location, spec.ref, base, progress, submodules=submodules)
    else:
        got = _fetch_path(spec, folder, progress, submodules)
    repository.git(base, "update-ref", repository.BASE_REF, got.head)
    checkout = Checkout(
        source=repository.mask_credentials(spec.text),
        identity=spec.identity,
        kind=spec.kind,
        digest=repository.git(base, "rev-parse", f"{got.head}^{{tree}}").decode().strip(),
        base=base,
        head=got.head,
        commit=got.commit,
        version=got.version,
        sha256=got.sha256,
        subdir=spec.subdir,
        dirty=got.dirty,
        notes=got.notes,
    )
    _require_subdir(checkout)
    return checkout


def add_tree(folder: Path) -> None:
    """Copy `base/` to `tree/`, which is to be changed, where that is not there yet."""
    tree, begun = folder / "tree", folder / "tree.begun"
    if not tree.exists():
        shutil.rmtree(begun, ignore_errors=True)  # of a killed process
        # With .git: some builds ask it for their files.
        shutil.copytree(folder / "base", begun, symlinks=True)
        begun.rename(tree)


def lacks_submodules(tree: Path) -> bool:
    """Whether a submodule of a run's work tree has no content."""
    return any(not any((tree / name).glob("*")) for name in clone.gitlinks(tree))


def add_submodules(
    spec: SourceSpec, folder: Path, progress: Progress = lambda line: None
) -> tuple[str, ...]:
    """Bring the submodules into a checkout made without them, for a build that needs them.

    Gives the folders that are now there. Raises NetworkError where one is not to be had.
    """
    tree, base = folder / "tree", folder / "base"
    add_tree(folder)
    repository.secure(tree)
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


# ------------------------------------------------------------------ fetching


def _fetch_path(spec: SourceSpec, folder: Path, progress: Progress, submodules: bool) -> Fetched:
    path = Path(spec.location)
    if not path.exists():
        raise SourceError(f"no such folder: {path}", hint=FORMS)
    if not path.is_dir():
        raise SourceError(f"not a folder: {path}", hint="give the folder that contains the file")
    if view.is_bare(path):
        return clone.remote(spec.location, None, folder / "base", progress, submodules=submodules)
    if (path / ".git").exists() and clone.has_commit(path):
        return clone.work_tree(path, folder / "base", progress, submodules=submodules)
    return _fetch_folder(path, folder, progress)


def _fetch_folder(path: Path, folder: Path, progress: Progress) -> Fetched:
    progress(f"copying {path}")
    if folder.resolve().is_relative_to(path):
        raise SourceError(
            f"porter's data folder lies inside the source: {folder}",
            hint="set PORTER_HOME to a folder elsewhere",
        )
    tree = folder / "base"
    notes = list(clone.copy_files(path, tree))
    head = _import(tree, str(path), f"Import of {path.name}")
    outer = next((p for p in path.parents if (p / ".git").exists()), None)
    if outer is not None:
        inner = path.relative_to(outer).as_posix()
        notes.append(
            f"part of the git repository {outer}: use `{outer}#{inner}` to keep its history"
        )
    return Fetched(head=head, notes=tuple(notes))


def _fetch_from_index(spec: SourceSpec, folder: Path, progress: Progress) -> Fetched:
    from porter.sources import sdist

    archive = sdist.download(spec.location, spec.ref, folder / "download", progress)
    progress(f"unpacking {archive.path.name}")
    left = sdist.unpack(archive.path, folder / "base")
    head = _import(folder / "base", spec.text, f"Import of {spec.location} {archive.version}")
    return Fetched(
        head=head,
        version=archive.version,
        sha256=archive.sha256,
        notes=(f"sha256 {archive.sha256}, from {archive.url}", *archive.notes, *left),
    )


def _import(tree: Path, source: str, message: str) -> str:
    """One commit with every file, ignored ones too: the history patches stand on."""
    if not any(tree.iterdir()):
        raise SourceError(f"{source} is empty: it has no files", hint=FORMS)
    repository.initialise(tree)
    repository.steady(tree)
    quick = ("-c", "core.looseCompression=0", "-c", "core.fsync=none")
    repository.git(tree, *quick, "add", "--all", "--force", ".")
    return repository.commit(tree, message, IMPORT_DATE)


def _require_subdir(checkout: Checkout) -> None:
    project = checkout.project
    if not project.is_dir() or not project.resolve().is_relative_to(checkout.base.resolve()):
        names = sorted(p.name for p in checkout.base.iterdir() if p.is_dir() and p.name != ".git")
        raise SourceError(
            f"no folder {checkout.subdir} in {checkout.source}",
            hint=f"its folders are: {', '.join(names[:20])}",
        )
