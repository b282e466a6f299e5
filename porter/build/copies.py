"""What is installed of a tree: as its build left it, or from its sdist, to be tried without it."""

from __future__ import annotations

import json
import posixpath
import re
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import PathDistribution
from pathlib import Path

from packaging.utils import canonicalize_name as _normal
from packaging.utils import parse_wheel_filename

from porter.build import environment, installed, packages, pip, wheels
from porter.build.cell import Options, copy_tree, preparation, projects, variables, work_tree
from porter.errors import EnvironmentFailed, SourceError
from porter.host.home import WORKERS
from porter.host.output import OnLine
from porter.model import Cell, ProjectFacts, Step
from porter.sources import sdist
from porter.targets.protocol import Environment, Framework

_BUILDER = WORKERS / "build_sdist.py"
_TESTS = re.compile(r"tests?|testing|test_\w*|\w*_tests?|conftest")


@dataclass(frozen=True, slots=True)
class Copy:
    """An environment, and the metadata folders of what is installed there of a tree."""

    where: Environment
    infos: tuple[str, ...]

    @property
    def site(self) -> Path:
        return Path(self.where.paths[0])

    def files(self) -> tuple[str, ...]:
        """Every file that was installed, from site-packages."""
        return tuple(name for info in self.infos for name in installed.files(self.site, info))

    def content(self) -> Mapping[str, str]:
        """The same with their digests; of compiled ones without, as no two builds give the same
        bytes."""
        listed = (p for i in self.infos for p in PathDistribution(self.site / i).files or ())
        return {
            str(path): "" if path.suffix == ".so" or path.hash is None else path.hash.value
            for path in listed
            if not path.parts[0].endswith(".dist-info") and path.suffix != ".pyc"
        }


def copy_of_build(where: Environment, tree: Path) -> Copy:
    """What a build installed from the folder `tree`, as pip has recorded."""
    found = []
    for path in sorted(Path(where.paths[0]).glob("*.dist-info/direct_url.json")):
        url = str(json.loads(path.read_text()).get("url"))
        if f"{url}/".startswith(f"{tree.as_uri()}/"):
            found.append(path.parent.name)
    return Copy(where, tuple(found))


def copy_of_sdist(
    root: Path,
    cell: Cell,
    where: Environment,
    framework: Framework,
    folder: Path,
    options: Options,
    on_line: OnLine = lambda line: None,
) -> Copy:
    """What the sdists of a tree give, in a copy of the environment of a cell that was built before:
    its objects are reused. Raises EnvironmentFailed where one is not made, or not installed."""
    shutil.rmtree(folder, ignore_errors=True)
    tree = copy_tree(root, work_tree(folder))
    first = preparation(tree, cell, where, framework, options)
    if first is not None:
        wheels.carry_out(first, folder, "the sdist cannot be built", on_line)
    made = []
    for number, project in enumerate(projects(tree, options)):
        place = folder / f"project-{number}"
        inside = replace(options, subdir=project)
        archive = _archive(tree, cell, where, framework, place, inside, on_line)
        sources = place / "sources"
        try:
            sdist.unpack(archive, sources)
        except SourceError as error:
            raise EnvironmentFailed(f"the sdist cannot be unpacked: {error}", hint="") from error
        scripts = (s.removeprefix(f"{project}/") for s in options.build_scripts)
        inside = replace(options, subdir="", prepare=(), build_scripts=tuple(scripts))
        to = place / "wheel"
        made.append(wheels.build(sources, cell, where, framework, to, inside, on_line))
    copy = environment.copy_overlay(where, folder / "venv")
    words = ("--no-deps", "--force-reinstall", *map(str, made))
    result = packages.put(copy, words, folder / "logs", "install", on_line)
    if not result.ok:
        raise pip.failure(result, "the wheel built from the sdist cannot be installed")
    return Copy(copy, tuple(_info(copy, made)))


def _archive(
    tree: Path,
    cell: Cell,
    where: Environment,
    framework: Framework,
    folder: Path,
    options: Options,
    on_line: OnLine,
) -> Path:
    """The sdist that the project's own backend makes."""
    made = folder / "sdist"
    step = Step(
        name="sdist",
        argv=(str(where.python), str(_BUILDER), str(made)),
        cwd=str(tree / options.subdir),
        environment=variables(tree, cell, where, framework, options),
        timeout=options.timeout,
        writable=(str(tree), str(folder)),
    )
    made.mkdir(parents=True)
    wheels.carry_out(step, folder, "the sdist cannot be built", on_line)
    archives = sorted(made.glob("*"))
    if len(archives) != 1:
        raise EnvironmentFailed(f"{len(archives)} sdists were made in {made}", hint="see the log")
    return archives[0]


def _info(where: Environment, made: Sequence[Path]) -> Iterator[str]:
    names = {parse_wheel_filename(wheel.name)[0] for wheel in made}
    for info in sorted(installed.distributions(Path(where.paths[0]))):
        if _normal(info.partition("-")[0]) in names:
            yield info


def copy_apart(
    root: Path, folder: Path, subdir: str, facts: ProjectFacts, own: Iterable[str]
) -> Path:
    """A copy of a tree in `folder` without the Python that is installed of it, but for tests: what
    these import is what was installed. `own` are the files of that."""
    tree = copy_tree(root, folder)
    project = tree / subdir
    places = [f"{package.path}/" for package in facts.packages if package.path]
    single = {*_single_modules(own)}
    for path in sorted(project.rglob("*.py")):
        name = path.relative_to(project).as_posix()
        place = next((place for place in places if name.startswith(place)), "")
        if place and _is_test(name.removeprefix(place), name, facts):
            continue
        if place and path.name == "__init__.py":
            path.write_text("")  # of a package with tests in it, which are found by it
        elif place or name in single:
            path.unlink()
    return tree


def _is_test(inside: str, name: str, facts: ProjectFacts) -> bool:
    parts = inside.removesuffix(".py").split("/")
    return name in facts.tests or any(_TESTS.fullmatch(part) for part in parts)


def _single_modules(own: Iterable[str]) -> Iterator[str]:
    """Where a tree may have the modules that are installed without a package."""
    for name in own:
        if "/" not in name and name.endswith(".py"):
            yield from (posixpath.join(folder, name) for folder in installed.SOURCE_ROOTS)
