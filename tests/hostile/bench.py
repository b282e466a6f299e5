"""A small repository of a user and porter's home, to interrupt commands in, and what must hold."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

from tests.hostile import faults
from tests.hostile.faults import Fault, Outcome

FILES = {
    "setup.py": 'from setuptools import setup\n\nsetup(name="ops", packages=["ops"])\n',
    "ops/__init__.py": "import torch\n\n\ndef f(x):\n    return torch.equal(x, x)\n",
    "ops/more/data.py": "VALUES = [1, 2, 3]\n",
    ".gitignore": "*.log\n",
}
BRANCH = "refs/heads/porter/paddle"
COMMANDS = {
    "migrate": ["migrate", ".", "--no-compiler", "--jobs", "1"],
    "patch --apply": ["patch", "--apply"],
    "undo": ["undo"],
    "undo of a packed branch": ["undo"],
}
_LEFT = re.compile(r"\.lock$|^tmp_|^\.porter-|^packed-refs\.new$")


class Bench:
    """`repo` of a user, `home` of porter, and a HOME and TMPDIR, in one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.repo, self.home = folder / "repo", folder / "home"
        self.elsewhere = [folder / "tmp", folder / "user"]

    @property
    def environment(self) -> dict[str, str]:
        return {
            "PORTER_HOME": str(self.home),
            "PORTER_NO_COMPILER": "1",
            "PYTHONDONTWRITEBYTECODE": "1",
            "SOURCE_DATE_EPOCH": "1700000000",
            "TMPDIR": str(self.elsewhere[0]),
            "HOME": str(self.elsewhere[1]),
            "GIT_CONFIG_NOSYSTEM": "1",
        }

    def git(self, *arguments: str) -> str:
        who = ["-c", "user.name=t", "-c", "user.email=t@example.org"]
        done = subprocess.run(
            ["git", *who, *arguments],
            cwd=self.repo,
            env={**os.environ, **self.environment, "GIT_OPTIONAL_LOCKS": "0"},
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout

    def porter(self, command: str, fault: Fault = Fault.NONE, when: int = 0) -> Outcome:
        argv = [sys.executable, "-m", "porter", *COMMANDS[command]]
        return faults.run(argv, self.repo, self.environment, fault, when)

    def snapshot(self) -> dict[str, object]:
        """All of the repository but for porter's branch and objects that nothing names."""
        own = {
            path.relative_to(self.repo).as_posix(): (path.stat().st_mode, path.read_bytes())
            for path in self.repo.rglob("*")
            if path.is_file() and ".git" not in path.parts
        }
        kept = ("HEAD", "index", "config", "logs/HEAD", "logs/refs/stash", "info/exclude")
        state = {name: (self.repo / ".git" / name).read_bytes() for name in kept}
        trees = self.git("worktree", "list", "--porcelain")
        refs = self._refs()
        refs.pop(BRANCH, None)
        return {**own, **state, "trees": trees, **refs}

    def tip(self) -> str | None:
        """The commit of porter's branch."""
        return self._refs().get(BRANCH)

    def branch(self) -> str:
        """What porter's branch holds: the same for every way to make it."""
        return self.git("log", "--format=%T %s", f"main..{BRANCH}") if self.tip() else ""

    def _refs(self) -> dict[str, str]:
        lines = self.git("for-each-ref", "--format=%(refname) %(objectname)").splitlines()
        return dict(line.split(" ") for line in lines)

    def patch(self) -> str:
        """The series of the newest run."""
        run = max((self.home / "runs").iterdir(), key=lambda path: path.name)
        return "".join(path.read_text() for path in sorted(run.glob("patch/*.patch")))

    def leftovers(self) -> list[str]:
        """What no command may leave once another has ended."""
        names = [p for p in self.folder.rglob("*") if _LEFT.search(p.name)]
        names += [path for folder in self.elsewhere for path in folder.iterdir()]
        names += (self.home / "scratch").glob("*")
        return [path.relative_to(self.folder).as_posix() for path in names]

    def copy(self, folder: Path) -> Bench:
        """This bench in another folder, with the paths that porter wrote down."""
        shutil.copytree(self.folder, folder, symlinks=True, dirs_exist_ok=True)
        for path in folder.glob("home/runs/*/**/*.json"):
            path.write_text(path.read_text().replace(str(self.folder), str(folder)))
        return Bench(folder)


@cache
def prepared(command: str) -> Bench:
    """A bench on which a command of porter's is the next one to run; kept as it is."""
    if command == "patch --apply":
        bench = _copied("migrate")
        _succeed(bench, "migrate")
    elif command == "undo":
        bench = _copied("patch --apply")
        _succeed(bench, "patch --apply")
    elif command == "undo of a packed branch":
        bench = _copied("undo")
        bench.git("pack-refs", "--all", "--prune")
    else:
        bench = Bench(Path(tempfile.mkdtemp(prefix="bench-")))
        _fill(bench)
    return bench


@cache
def finished(command: str) -> tuple[Bench, Outcome]:
    """The bench after a command that nothing interrupted."""
    bench = _copied(command)
    return bench, _succeed(bench, command)


def _copied(command: str) -> Bench:
    return prepared(command).copy(Path(tempfile.mkdtemp(prefix="bench-")))


def _succeed(bench: Bench, command: str) -> Outcome:
    outcome = bench.porter(command)
    assert outcome.code == 0, outcome.said
    return outcome


def _fill(bench: Bench) -> None:
    """A repository with a stash, a tag, another branch and an ignored file."""
    for folder in (bench.repo, *bench.elsewhere):
        folder.mkdir()
    bench.git("init", "-q", "-b", "main")
    for name, text in FILES.items():
        path = bench.repo / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    bench.git("add", ".")
    bench.git("commit", "-q", "-m", "first")
    bench.git("tag", "v1")
    bench.git("branch", "other")
    (bench.repo / "setup.py").write_text("# not finished\n")
    bench.git("stash", "push", "-q")
    (bench.repo / "build.log").write_text("mine\n")
