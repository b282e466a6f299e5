"""A git repository, remote or local, as a shallow clone at one commit."""

from __future__ import annotations

import contextlib
import difflib
import os
import re
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from porter.errors import SourceError
from porter.sources import view
from porter.sources.repository import (
    GitFailed,
    commit,
    explain_failure,
    git,
    head,
    initialise,
    is_git,
    mask_credentials,
    secure,
    steady,
    zero_separated,
)
from porter.sources.view import is_bare

LARGEST_UNTRACKED = 100 * 1024 * 1024  # bytes; larger ones are data, not sources

_LEFT_OUT = {".git", ".hg", ".svn", "__pycache__", ".venv", ".tox", ".nox", "node_modules"} | {
    f".{tool}_cache" for tool in ("mypy", "ruff", "pytest")
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetched:
    """A source that was brought into a work tree: a clone, or an import of files."""

    head: str  # the commit of the work tree that patches stand on
    commit: str | None = None  # the source's own
    version: str | None = None  # of a distribution
    sha256: str | None = None  # of the archive
    dirty: tuple[str, ...] = ()  # paths with uncommitted changes, taken as they are
    notes: tuple[str, ...] = ()


def has_commit(path: Path) -> bool:
    """A clone whose HEAD is born; a fresh `git init` has no history to keep."""
    try:
        with view.open_view(path) as seen:
            named = git(seen, "rev-parse", "--verify", "--quiet", "HEAD").decode().strip()
            try:
                head(seen)
            except GitFailed as error:
                raise SourceError(
                    f"{path} is at commit {named}, which is not in it",
                    hint="`git fsck` lists what is missing; or copy the files without `.git`",
                ) from error
    except GitFailed:
        return False
    return True


def remote(
    url: str, ref: str | None, tree: Path, progress: Callable[[str], None], *, submodules: bool
) -> Fetched:
    """Clone `url` (or a local repository's path) at `ref`, without history.

    Raises SourceError for a repository or ref that is not there, NetworkError.
    """
    local = "://" not in url and Path(url).is_absolute()
    if local and not Path(url).is_dir():
        raise SourceError(f"no such folder: {url}", hint="check the path")
    link = f"file://{url}" if local else url
    progress(f"fetching {mask_credentials(url)}" + (f" at {ref}" if ref else ""))
    initialise(tree)
    try:
        with _open_url(url, local) as at:
            found = _resolve(_Origin(url=at, shown=mask_credentials(link), local=local), ref, tree)
    except GitFailed as error:
        raise explain_failure(error, url) from error
    git(tree, "checkout", "-q", "--force", "--detach", found)
    notes = _notes(tree)
    if submodules and (tree / ".gitmodules").is_file():
        notes += _fetch_submodules(tree, link, local, progress)
    _settle(tree, found)
    return Fetched(head=found, commit=found, notes=notes)


def work_tree(
    path: Path, tree: Path, progress: Callable[[str], None], *, submodules: bool
) -> Fetched:
    """Clone a local work tree as it stands: uncommitted changes become one commit on top.

    Only reads below `path`; its own git configuration is not used on its files.
    """
    progress(f"reading {path}")
    initialise(tree)
    try:
        with view.open_view(path) as seen:
            origin = _Origin(url=f"file://{seen}/.git", shown=str(path), local=True)
            found = _fetch(origin, head(seen), tree)
            exclude = seen / ".git" / "info" / "exclude"
            if exclude.exists():
                (tree / ".git" / "info").mkdir(exist_ok=True)
                shutil.copyfile(exclude, tree / ".git" / "info" / "exclude")
    except GitFailed as error:
        raise explain_failure(error, str(path)) from error
    git(tree, "reset", "-q", "--soft", found)
    git(tree, "read-tree", found)
    changed, notes = _take_changes(path, tree)
    top = found
    if changed:
        now = datetime.now(UTC).isoformat(timespec="seconds")
        top = commit(tree, "Uncommitted changes of the work tree", now)
    git(tree, "checkout", "-q", "--force", "--detach", top)
    if submodules:
        notes += _copy_submodules(path, tree)
    notes += _notes(tree)
    _settle(tree, top)
    return Fetched(head=top, commit=found, dirty=changed, notes=notes)


def add_submodules(location: str, tree: Path, progress: Callable[[str], None]) -> tuple[str, ...]:
    """Bring the submodules of a clone made without them; give a note for each that failed."""
    local = "://" not in location and Path(location).is_absolute()
    if local and not is_bare(Path(location)) and Path(location).is_dir():
        return _copy_submodules(Path(location), tree)
    return _fetch_submodules(tree, f"file://{location}" if local else location, local, progress)


def gitlinks(tree: Path) -> tuple[str, ...]:
    """Folders of the index that are submodules."""
    staged = zero_separated(git(tree, "ls-files", "-z", "--stage"))
    return tuple(line.partition("\t")[2] for line in staged if line.startswith("160000 "))


# ---------------------------------------------------------------- the commit


@dataclass(frozen=True, slots=True, kw_only=True)
class _Origin:
    """Where to fetch from, and how to call it."""

    url: str
    shown: str
    local: bool

    def ask(self, tree: Path, command: str, *arguments: str) -> bytes:
        return git(
            tree, command, *arguments, user_config=not self.local, local=self.local
        )  # fmt: skip


@contextlib.contextmanager
def _open_url(url: str, local: bool) -> Iterator[str]:
    """The URL to fetch from: a local repository is read without its configuration."""
    if not local:
        yield url
        return
    with view.open_view(Path(url)) as seen:
        yield f"file://{seen}/.git"


def _resolve(origin: _Origin, ref: str | None, tree: Path) -> str:
    if ref is None:
        try:
            return _fetch(origin, "HEAD", tree)
        except GitFailed as error:
            if "remote ref HEAD" in str(error):
                raise _no_head(origin, tree) from error
            raise
    if re.fullmatch(r"[0-9a-f]{40}|[0-9a-f]{64}", ref):
        try:
            return _fetch(origin, ref, tree)
        except GitFailed:  # a server that gives only what it advertises
            return _deep(origin, ref, tree)
    refs = _refs(origin, tree, ref)
    for name in (ref, f"refs/{ref}", f"refs/tags/{ref}", f"refs/heads/{ref}"):
        if name in refs:
            return _fetch(origin, name, tree)
    if re.fullmatch(r"[0-9a-f]{7,39}", ref):
        return _deep(origin, ref, tree)
    raise _missing_ref_error(origin, ref, refs)


def _fetch(origin: _Origin, ref: str, tree: Path) -> str:
    plain = ("-q", "--depth=1", "--no-tags")
    origin.ask(tree, "fetch", *plain, "--end-of-options", origin.url, ref)
    return head(tree, "FETCH_HEAD")


def _deep(origin: _Origin, ref: str, tree: Path) -> str:
    """All branches and tags, to find a commit that cannot be asked for by name."""
    wanted = "+refs/heads/*:refs/source/*"
    origin.ask(tree, "fetch", "-q", "--tags", "--end-of-options", origin.url, wanted)
    try:
        return head(tree, ref)
    except GitFailed:
        raise _missing_ref_error(origin, ref, _refs(origin, tree)) from None


def _refs(origin: _Origin, tree: Path, ref: str = "HEAD") -> dict[str, str]:
    wanted = ("HEAD", "refs/heads/*", "refs/tags/*", ref)
    out = origin.ask(tree, "ls-remote", "--end-of-options", origin.url, *wanted)
    pairs = (line.split("\t") for line in out.decode("utf-8", "replace").splitlines())
    return {name: commit_id for commit_id, name in pairs if not name.endswith("^{}")}


def _no_head(origin: _Origin, tree: Path) -> SourceError:
    names = [name.split("/", 2)[2] for name in _refs(origin, tree) if name.startswith("refs/")]
    if names:
        some = ", ".join(sorted(names)[:10])
        return SourceError(
            f"{origin.shown} has no default branch", hint=f"add @ref, one of: {some}"
        )
    return SourceError(
        f"{origin.shown} is an empty repository without commits",
        hint="push a commit, or check the URL",
    )


def _missing_ref_error(origin: _Origin, ref: str, refs: dict[str, str]) -> SourceError:
    names = sorted({name.split("/", 2)[2] for name in refs if name.startswith("refs/")})
    close = difflib.get_close_matches(ref, names, n=8, cutoff=0.4) or names[:8]
    hint = f"the closest are: {', '.join(close)}" if close else "it has no branches or tags"
    return SourceError(f"no branch, tag or commit {ref} in {origin.shown}", hint=hint)


# ------------------------------------------------------- the user's work tree


def _take_changes(path: Path, tree: Path) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Put the files of `path` into the index of `tree`; give the paths that differ."""
    at = f"--work-tree={path}"
    left = _too_large(path, zero_separated(
        git(tree, at, "ls-files", "-z", "--others", "--exclude-standard")
    ))  # fmt: skip
    skip = [f":(exclude,literal,top){name}" for name in (*gitlinks(tree), *left)]
    notes = [f"not copied, untracked and over {LARGEST_UNTRACKED >> 20} MiB: {n}" for n in left]
    try:
        git(tree, at, "add", "--all", "--ignore-errors", "--", ":/", *skip)
    except GitFailed as error:
        notes.append(f"some uncommitted files could not be read: {error}")
    changed = git(tree, at, "diff", "--cached", "--name-only", "-z", "--no-renames", "HEAD")
    return tuple(zero_separated(changed)), tuple(notes)


def _too_large(path: Path, names: list[str]) -> list[str]:
    return [
        name
        for name in names
        if not (path / name).is_symlink()
        and (path / name).is_file()
        and (path / name).stat().st_size > LARGEST_UNTRACKED
    ]


def _copy_submodules(path: Path, tree: Path) -> tuple[str, ...]:
    """Submodules that the user's clone has, as plain files."""
    missing = []
    for name in gitlinks(tree):
        source, target = path / name, tree / name
        if source.is_symlink() or not source.is_dir() or not any(source.iterdir()):
            missing.append(name)
            continue
        if not any(target.iterdir()):
            target.rmdir()
            copy_files(source, target)
    return tuple(f"submodule {name} is missing: git submodule update --init" for name in missing)


# ---------------------------------------------------------------- finishing


def _fetch_submodules(
    tree: Path, link: str, local: bool, progress: Callable[[str], None]
) -> tuple[str, ...]:
    progress("fetching submodules")
    relative = ("-c", f"remote.origin.url={link}")  # for submodules with relative URLs
    try:
        git(
            tree, *relative, "submodule", "update", "--init", "--recursive", "--depth=1",
            "--checkout", user_config=True, local=local,
        )  # fmt: skip
    except GitFailed as error:
        return (f"not all submodules could be fetched: {error}",)
    finally:
        secure(tree)
    return ()


def _notes(tree: Path) -> tuple[str, ...]:
    attributes = tree / ".gitattributes"
    plain = attributes.is_file() and not attributes.is_symlink()
    if plain and b"filter=lfs" in attributes.read_bytes():
        return ("files in Git LFS are left as pointers",)
    return ()


def _settle(tree: Path, at: str) -> None:
    """Rewrite the files so that they are what is committed, byte for byte."""
    files = zero_separated(git(tree, "ls-files", "-z"))
    attributes = [name for name in files if Path(name).name == ".gitattributes"]
    steady(tree)
    if attributes:
        git(tree, "rm", "-r", "-q", "--cached", ".")
        git(tree, "reset", "-q", "--hard", at)


def copy_files(source: Path, target: Path) -> tuple[str, ...]:
    """Copy a folder and give a note for each file that could not be: links stay links;
    `.git`, caches and environments are left out."""
    notes: list[str] = []

    def find_excluded(folder: str, names: list[str]) -> set[str]:
        left = set()
        for name in names:
            path = Path(folder, name)
            if name in _LEFT_OUT:
                left.add(name)
            elif is_git(name, link=path.is_symlink()):
                left.add(name)
                notes.append(f"skipped, reserved by git: {path.relative_to(source)}")
            elif not path.is_symlink() and not _copyable(path):
                left.add(name)
                notes.append(f"omitted, not a readable file: {path.relative_to(source)}")
            elif (path / "pyvenv.cfg").exists():
                left.add(name)
        return left

    shutil.copytree(source, target, symlinks=True, ignore=find_excluded)
    return tuple(notes)


def _copyable(path: Path) -> bool:
    if path.is_dir():
        return os.access(path, os.R_OK | os.X_OK)
    return path.is_file() and os.access(path, os.R_OK)
