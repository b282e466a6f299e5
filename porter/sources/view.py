"""A repository that others made, for git to read without its configuration."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from porter.errors import SourceError, UsageError
from porter.host import scratch
from porter.sources.repository import CONFIG, PLAIN, QUICK, GitFailed, git, zero_separated

_SMALL = 1 << 20  # bytes; HEAD, config and the like are never larger
_LARGEST_INDEX = 1 << 30
_LINKED = ("objects", "refs", "packed-refs", "shallow", "reftable")


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a repository is: its work tree, HEAD and index, objects and branches."""

    top: Path  # a bare repository itself
    own: Path
    common: Path  # differs from `own` in a linked work tree


def is_bare(path: Path) -> bool:
    """A folder that is itself a git directory."""
    return all((path / part).exists() for part in ("HEAD", "objects", "refs"))


def find(top: Path) -> Place:
    """The repository of a work tree, or a bare one. Raises GitFailed where there is none."""
    dot = top / ".git"
    if dot.is_dir():
        own = dot
    elif dot.is_file():
        own = _read_pointer(dot, "gitdir:")
    else:
        own = top
    common = _read_pointer(own / "commondir") if (own / "commondir").exists() else own
    if not (own / "HEAD").exists() or not is_bare(common):
        raise GitFailed("", f"not a git repository: {top}")
    return Place(top=top, own=own, common=common)


@contextlib.contextmanager
def open_view(top: Path, *, writable: bool = False) -> Iterator[Path]:
    """Give a folder in which `git()` sees the repository of a work tree, or a bare one.

    Its objects and branches are linked, HEAD and index are copies, and its configuration, hooks,
    attributes, grafts and replacements are not there. Nothing may be written through it unless
    `writable`. Raises GitFailed where there is no repository, SourceError where git would not
    trust it or that git would not have made, UsageError where writing could reach other folders.
    """
    place = find(top)
    with scratch.folder() as folder:
        seen = folder / ".git"
        seen.mkdir()
        (seen / "config").write_text(CONFIG, encoding="utf-8")
        _require_trusted(place, folder)
        _require_plain(place, links=not writable)
        if writable:
            _require_acknowledged(place, folder)
        _fill(seen, place)
        stated = _config(_settings(folder, place.common)) + QUICK
        (seen / "config").write_text(stated, encoding="utf-8")
        yield folder


def list_tracked(root: Path, *, untracked: bool = False) -> tuple[str, ...] | None:
    """Paths git tracks below `root` (submodules as one path each); None where it is no clone.

    With `untracked` also those it would take: what is neither committed nor ignored.
    """
    if not (root / ".git").exists():
        return None
    more = ("--cached", "--others", "--exclude-standard") if untracked else ()
    try:
        with open_view(root) as seen:
            return tuple(
                zero_separated(git(seen, f"--work-tree={root.resolve()}", "ls-files", "-z", *more))
            )
    except (GitFailed, SourceError):
        return None


def identity(top: Path) -> dict[str, str]:
    """The committer that a repository's own configuration names, for git's environment."""
    with open_view(top) as seen:
        settings = _settings(seen, find(top).common)
    named = {
        f"GIT_COMMITTER_{key}": settings.get(f"user.{key.lower()}") for key in ("NAME", "EMAIL")
    }
    return {key: value for key, value in named.items() if value and not os.environ.get(key)}


# ------------------------------------------------------------------ reading


def _text(path: Path) -> str:
    """A small file of a repository; never a device, a pipe or gigabytes."""
    if not path.is_file() or path.stat().st_size > _SMALL:
        raise GitFailed("", f"not a git repository: {path} is not in the form that git writes")
    return path.read_text("utf-8", "surrogateescape")


def _read_pointer(path: Path, label: str = "") -> Path:
    text = _text(path)
    if not text.startswith(label) or "\0" in text:
        raise GitFailed("", f"not a git repository: {path} is not in the form that git writes")
    return Path(os.path.normpath(path.parent / text[len(label) :].strip()))


def _fill(seen: Path, place: Place) -> None:
    head = place.own / "HEAD"
    link = head.is_symlink() and str(head.readlink()).startswith("refs/")
    text = f"ref: {head.readlink()}\n" if link else _text(head)
    (seen / "HEAD").write_text(text, "utf-8", "surrogateescape")
    for name in _LINKED:
        if (place.common / name).exists():
            (seen / name).symlink_to((place.common / name).resolve())
    index = place.own / "index"
    if index.is_file() and index.stat().st_size <= _LARGEST_INDEX:
        shutil.copy2(index, seen / "index")  # with its time: git compares files with it
    for part in place.own.glob("sharedindex.*"):
        (seen / part.name).symlink_to(part.resolve())
    exclude = place.common / "info" / "exclude"
    if exclude.exists():
        (seen / "info").mkdir()
        (seen / "info" / "exclude").write_text(_text(exclude), "utf-8", "surrogateescape")


def _settings(folder: Path, common: Path) -> dict[str, str]:
    """What a repository's own configuration says, without what it includes."""
    path = common / "config"
    if not path.exists():
        return {}
    _text(path)
    listed = git(folder, "config", "--file", str(path.resolve()), "--no-includes", "--list", "-z")
    pairs = (item.partition("\n") for item in zero_separated(listed))
    return {key: value for key, _, value in pairs}


def _config(settings: dict[str, str]) -> str:
    """The settings that say how files and objects are stored; none of them names a program."""
    text = CONFIG
    for name in PLAIN:
        if (value := settings.get(f"core.{name}", "")) in ("true", "false"):
            text += f"\t{name} = {value}\n"
    stored = [
        f"\t{name} = {value}\n"
        for name, value in (("objectformat", "sha256"), ("refstorage", "reftable"))
        if settings.get(f"extensions.{name}") == value
    ]
    if stored:
        text = text.replace("version = 0", "version = 1") + "[extensions]\n" + "".join(stored)
    return text


# ----------------------------------------------------------------- refusing


def _require_trusted(place: Place, folder: Path) -> None:
    """As git: a repository of another user is read only where the user's settings name it."""
    users = {os.geteuid()}
    if os.geteuid() == 0 and os.environ.get("SUDO_UID", "").isdigit():
        users.add(int(os.environ["SUDO_UID"]))
    if {path.stat().st_uid for path in (place.top, place.own, place.common)} <= users:
        return
    try:
        named = git(folder, "config", "--get-all", "-z", "safe.directory", user_config=True)
    except GitFailed:
        named = b""
    if not {"*", str(place.top), str(place.own)} & {*zero_separated(named)}:
        raise SourceError(
            f"git does not trust {place.top}: it belongs to another user",
            hint=f"git config --global --add safe.directory {place.top}",
        )


def _require_plain(place: Place, links: bool) -> None:
    """Objects and branches are files: git would wait for a pipe, and write through a link."""
    roots = [place.common / name for name in _LINKED]
    for path in [*roots, *(path for root in roots for path in _walk_below(root))]:
        odd = not path.is_file() and not path.is_dir() and path.exists()
        if odd or (path.is_symlink() and not links):
            raise SourceError(
                f"{path} is not a plain file or folder",
                hint="use a fresh clone (`git clone`)",
            )


def _walk_below(root: Path) -> Iterator[Path]:
    return (Path(at, name) for at, dirs, files in os.walk(root) for name in (*dirs, *files))


def _require_acknowledged(place: Place, folder: Path) -> None:
    """A `.git` may name any repository; one that is written to has to name the folder, too."""
    dot = place.top / ".git"
    if dot.is_dir() and not dot.is_symlink() and place.common == place.own:
        return
    back = place.own / "gitdir"  # of a linked work tree
    if back.exists() and place.own.parent == place.common / "worktrees":
        if _read_pointer(back).resolve() == dot.resolve():
            return
    elif place.common == place.own:  # of a submodule
        named = _settings(folder, place.common).get("core.worktree", "")
        if named and (place.own / named).resolve() == place.top.resolve():
            return
    raise UsageError(
        f"{dot} points to {place.common}, which does not list this folder",
        hint="name the clone itself with --repo, or use `git am $(porter patch --series)`",
    )
