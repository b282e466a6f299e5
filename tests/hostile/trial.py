"""What the hostile inputs share: a victim that must not change, a mark that nothing may leave."""

from __future__ import annotations

import atexit
import contextlib
import functools
import hashlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import TypeVar
from unittest import mock

from porter.errors import ExitCode, PorterError
from porter.model import FilePatch, Plan

T = TypeVar("T")
SECONDS = 90  # after which an input counts as one that porter hangs on
OPS = b"import torch\n\nx = torch.zeros(1).cuda()\n"
FILES = {
    "setup.py": b"import torch\nfrom setuptools import setup\n\nsetup(name='ops')\n",
    "ops/__init__.py": OPS,
    "data.txt": b"one\n",
    ".gitattributes": b"* filter=evil diff=evil merge=evil\n",
}


class TooSlow(BaseException):
    """Porter did not end in time; no handler of porter's takes it for an error of its own."""


class Quiet:
    """Progress that nobody reads."""

    def __init__(self) -> None:
        self.notes: list[str] = []

    def enter(self, stage: str) -> None:
        pass

    def expect(self, expected: object) -> None:
        pass

    @contextlib.contextmanager
    def stage(self, label: str) -> Iterator[None]:
        yield

    def line(self, text: str) -> None: ...

    def note(self, text: str) -> None:
        self.notes.append(text)


@dataclass(frozen=True, slots=True)
class World:
    """A folder with a user's repository in it, and a program that leaves a mark when it runs."""

    folder: Path

    @property
    def victim(self) -> Path:
        return self.folder / "victim"

    @property
    def mark(self) -> Path:
        return self.folder / "ran"

    @property
    def program(self) -> Path:
        return self.folder / "program"


def world(folder: Path) -> World:
    """Make a user's repository with an uncommitted edit, and the program."""
    made = World(folder)
    copy_repository(made.victim)
    (made.victim / "data.txt").write_text("edited by the user\n")
    made.program.write_text(f'#!/bin/sh\necho "$0 $*" >> {made.mark}\ncat 2>/dev/null\nexit 1\n')
    made.program.chmod(0o755)
    return made


def git(folder: Path, *arguments: str) -> str:
    """Run plain git, as the attacker or the user does."""
    who = ("-c", "user.name=t", "-c", "user.email=t@example.org")
    allow = ("-c", "protocol.file.allow=always", "-c", "core.protectNTFS=false")
    environment = {"PATH": os.environ["PATH"], "GIT_CONFIG_GLOBAL": os.devnull}
    done = subprocess.run(
        ["git", *who, *allow, *arguments],
        cwd=folder,
        env=environment | {"GIT_CONFIG_NOSYSTEM": "1", "HOME": str(folder)},
        capture_output=True,
        check=True,
    )
    return done.stdout.decode("utf-8", "replace")


@functools.cache
def _template() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="porter-hostile-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    write(folder, FILES)
    git(folder, "init", "-q", "-b", "main", "--template=")
    git(folder, "add", ".")
    git(folder, "commit", "-q", "-m", "first")
    return folder


def copy_repository(target: Path) -> Path:
    """Make a repository with one commit."""
    shutil.copytree(_template(), target, symlinks=True)
    git(target, "update-index", "-q", "--refresh")
    return target


def write(folder: Path, files: Mapping[str, bytes]) -> Path:
    """Write files below a folder."""
    for name, data in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    return folder


def read(path: Path) -> bytes | None:
    """The bytes of a file, None where it is gone."""
    return path.read_bytes() if path.is_file() else None


def state(folder: Path) -> dict[str, str]:
    """Everything in a folder: kind, mode and content of each entry."""
    found = {}
    for path in sorted(folder.rglob("*")):
        kind = oct(path.lstat().st_mode)
        if path.is_symlink():
            kind += f" -> {path.readlink()}"
        elif path.is_file():
            kind += f" {hashlib.sha256(path.read_bytes()).hexdigest()}"
        found[str(path.relative_to(folder))] = kind
    return found


def held(made: World, attempt: Callable[[], object], *own: Path, must: bool = False) -> str | None:
    """Whether porter held: nothing of the user's and of `own` changed, nothing planted ran, and it
    ended in time, well or (unless it `must` succeed) with an error that is not a defect."""
    before = {path: state(path) for path in (made.victim, *own)}
    lost = attempted(made.folder, attempt, must=must)
    if made.mark.exists():
        return f"a planted program ran: {made.mark.read_text().splitlines()[0]}"
    for path, old in before.items():
        new = state(path)
        if new != old:
            changed = [n for n in {**old, **new} if old.get(n) != new.get(n)]
            return f"changed in {path.name}: {', '.join(changed[:5])}"
    return lost


def attempted(folder: Path, attempt: Callable[[], object], *, must: bool = False) -> str | None:
    """What went wrong in an attempt that may end in an error of porter's, but not in a defect."""
    stated = {
        **{"PORTER_HOME": str(folder / "home"), "GIT_CONFIG_GLOBAL": os.devnull},
        **{"GIT_CONFIG_NOSYSTEM": "1", "PORTER_NO_COMPILER": "1", "TMPDIR": str(folder)},
    }
    try:
        with mock.patch.dict(os.environ, stated), _limited():
            attempt()
    except PorterError as error:
        if error.exit_code == ExitCode.DEFECT or must:
            return f"an error: {error}"
    except (Exception, TooSlow):
        return f"a defect: {traceback.format_exc().splitlines()[-1]}"
    return None


@contextlib.contextmanager
def _limited() -> Iterator[None]:
    def expire(number: int, frame: FrameType | None) -> None:
        raise TooSlow(f"it did not end within {SECONDS} s")

    before = signal.signal(signal.SIGALRM, expire)
    signal.alarm(SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def port(
    source: str, folder: Path, between: Callable[[Path], object] = lambda tree: None
) -> tuple[Path, ...]:
    """Fetch a source into a run and write a patch of one edit, as analyze and migrate do, with
    `between` the two."""
    from porter.migrate import patch
    from porter.sources import checkout, repository
    from porter.stages import session
    from porter.survey.discover import discover

    run = session.begin(source, Quiet())
    if not run.base.is_dir():  # nothing to port
        return ()
    checkout.add_tree(run.folder)
    discover(run.tree)
    between(run.tree)
    repository.restore(run.tree, run.load().source.head)
    old = run.tree / "ops" / "__init__.py"
    before = old.read_bytes() if old.is_file() and not old.is_symlink() else None
    name = "ops/__init__.py" if before is not None else "porter_added.py"
    edit = FilePatch(path=name, before=before, after=(before or b"") + b"y = 1\n", changes=())
    plan = Plan(patches=(edit,))
    written = patch.write(plan, run.tree, folder / "patch", "porter migrate")
    return tuple(map(Path, written.series))


def apply(clone: Path, series: tuple[Path, ...]) -> None:
    """Put a patch on a branch, as `porter patch --apply` does."""
    from porter.host import scratch
    from porter.migrate import branch

    with scratch.folder() as aside:
        made = branch.build(clone, [p.read_bytes() for p in series], "porter/paddle", aside)
        branch.create(made, aside)


def attempt_in(environment: Mapping[str, str], act: Callable[..., T], *arguments: object) -> T:
    """Call a function with variables of the environment set."""
    with mock.patch.dict(os.environ, environment):
        return act(*arguments)


def command(environment: Mapping[str, str], *arguments: str) -> str:
    """Run porter as a user does; give what it says. Raises AssertionError for a defect."""
    root = Path(__file__).resolve().parent.parent.parent
    done = subprocess.run(
        [sys.executable, "-m", "porter", *arguments],
        env={**os.environ, **environment, "PYTHONPATH": str(root)},
        capture_output=True,
    )
    said = (done.stdout + done.stderr).decode("utf-8", "replace")
    if done.returncode == ExitCode.DEFECT or "Traceback" in said:
        raise AssertionError(said.strip())
    return said


def publish(folder: Path, archive: Path, digest: str | None = None) -> dict[str, str]:
    """Serve an archive as `ops` 1.0 from an index in a folder; give pip's settings for it."""
    place = folder / "simple" / "ops"
    place.mkdir(parents=True)
    name = "ops-1.0.zip" if archive.suffix == ".zip" else "ops-1.0.tar.gz"
    shutil.copyfile(archive, place / name)
    digest = digest or hashlib.sha256(archive.read_bytes()).hexdigest()
    link = f'<a href="{name}#sha256={digest}">{name}</a>'
    (place / "index.html").write_text(f"<!DOCTYPE html><html><body>{link}</body></html>")
    return {"PIP_CONFIG_FILE": os.devnull, "PIP_INDEX_URL": place.parent.as_uri()}
