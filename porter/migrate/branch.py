"""A series of patches as a branch of the user's clone, made and taken back by one change of a ref.

The commits are made in a repository of porter's, which borrows the clone's objects. Then the new
objects are copied, which nobody sees yet, and git creates the branch. The clone's files, index,
configuration and other branches are never written to.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import shutil
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from porter.errors import UsageError
from porter.host import files, scratch
from porter.sources import repository, view
from porter.sources.repository import GitFailed, git


@dataclass(frozen=True, slots=True, kw_only=True)
class Branch:
    """A branch that porter made, or is about to."""

    repository: str  # its top folder
    name: str
    tip: str
    commits: int
    content: str  # the hash of the series and of the commit it stands on

    @property
    def ref(self) -> str:
        return f"refs/heads/{self.name}"


def build(
    repo: Path, mails: Sequence[bytes], name: str, aside: Path, earlier: Iterable[Branch] = ()
) -> Branch:
    """Make the commits of a series on the HEAD of a clone, in the empty folder `aside`.

    Writes nothing to the clone. Gives the one of the `earlier` branches that is the same and still
    there. Raises UsageError, also where files that the series may concern have uncommitted changes.
    """
    top, prefix = _clone(repo)
    with view.open_view(top, writable=True) as seen:  # as it is written to later
        head = repository.head(seen)
        form = _ask(seen, "--show-object-format")
        every = ("--untracked-files=all", "--ignore-submodules=all")
        status = git(seen, f"--work-tree={top}", "status", "--porcelain", *every)
        who = _committer(seen, top)
    content = hashlib.sha256(b"\0".join((head.encode(), *mails))).hexdigest()
    for made in earlier:
        if (made.repository, made.name, made.content) == (str(top), name, content) and is_at(made):
            return made
    _require_new_branch(top, name)
    if changed := [*_find_changed(status, mails, prefix)]:
        raise UsageError(
            f"{top} has uncommitted changes: {', '.join(changed[:5])}",
            hint="commit or stash them, then try again",
        )
    tree = aside / "tree"
    repository.initialise(tree, form)
    borrowed = tree / ".git" / "objects" / "info" / "alternates"
    borrowed.parent.mkdir(exist_ok=True)
    borrowed.write_text(f"{_objects(top)}\n", errors="surrogateescape")
    with contextlib.suppress(FileNotFoundError):  # where the history of a shallow clone ends
        shutil.copyfile(view.find(top).common / "shallow", tree / ".git" / "shallow")
    repository.steady(tree)
    git(tree, "checkout", "-q", "--detach", head)
    tip = _apply(tree, aside / "series", mails, prefix, who)
    return Branch(repository=str(top), name=name, tip=tip, commits=len(mails), content=content)


def create(made: Branch, aside: Path) -> None:
    """Bring what `build` made in `aside` into the clone, as a new branch.

    Raises UsageError where there is one of that name by now.
    """
    top = Path(made.repository)
    objects = _objects(top)
    for name in _new_objects(aside / "tree", made):
        _add(aside / "tree" / ".git" / "objects" / name[:2] / name[2:], objects)
    scratch.expect(aside, _locks(top, made.ref))
    none = "0" * len(made.tip)
    quiet = ("-c", "core.logAllRefUpdates=false")
    try:
        with view.open_view(top, writable=True) as seen:
            git(seen, *quiet, "update-ref", "--no-deref", made.ref, made.tip, none)
    except GitFailed as error:
        _require_new_branch(top, made.name)
        raise UsageError(f"git cannot make the branch {made.name}: {error}") from error


def is_at(made: Branch) -> bool:
    """Whether the branch is there, as porter left it."""
    try:
        return _tip(Path(made.repository), made.ref) == made.tip
    except (GitFailed, OSError):
        return False


def delete(made: Branch, aside: Path) -> bool:
    """Delete a branch that porter made; give whether there was one.

    Raises UsageError where it has other commits by now, is checked out, or was renamed.
    """
    top = Path(made.repository)
    try:
        tip = _tip(top, made.ref)
    except (GitFailed, OSError) as error:
        raise UsageError(f"{top} is no git repository any more", hint="nothing to do") from error
    if tip is None:
        asked = ("for-each-ref", "--points-at", made.tip, "--format=%(refname:short)", "refs/heads")
        others = _lines(top, *asked) if _is_there(top, made.tip) else []
        if others:
            raise UsageError(
                f"the commits of {made.name} are on the branch {others[0]} of {top} now",
                hint=f"delete it yourself: git branch -D {others[0]}",
            )
        return False
    if tip != made.tip:
        raise UsageError(
            f"the branch {made.name} of {top} has moved on: it is at {tip[:12]}, "
            f"porter left it at {made.tip[:12]}",
            hint=f"look at `git log {made.tip[:12]}..{made.name}`; delete it yourself: "
            f"git branch -D {made.name}",
        )
    if place := _find_user_of(top, made):
        raise UsageError(
            f"the branch {made.name} is in use in {place}",
            hint="check out another one there, or end the rebase or bisection",
        )
    scratch.expect(aside, _locks(top, made.ref))
    try:
        with view.open_view(top, writable=True) as seen:
            git(seen, "update-ref", "--no-deref", "-d", made.ref, made.tip)
    except GitFailed as error:
        raise UsageError(f"git cannot delete the branch {made.name}: {error}") from error
    return True


# -------------------------------------------------------------------- the clone


def _clone(repo: Path) -> tuple[Path, str]:
    """The clone's top folder, and where in it `repo` is."""
    here = repo.resolve()
    try:
        top = next(path for path in (here, *here.parents) if (path / ".git").exists())
        with view.open_view(top) as seen:
            repository.head(seen)
    except (GitFailed, StopIteration) as error:
        raise UsageError(
            f"{repo} is not a git repository with a commit",
            hint="`git apply` takes the printed patch in any folder",
        ) from error
    return top, here.relative_to(top).as_posix().removeprefix(".")


def _find_changed(status: bytes, mails: Sequence[bytes], prefix: str) -> Iterator[str]:
    """Yield the files with uncommitted changes: tracked ones, and others that the series edits."""
    for line in status.splitlines():
        path = line[3:].strip(b'"')
        own = re.escape(path.removeprefix(os.fsencode(f"{prefix}/")))
        edit = re.compile(rb'^\+\+\+ "?b/' + own + rb'"?\r?$', re.MULTILINE)
        if not line.startswith(b"??") or any(map(edit.search, mails)):
            yield path.decode("utf-8", "replace")


def _require_new_branch(top: Path, name: str) -> None:
    try:
        with view.open_view(top) as seen:
            git(seen, "check-ref-format", f"refs/heads/{name}")
        valid = not name.startswith("-")
    except GitFailed:
        valid = False
    if not valid:
        raise UsageError(f"not a name for a branch: {name!r}")
    if _tip(top, f"refs/heads/{name}") is not None:
        raise UsageError(
            f"the branch {name} exists already",
            hint=f"name another, or delete it: porter undo, or git branch -D {name}",
        )


def _tip(top: Path, ref: str) -> str | None:
    found = _lines(top, "for-each-ref", "--format=%(objectname)%(refname)", ref)
    return next((line.removesuffix(ref) for line in found if line.endswith(f"{ref}")), None)


def _find_user_of(top: Path, made: Branch) -> str | None:
    """The git folder of a work tree that has a branch checked out, rebases or bisects it."""
    common = view.find(top).common
    heads = ("HEAD", "rebase-merge/head-name", "rebase-apply/head-name", "BISECT_START")
    for folder in (common, *common.glob("worktrees/*")):
        for name in heads:
            with contextlib.suppress(OSError):
                said = os.fsdecode((folder / name).read_bytes()).strip()
                if said.removeprefix("ref: ") in (made.ref, made.name):
                    return str(folder)
    return None


def _is_there(top: Path, commit: str) -> bool:
    try:
        with view.open_view(top) as seen:
            repository.head(seen, commit)
    except GitFailed:
        return False
    return True


def _lines(top: Path, *arguments: str) -> list[str]:
    with view.open_view(top) as seen:
        return os.fsdecode(git(seen, *arguments)).splitlines()


def _ask(seen: Path, *arguments: str) -> str:
    return os.fsdecode(git(seen, "rev-parse", *arguments)).removesuffix("\n")


def _objects(top: Path) -> Path:
    return (view.find(top).common / "objects").resolve()


def _locks(top: Path, ref: str) -> tuple[Path, ...]:
    common = view.find(top).common
    names = (f"{ref}.lock", "packed-refs.lock", "packed-refs.new", "reftable/tables.list.lock")
    return tuple(common / name for name in names)


# ------------------------------------------------------------------ the commits


def _apply(
    tree: Path, series: Path, mails: Sequence[bytes], prefix: str, who: dict[str, str]
) -> str:
    series.mkdir()
    paths = [series / f"{number:04}.patch" for number in range(len(mails))]
    for path, mail in zip(paths, mails, strict=True):
        path.write_bytes(mail)
    where = (f"--directory={prefix}",) if prefix else ()
    try:
        git(tree, "am", "-q", "--no-gpg-sign", *where, *map(str, paths), environment=who)
    except GitFailed as error:
        raise UsageError(
            f"the patch does not apply here: {error}",
            hint="it is for the commit it was made from; check that out, or migrate this one",
        ) from error
    return repository.head(tree)


def _committer(seen: Path, top: Path) -> dict[str, str]:
    """The user's own identity where git knows it in the clone, else porter's."""
    name, email = repository.AUTHOR, repository.EMAIL
    with contextlib.suppress(GitFailed):
        own = view.identity(top)
        said = git(seen, "var", "GIT_COMMITTER_IDENT", user_config=True, environment=own)
        name, _, rest = os.fsdecode(said).partition(" <")
        email = rest.rpartition("> ")[0]
    return {"GIT_COMMITTER_NAME": name, "GIT_COMMITTER_EMAIL": email}


def _new_objects(tree: Path, made: Branch) -> list[str]:
    """What the commits add, in an order in which every object comes after those that it names."""
    shape = ("--raw", "-r", "-t", "--no-abbrev", "--no-renames", "--format=%H %T")
    said = git(tree, "log", "--reverse", *shape, f"{made.tip}~{made.commits}..{made.tip}")
    names: list[str] = []
    for commit in re.split(rb"(?m)^(?=[0-9a-f])", said)[1:]:
        head, *changed = commit.decode("utf-8", "replace").split("\n")
        names += [line.split(" ")[3] for line in reversed(changed) if line.startswith(":")]
        names += reversed(head.split(" "))
    return list(dict.fromkeys(names))


def _add(path: Path, objects: Path) -> None:
    """Put a loose object into a clone in one step, unless it was there before."""
    if not path.is_file():
        return
    folder = objects / path.parent.name
    if not folder.is_dir():
        folder.mkdir(exist_ok=True)
        shutil.copymode(objects, folder)
    with contextlib.suppress(FileExistsError):
        files.create(folder / path.name, path.read_bytes(), 0o444)
