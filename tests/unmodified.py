"""Real repositories, as they are, under Paddle: built and tested by porter-compat, none changed.

For each in tests/data/unmodified.toml the tree is cloned for torch and for Paddle, installed by pip
(for Paddle by `python -m porter_compat pip install`), its own tests are run in both and compared by
node id. All are installed in one environment for each framework, in the order of the list. Git
repositories are cloned, or taken from $PORTER_CORPUS_GIT/<owner>+<name>/repo where that is.
What was run is kept in the folder, and not run again. Usage: python -m tests.unmodified [NAME ...]
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from porter import targets
from porter.build import environment
from porter.host import files
from porter.host.home import rules_home
from porter.model import Cell, Device, Evidence, Outcome, ProjectFacts, Status, SuiteResult, Tree
from porter.suite.compare import compare
from porter.suite.run import run_suite
from porter.survey.discover import discover
from porter.survey.survey import survey
from porter.unit.package import build_wheel
from tests.conftest import CACHE, ROOT

LIST = Path(__file__).parent / "data" / "unmodified.toml"
BEFORE, AFTER = "torch", "paddle"
# The interpreter as porter's runner of tests calls it: `python -P -m pytest ...`.
UNDER_THE_PACKAGE = '#!/bin/sh\nshift\nexec "{python}" -W ignore -P -m porter_compat "$@"\n'
HEAD = (
    "| repository | tests passed: torch | Paddle | changed lines | build, CPU s: torch "
    "| Paddle | lost |\n|---|" + "---:|" * 6
)


@dataclass(frozen=True, kw_only=True)
class Repository:
    """One of the list: what pip is given (nothing: it is not installed), and how it is tested."""

    name: str
    commit: str
    folder: str = "."
    installs: tuple[str, ...] = (".",)
    tests: str = ""  # a command; else they are found
    requires: tuple[str, ...] = ()  # of pip, in both environments
    variables: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Place:
    """A framework's environment, and the trees that are installed there."""

    framework: str
    python: Path  # runs pip and the tests of code for torch
    pip: tuple[str, ...]
    trees: Path
    logs: Path

    def tree(self, repository: str) -> Path:
        return self.trees / repository.rpartition("/")[2]


@dataclass(frozen=True, kw_only=True)
class Result:
    """A repository under one framework: what its build took, and what its tests say."""

    seconds: float = 0.0  # of the CPU
    lines: int = 0  # of its files that were changed
    suite: SuiteResult | None = None
    problem: str = ""

    @property
    def passed(self) -> str:
        outcomes = self.suite.outcomes.values() if self.suite else ()
        return str(Counter(outcomes)[Outcome.PASSED]) if self.suite else "-"


def listed() -> tuple[list[Repository], list[list[str]]]:
    """The repositories, and which of them have their tests run in one process as well."""
    from cattrs import structure

    data = tomllib.loads(LIST.read_text(encoding="utf-8"))
    every = structure(data["repository"], list[Repository])
    return every, data["together"]


def prepare_machine() -> None:
    """git takes what is mirrored from there, builds find no compiler for CUDA, and one cache is
    for all of this."""
    config = {"protocol.file.allow": "always", "advice.detachedHead": "false"}
    mirrors = Path(os.environ.get("PORTER_CORPUS_GIT", "/nonexistent"))
    for mirror in sorted(mirrors.glob("*+*/repo")):
        url = f"https://github.com/{mirror.parent.name.replace('+', '/', 1)}"
        config[f"url.{mirror}.insteadOf"] = url
        config[f"url.{mirror}/.insteadOf"] = f"{url}.git"  # the same place, another key
    os.environ["GIT_CONFIG_COUNT"] = str(len(config))
    for number, (key, value) in enumerate(config.items()):
        os.environ |= {f"GIT_CONFIG_KEY_{number}": key, f"GIT_CONFIG_VALUE_{number}": value}
    os.environ.pop("PYTHONPATH", None)
    folders = os.environ["PATH"].split(os.pathsep)
    os.environ["PATH"] = os.pathsep.join(f for f in folders if not Path(f, "nvcc").exists())


def place(framework: str, folder: Path) -> Place:
    """An environment over the shared one, Paddle's with the wheel of porter-compat; kept."""
    made = folder / framework / "environment"
    asked = targets.framework(framework)
    base = environment.prepare(
        asked.environment(asked.default_version, Device.CPU), asked, home=CACHE
    )
    python = made / "bin" / "python"
    if not python.exists():
        environment.overlay(base, made)
    pip: tuple[str, ...] = (str(python), "-m", "pip")
    if framework == AFTER:
        wheel = build_wheel(rules_home() / AFTER, folder / "wheel")
        run([*pip, "install", "-q", "--no-deps", "--force-reinstall", str(wheel)], folder)
        pip = (str(python), "-W", "ignore", "-m", "porter_compat", "pip")
        start = made / "bin" / "python-for-torch"
        start.write_text(UNDER_THE_PACKAGE.format(python=python))
        start.chmod(0o755)
        python = start
    return Place(framework, python, pip, folder / framework / "trees", folder / framework / "logs")


def run(command: list[str], cwd: Path, log: Path | None = None, **variables: str) -> float:
    """CPU seconds that a command took; raises CalledProcessError where it fails."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    cwd.mkdir(parents=True, exist_ok=True)
    done = subprocess.run(
        command, cwd=cwd, env={**os.environ, **variables}, capture_output=True, text=True
    )
    if log:
        log.parent.mkdir(parents=True, exist_ok=True)
        log.write_text(done.stdout + done.stderr)
    done.check_returncode()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def clone(repository: Repository, tree: Path) -> None:
    """The tree at its commit, with its submodules."""
    if tree.exists():
        return
    run(["git", "clone", "-q", f"https://github.com/{repository.name}", str(tree)], tree.parent)
    run(["git", "checkout", "-q", repository.commit], tree)
    run(["git", "submodule", "update", "-q", "--init", "--recursive"], tree)


def changed_lines(tree: Path) -> int:
    """Lines of files of the repository that differ from its commit."""
    command = ["git", "diff", "--numstat", "HEAD"]
    said = subprocess.run(command, cwd=tree, check=True, capture_output=True, text=True).stdout
    return sum(int(n) for row in said.splitlines() for n in row.split()[:2] if n.isdigit())


def install(repository: Repository, at: Place) -> float:
    """CPU seconds that pip took for the tree; raises CalledProcessError where it does not build."""
    tree = at.tree(repository.name)
    clone(repository, tree)
    if repository.requires:
        run([*at.pip, "install", "-q", *repository.requires], tree)
    folders = [str(tree / repository.folder / each) for each in repository.installs]
    if not folders:
        return 0.0
    programs = f"{at.python.parent}{os.pathsep}{os.environ['PATH']}"  # such as cmake
    variables = {"MAX_JOBS": "1", "CFLAGS": "-g0", "PATH": programs, **repository.variables}
    log = at.logs / f"{tree.name}-build.log"
    command = [*at.pip, "install", "-v", "--no-build-isolation", *folders]
    return run(command, tree, log, **variables)


def tested(
    at: Place, root: Path, name: str, command: str, facts: ProjectFacts | None
) -> SuiteResult:
    cell = Cell(Tree.UNPATCHED, at.framework, Device.CPU, Evidence.NATIVE)
    log = at.logs / f"{name}-tests" / "tests.log"
    return run_suite(root, cell, at.python, command or None, facts, {}, log, timeout=3600)


def result_of(repository: Repository, at: Place) -> Result:
    """A repository under one framework."""
    tree = at.tree(repository.name)
    try:
        seconds = install(repository, at)
    except subprocess.CalledProcessError as error:
        return Result(problem=f"{error}: {(error.stderr or '').strip()[-400:]}")
    root = tree / repository.folder
    suite = tested(at, root, tree.name, repository.tests, survey(root, discover(root)))
    return Result(seconds=seconds, lines=changed_lines(tree), suite=suite)


def together(names: list[str], every: list[Repository], at: Place) -> Result:
    """The tests of several repositories, which are installed, in one process of pytest."""
    rows = [repository for repository in every if repository.name in names]
    folders = [f"{at.tree(r.name).name}/{r.folder}/{r.tests.split()[-1]}" for r in rows]
    return Result(suite=tested(at, at.trees, "together", f"pytest {' '.join(folders)}", None))


def row(name: str, before: Result, after: Result) -> Iterator[str]:
    """The line of the table, then each test that was lost, and why."""
    found = compare(before.suite, None, after.suite) if before.suite else None
    lost = found.lost if found else ()
    yield (
        f"| {name} | {before.passed} | {after.passed} | {before.lines + after.lines} "
        f"| {before.seconds:.0f} | {after.seconds:.0f} | {len(lost)} |"
    )
    for test in lost:
        yield f"  lost: {test}: {found.messages[test][:400] if found else ''}"
    for framework, result in ((BEFORE, before), (AFTER, after)):
        if result.problem or (result.suite and result.suite.status is not Status.OK):
            yield f"  {framework}: {result.problem or (result.suite and result.suite.reason)}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="parts of names; default: all")
    parser.add_argument("--folder", type=Path, default=ROOT / "build" / "unmodified")
    parser.add_argument("--under", choices=(BEFORE, AFTER), help="one framework alone")
    parser.add_argument("--again", action="store_true", help="also what has a result")
    options = parser.parse_args()
    prepare_machine()
    folder = options.folder.resolve()
    os.environ.setdefault("PORTER_COMPAT_CACHE", str(folder / "cache"))
    every, groups = listed()
    chosen = [r for r in every if not options.names or any(n in r.name for n in options.names)]
    known: dict[tuple[str, str], Result] = {}

    def add(name: str, framework: str, make: Callable[[], Result]) -> None:
        path = folder / framework / "results" / f"{name.replace('/', '+')}.json"
        result = None if options.again else files.load(path, Result)
        if result is None:
            result = make()
            files.save(path, result)
        known[name, framework] = result

    for framework in (options.under,) if options.under else (BEFORE, AFTER):
        at = place(framework, folder)
        for repository in chosen:
            add(repository.name, framework, partial(result_of, repository, at))
        for names in groups:
            if {*names} <= {r.name for r in chosen}:
                add(" and ".join(names), framework, partial(together, names, every, at))
    said = [HEAD]
    for name in dict.fromkeys(name for name, _ in known):
        said += row(name, *(known.get((name, at), Result()) for at in (BEFORE, AFTER)))
    sys.stdout.write("\n".join([*said, ""]))


if __name__ == "__main__":
    main()
