"""A requirement that the index has no wheel of: its sdist, downloaded by porter, built without
network in the sandbox."""

from __future__ import annotations

import shutil
from pathlib import Path

from packaging.requirements import InvalidRequirement, Requirement

from porter.build import pip, requirements
from porter.build.requirements import Installed, OnLine
from porter.errors import EnvironmentFailed, SourceError
from porter.host import process
from porter.sources import sdist
from porter.targets.protocol import Environment

_DEEPEST = 4  # sdists that need sdists


def build(
    environment: Environment, requirement: str, folder: Path, on_line: OnLine = lambda line: None
) -> Installed:
    """Build and install a requirement with all that it needs.

    Raises SourceError where there is no fitting sdist, NetworkError, and EnvironmentFailed where it
    does not build.
    """
    folder /= "sdist"
    if folder.parts.count("sdist") > _DEEPEST:
        raise EnvironmentFailed(f"{requirement}: sdists that need sdists, too deep", hint="")
    archive = _downloaded(requirement, folder, on_line)
    tree, wheels = folder / "tree", folder / "wheel"
    for old in (tree, wheels):
        shutil.rmtree(old, ignore_errors=True)
    wheels.mkdir(parents=True)
    sdist.unpack(archive, tree)
    asked = requirements.build_requirements(tree, environment)
    tools = requirements.install(environment, asked, folder, "build", on_line)
    words = ("wheel", "--no-deps", "--no-index", "--no-build-isolation", "-w", str(wheels), ".")
    step = pip.step(environment.python, "wheel", words, cwd=tree, writable=(tree, wheels))
    result = process.run(step, folder / "wheel.log", on_line)
    found = sorted(wheels.glob("*.whl"))
    if not result.ok or not found:
        raise pip.failure(result, f"the sdist of {requirement} does not build")
    placed = requirements.put(environment, ("--no-deps", str(found[0])), folder, "put", on_line)
    needs = requirements.required_by(found[0])
    more = requirements.install(environment, needs, folder, "needs", on_line)
    return Installed(
        (requirement,),
        (*tools.refused, *more.refused),
        (*tools.steps, result, placed, *more.steps),
    )


def _downloaded(requirement: str, folder: Path, on_line: OnLine) -> Path:
    """The sdist that an exact requirement names, or the newest where that fits."""
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
    version = exact[0] if exact else None
    got = sdist.download(pip.normalised(asked.name), version, folder, on_line)
    if not asked.specifier.contains(got.version, prereleases=True):
        raise SourceError(f"the newest sdist of {asked.name} is {got.version}", hint="pin it")
    return got.path
