"""Install requirements into an environment: from wheels, else from sdists that porter downloads and
builds in the sandbox, without network."""

from __future__ import annotations

import contextlib
import hashlib
import shutil
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name

from porter import targets
from porter.build import pip, requirements, trials
from porter.errors import EnvironmentFailed, NetworkError, PorterError, SourceError
from porter.host import process, scratch
from porter.host.home import porter_home
from porter.host.output import OnLine
from porter.model import StepResult
from porter.sources import sdist
from porter.targets.protocol import Environment

FOLDER = "wheels"  # of porter's home
_DEEPEST = 4  # sdists that need sdists
_PLANNING = 300.0  # seconds; what pip looks for longer, among all versions, seldom fits
_PLANS: dict[tuple[str, ...], tuple[tuple[pip.Planned, ...], StepResult]] = {}


@dataclass(frozen=True, slots=True)
class Installed:
    """What became of a project's requirements; a refused one does not end the build."""

    asked: tuple[str, ...] = ()
    refused: tuple[tuple[str, str], ...] = ()  # requirement, why
    steps: tuple[StepResult, ...] = ()


def install(
    environment: Environment,
    wanted: Iterable[str],
    folder: Path,
    name: str,
    on_line: OnLine = lambda line: None,
    pieces: Path | None = None,
) -> Installed:
    """Install what is not there yet, but no other framework: Python that requires one is installed
    without it, and, with the wheel of `pieces`, so is what can be imported though it has a compiled
    part for that; anything else that does is refused.

    Raises NetworkError when the index cannot be reached.
    """
    asked = tuple(dict.fromkeys(wanted))
    if requirements.is_satisfied(asked, environment):  # pip takes seconds to say so
        return Installed(asked)
    planned, result = plan(environment, asked, folder, f"{name}-resolve")
    if result.ok and not _foreign(planned):
        return Installed(asked, (), fetch(environment, planned, asked, folder, name, on_line))
    target = targets.TARGETS.get(environment.framework)
    has_proxy = target is not None and target.proxy is not None
    steps: list[StepResult] = []
    refused: list[tuple[str, str]] = []
    for number, requirement in enumerate(asked):  # one by one: the good ones are not lost
        label = f"{name}-{number}"
        planned, result = plan(environment, (requirement,), folder, f"{label}-resolve")
        foreign = _foreign(planned)
        alone: tuple[pip.Planned, ...] = ()
        if foreign and has_proxy:
            alone = _without_frameworks(planned, requirement)
        elif foreign:  # an older version may do with the framework that is there
            words = (
                requirement,
                f"{environment.framework}=={environment.version.partition('+')[0]}",
            )
            fitting, fits = plan(environment, words, folder, f"{label}-fitting")
            alone = fitting if fits.ok and not _foreign(fitting) else ()
        compiled = [p for p in alone if _requires_framework(p) and not _is_python(p)]
        if alone and not compiled:
            steps += fetch(environment, alone, _exactly(alone), folder, label, on_line)
        elif len(compiled) == 1 and (pieces or not has_proxy):
            steps += fetch(environment, alone, _exactly(alone), folder, label, on_line)
            if why := trials.remove_unimportable(environment, compiled[0], folder, label, pieces):
                refused.append((requirement, why))
        elif foreign:
            more = f" and {len(foreign) - 3} more" if len(foreign) > 3 else ""
            refused.append((requirement, f"it would install {', '.join(foreign[:3])}{more}"))
        elif result.ok:
            steps += fetch(environment, planned, (requirement,), folder, label, on_line)
        elif result.timed_out:
            refused.append((requirement, f"pip chose no versions in {_PLANNING:g} s"))
        else:
            done = _install_built(environment, requirement, folder, label, on_line, result)
            refused += done.refused
            steps += done.steps
    return Installed(asked, tuple(refused), tuple(steps))


def find_framework_requirers(
    environment: Environment, wanted: Sequence[str], folder: Path
) -> dict[str, tuple[str, ...]]:
    """Those of the requirements with which pip would install a framework that is not there, and
    which. Raises NetworkError when the index cannot be reached."""
    if requirements.is_satisfied(wanted, environment):
        return {}
    planned, result = plan(environment, wanted, folder, "resolve")
    if result.ok and not _foreign(planned):
        return {}
    found = {}
    for number, requirement in enumerate(wanted):
        planned, result = plan(environment, (requirement,), folder, f"resolve-{number}")
        if not result.ok and isinstance(error := pip.failure(result, requirement), NetworkError):
            raise error
        if foreign := _foreign(planned):
            found[requirement] = foreign
    return found


def plan(
    environment: Environment, asked: Sequence[str], folder: Path, name: str
) -> tuple[tuple[pip.Planned, ...], StepResult]:
    """What would be installed, as an interpreter says that runs nothing of a repository.

    The cells of an environment ask the same: pip answers each question once in a process.
    """
    python = environment.downloader or environment.python
    key = (str(python), *asked)
    if key not in _PLANS:
        planned, result = pip.plan(python, asked, folder, name=name, timeout=_PLANNING)
        if not result.ok and isinstance(pip.failure(result, name), NetworkError):
            return planned, result  # the index may be there the next time
        _PLANS[key] = planned, result
    return _PLANS[key]


def fetch(
    environment: Environment,
    planned: Sequence[pip.Planned],
    asked: tuple[str, ...],
    folder: Path,
    name: str,
    on_line: OnLine,
    links: tuple[str, ...] = (),
) -> tuple[StepResult, ...]:
    """Download wheels, unless an earlier cell or run did, with an interpreter that runs nothing of
    a repository; install them with the environment's own, which may, and therefore is sandboxed.
    `links` are options for wheels that were built here."""
    if not planned:
        return ()
    # By its hash alone where one is known: what is built here lies in another folder each time.
    identity = "\n".join(i.digest if "sha256" in i.digest else i.url for i in planned)
    wheels = porter_home() / FOLDER / hashlib.sha256(identity.encode()).hexdigest()[:32]
    words = ("--find-links", str(wheels), *asked)
    if wheels.is_dir():
        return (put(environment, words, folder, name, on_line),)
    with scratch.folder() as aside:
        new = aside / FOLDER
        asking = ("download", *pip.WHEELS, "-d", str(new), *links, *_exactly(planned))
        step = pip.step(
            environment.downloader or environment.python, f"{name}-download", asking, cwd=folder
        )
        result = process.run(step, folder / f"{name}-download.log", on_line)
        if not result.ok:
            return (result,)
        wheels.parent.mkdir(parents=True, exist_ok=True)
        with contextlib.suppress(OSError):  # another process was first
            new.rename(wheels)
    return (result, put(environment, words, folder, name, on_line))


def put(
    environment: Environment, words: tuple[str, ...], folder: Path, name: str, on_line: OnLine
) -> StepResult:
    """Install files that are here, in the sandbox."""
    step = pip.step(
        environment.python,
        name,
        ("install", "--no-index", "--ignore-requires-python", *words),  # the resolver has looked
        cwd=folder,
        writable=(environment.python.parent.parent,),
    )
    return process.run(step, folder / f"{name}.log", on_line)


def _install_built(
    environment: Environment,
    requirement: str,
    folder: Path,
    label: str,
    on_line: OnLine,
    failed: StepResult,
) -> Installed:
    """Install a requirement that pip does not find as wheels: what it needs and has none, or it
    itself, is built from its sdist. Raises NetworkError."""
    steps: list[StepResult] = []
    links: tuple[str, ...] = ()
    for number in range(_DEEPEST):
        if isinstance(error := pip.failure(failed, requirement), NetworkError):
            raise error
        needed = pip.find_without_wheel(failed)
        if not needed or _name(needed) == _name(requirement):
            break
        built = folder / f"{label}-{number}"
        done = _build_requirement(environment, needed, built.parent, built.name, on_line, "")
        steps += done.steps
        if done.refused:
            break
        links += ("--find-links", str(built / "sdist" / "wheel"))
        words = (*links, requirement)
        planned, failed = plan(environment, words, folder, f"{label}-{number}-resolve")
        if failed.ok and not _foreign(planned):
            steps += fetch(environment, planned, (requirement,), folder, label, on_line, links)
            return Installed((requirement,), (), tuple(steps))
    done = _build_requirement(environment, requirement, folder, label, on_line, str(error))
    return replace(done, steps=(*steps, *done.steps))


def _name(requirement: str) -> str:
    match = requirements.NAME.match(requirement)
    return canonicalize_name(match[1]) if match else ""


def _build_requirement(
    environment: Environment,
    requirement: str,
    folder: Path,
    label: str,
    on_line: OnLine,
    otherwise: str,
) -> Installed:
    """One that has no wheel, from its sdist; `otherwise` is what to say where it has none, too."""
    try:
        return _install_from_sdist(environment, requirement, folder / label, on_line)
    except SourceError:
        return Installed((requirement,), ((requirement, otherwise),))
    except PorterError as error:
        if isinstance(error, NetworkError):
            raise
        return Installed((requirement,), ((requirement, str(error)),))


def _foreign(planned: Iterable[pip.Planned]) -> tuple[str, ...]:
    return tuple(p.name for p in planned if requirements.is_framework(p.name))


def _without_frameworks(
    planned: Sequence[pip.Planned], requirement: str
) -> tuple[pip.Planned, ...]:
    """What a requirement that needs a framework consists of beside that."""
    by_name = {p.name: p for p in planned}
    waiting, found = [requirement], dict[str, pip.Planned]()
    while waiting:
        name = _name(waiting.pop())
        if name in by_name and name not in found and not requirements.is_framework(name):
            found[name] = by_name[name]
            waiting += by_name[name].requires
    return tuple(found.values())


def _requires_framework(planned: pip.Planned) -> bool:
    return any(map(_names_framework, planned.requires))


def _is_python(planned: pip.Planned) -> bool:
    return planned.url.endswith("-none-any.whl")


def _names_framework(requirement: str) -> bool:
    try:
        asked = Requirement(requirement)
    except InvalidRequirement:
        return False  # pip would refuse it, too
    here = asked.marker is None or asked.marker.evaluate({"extra": ""})
    return here and requirements.is_framework(canonicalize_name(asked.name))


def _exactly(planned: Iterable[pip.Planned]) -> tuple[str, ...]:
    return ("--no-deps", *(f"{item.name}=={item.version}" for item in planned))


def _install_from_sdist(
    environment: Environment, requirement: str, folder: Path, on_line: OnLine
) -> Installed:
    """Build and install a requirement with all that it needs.

    Raises SourceError where there is no fitting sdist, NetworkError, and EnvironmentFailed where it
    does not build.
    """
    folder /= "sdist"
    if folder.parts.count("sdist") > _DEEPEST:
        raise EnvironmentFailed(f"{requirement}: sdists that need sdists, too deep", hint="")
    archive = _download_sdist(requirement, folder, on_line)
    tree, wheels = folder / "tree", folder / "wheel"
    for old in (tree, wheels):
        shutil.rmtree(old, ignore_errors=True)
    wheels.mkdir(parents=True)
    sdist.unpack(archive, tree)
    asked = requirements.build_requirements(tree, environment)
    tools = install(environment, asked, folder, "build", on_line)
    words = ("wheel", "--no-deps", "--no-index", "--no-build-isolation", "-w", str(wheels), ".")
    same = {"SOURCE_DATE_EPOCH": "315532800"}  # the first that archives can tell
    step = pip.step(
        environment.python, "wheel", words, cwd=tree, environment=same, writable=(tree, wheels)
    )
    result = process.run(step, folder / "wheel.log", on_line)
    found = sorted(wheels.glob("*.whl"))
    if not result.ok or not found:
        raise pip.failure(result, f"the sdist of {requirement} does not build")
    placed = put(environment, ("--no-deps", str(found[0])), folder, "put", on_line)
    needs = requirements.read_requirements(found[0])
    more = install(environment, needs, folder, "needs", on_line)
    return Installed(
        (requirement,),
        (*tools.refused, *more.refused),
        (*tools.steps, result, placed, *more.steps),
    )


def _download_sdist(requirement: str, folder: Path, on_line: OnLine) -> Path:
    """The newest sdist that fits a requirement."""
    try:
        asked = Requirement(requirement)
    except InvalidRequirement as error:
        raise SourceError(f"{requirement}: {error}", hint="see PEP 508") from error
    if asked.url:
        raise EnvironmentFailed(
            f"{requirement}: an address, not a release of an index, is not installed",
            hint="build it for an interpreter of your own (--source-python, --target-python)",
        )
    exact = [s.version for s in asked.specifier if s.operator == "==" and "*" not in s.version]
    version = exact[0] if exact else asked.specifier
    return sdist.download(canonicalize_name(asked.name), version, folder, on_line).path
