"""A git repository, remote or local, as a shallow clone at one commit."""

from __future__ import annotations

import difflib
import os
import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from porter.errors import SourceError
from porter.repository import (
    GitFailed,
    as_porter_error,
    commit,
    git,
    head,
    initialise,
    shown,
    steady,
    zero_separated,
)

LARGEST_UNTRACKED = 100 * 1024 * 1024  # bytes; larger ones are data, not sources

_LEFT_OUT = {".git", ".hg", ".svn", "__pycache__", ".venv", ".tox", ".nox", "node_modules"} | {
    f".{tool}_cache" for tool in ("mypy", "ruff", "pytest")
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Clone:
    """A clone: the source's commit, and the one that patches stand on."""

    commit: str
    head: str
    dirty: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def is_bare(path: Path) -> bool:
    """A folder that is itself a git directory."""
    return all((path / part).exists() for part in ("HEAD", "objects", "refs"))


def has_commit(path: Path) -> bool:
    """A clone whose HEAD is born; a fresh `git init` has no history to keep."""
    try:
        head(path, user_config=True)
    except GitFailed as error:
        if "dubious ownership" in str(error):
            raise SourceError(
                f"git does not trust {path}: it belongs to another user",
                hint=f"git config --global --add safe.directory {path}",
            ) from error
        return False
    return True


def remote(
    url: str, ref: str | None, tree: Path, progress: Callable[[str], None], *, submodules: bool
) -> Clone:
    """Clone `url` (or a local repository's path) at `ref`, without history.

    Raises SourceError for a repository or ref that is not there, NetworkError.
    """
    local = "://" not in url and Path(url).is_absolute()
    if local and not Path(url).is_dir():
        raise SourceError(f"no such folder: {url}", hint="check the path")
    link = f"file://{url}" if local else url
    progress(f"fetching {shown(url)}" + (f" at {ref}" if ref else ""))
    initialise(tree)
    try:
        found = _resolve(link, ref, tree, local)
    except GitFailed as error:
        raise as_porter_error(error, url) from error
    git(tree, "checkout", "-q", "--force", "--detach", found)
    notes = _notes(tree)
    if submodules and (tree / ".gitmodules").is_file():
        notes += _fetch_submodules(tree, link, local, progress)
    return _settle(tree, found, notes)


def work_tree(
    path: Path, tree: Path, progress: Callable[[str], None], *, submodules: bool
) -> Clone:
    """Clone a local work tree as it stands: uncommitted changes become one commit on top.

    Only reads below `path`; its own git configuration is not used on its files.
    """
    progress(f"reading {path}")
    initialise(tree)
    try:
        found = _fetch(f"file://{path}", head(path, user_config=True), tree, local=True)
    except GitFailed as error:
        raise as_porter_error(error, str(path)) from error
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
    settled = _settle(tree, top, notes + _notes(tree))
    return Clone(commit=found, head=top, dirty=changed, notes=settled.notes)


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


def _resolve(link: str, ref: str | None, tree: Path, local: bool) -> str:
    if ref is None:
        try:
            return _fetch(link, "HEAD", tree, local)
        except GitFailed as error:
            if "remote ref HEAD" in str(error):
                raise _no_head(link, tree, local) from error
            raise
    if re.fullmatch(r"[0-9a-f]{40}|[0-9a-f]{64}", ref):
        try:
            return _fetch(link, ref, tree, local)
        except GitFailed:  # a server that gives only what it advertises
            return _deep(link, ref, tree, local)
    refs = _refs(link, tree, local, ref)
    for name in (ref, f"refs/{ref}", f"refs/tags/{ref}", f"refs/heads/{ref}"):
        if name in refs:
            return _fetch(link, name, tree, local)
    if re.fullmatch(r"[0-9a-f]{7,39}", ref):
        return _deep(link, ref, tree, local)
    raise _missing_ref(link, ref, refs)


def _fetch(link: str, ref: str, tree: Path, local: bool) -> str:
    git(
        tree, "fetch", "-q", "--depth=1", "--no-tags", "--end-of-options", link, ref,
        user_config=True, local=local,
    )  # fmt: skip
    return head(tree, "FETCH_HEAD")


def _deep(link: str, ref: str, tree: Path, local: bool) -> str:
    """All branches and tags, to find a commit that cannot be asked for by name."""
    git(
        tree, "fetch", "-q", "--tags", "--end-of-options", link, "+refs/heads/*:refs/source/*",
        user_config=True, local=local,
    )  # fmt: skip
    try:
        return head(tree, ref)
    except GitFailed:
        raise _missing_ref(link, ref, _refs(link, tree, local)) from None


def _refs(link: str, tree: Path, local: bool, ref: str = "HEAD") -> dict[str, str]:
    out = git(
        tree, "ls-remote", "--end-of-options", link, "HEAD", "refs/heads/*", "refs/tags/*", ref,
        user_config=True, local=local,
    )  # fmt: skip
    pairs = (line.split("\t") for line in out.decode("utf-8", "replace").splitlines())
    return {name: commit_id for commit_id, name in pairs if not name.endswith("^{}")}


def _no_head(link: str, tree: Path, local: bool) -> SourceError:
    names = [name.split("/", 2)[2] for name in _refs(link, tree, local) if name.startswith("refs/")]
    if names:
        some = ", ".join(sorted(names)[:10])
        return SourceError(f"{shown(link)} has no default branch", hint=f"add @ref, one of: {some}")
    return SourceError(
        f"{shown(link)} is an empty repository: it has no commit",
        hint="push a commit, or check the URL",
    )


def _missing_ref(link: str, ref: str, refs: dict[str, str]) -> SourceError:
    names = sorted({name.split("/", 2)[2] for name in refs if name.startswith("refs/")})
    close = difflib.get_close_matches(ref, names, n=8, cutoff=0.4) or names[:8]
    hint = f"the nearest are: {', '.join(close)}" if close else "it has no branches or tags"
    return SourceError(f"no branch, tag or commit {ref} in {shown(link)}", hint=hint)


# ------------------------------------------------------- the user's work tree


def _take_changes(path: Path, tree: Path) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Put the files of `path` into the index of `tree`; give the paths that differ."""
    at = (f"--git-dir={tree / '.git'}", f"--work-tree={path}")
    exclude = path / ".git" / "info" / "exclude"
    if exclude.is_file():
        (tree / ".git" / "info").mkdir(exist_ok=True)
        (tree / ".git" / "info" / "exclude").write_bytes(exclude.read_bytes())
    left = _too_large(path, zero_separated(
        git(path, *at, "ls-files", "-z", "--others", "--exclude-standard")
    ))  # fmt: skip
    skip = [f":(exclude,literal,top){name}" for name in (*gitlinks(tree), *left)]
    notes = [f"not taken, over {LARGEST_UNTRACKED >> 20} MiB and untracked: {n}" for n in left]
    try:
        git(path, *at, "add", "--all", "--ignore-errors", "--", ":/", *skip)
    except GitFailed as error:
        notes.append(f"some uncommitted files could not be read: {error}")
    changed = git(path, *at, "diff", "--cached", "--name-only", "-z", "--no-renames", "HEAD")
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
    return tuple(f"submodule {name} is not there: git submodule update --init" for name in missing)


# ---------------------------------------------------------------- finishing


def _fetch_submodules(
    tree: Path, link: str, local: bool, progress: Callable[[str], None]
) -> tuple[str, ...]:
    progress("fetching submodules")
    git(tree, "remote", "add", "origin", link)  # for submodules with relative URLs
    try:
        git(
            tree, "submodule", "update", "--init", "--recursive", "--depth=1", "--checkout",
            user_config=True, local=local,
        )  # fmt: skip
    except GitFailed as error:
        return (f"submodules could not all be fetched: {error}",)
    finally:
        git(tree, "remote", "remove", "origin")
    return ()


def _notes(tree: Path) -> tuple[str, ...]:
    attributes = tree / ".gitattributes"
    plain = attributes.is_file() and not attributes.is_symlink()
    if plain and b"filter=lfs" in attributes.read_bytes():
        return ("files kept in Git LFS are left as pointers",)
    return ()


def _settle(tree: Path, at: str, notes: tuple[str, ...]) -> Clone:
    """Rewrite the files so that they are what is committed, byte for byte."""
    attributes = [n for n in git_files(tree) if Path(n).name == ".gitattributes"]
    steady(tree)
    if attributes:
        git(tree, "rm", "-r", "-q", "--cached", ".")
        git(tree, "reset", "-q", "--hard", at)
    return Clone(commit=at, head=at, notes=notes)


def git_files(tree: Path) -> list[str]:
    return [os.fspath(name) for name in zero_separated(git(tree, "ls-files", "-z"))]


def copy_files(source: Path, target: Path) -> tuple[str, ...]:
    """Copy a folder and give a note for each file that could not be: links stay links;
    `.git`, caches and environments are left out."""
    notes: list[str] = []

    def left_out(folder: str, names: list[str]) -> set[str]:
        left = set()
        for name in names:
            path = Path(folder, name)
            if name in _LEFT_OUT:
                left.add(name)
            elif not path.is_symlink() and not _copyable(path):
                left.add(name)
                notes.append(f"left out, not readable as a file: {path.relative_to(source)}")
            elif (path / "pyvenv.cfg").exists():
                left.add(name)
        return left

    shutil.copytree(source, target, symlinks=True, ignore=left_out)
    return tuple(notes)


def _copyable(path: Path) -> bool:
    if path.is_dir():
        return os.access(path, os.R_OK | os.X_OK)
    return path.is_file() and os.access(path, os.R_OK)
