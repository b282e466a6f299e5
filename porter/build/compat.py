"""The package of pieces that a ported tree imports, installed in an environment from its wheel."""

from __future__ import annotations

import dataclasses
import json
import os
import zipfile
from collections.abc import Mapping
from pathlib import Path

from porter.errors import EnvironmentFailed
from porter.host import process, scratch
from porter.host.endings import describe_ending
from porter.host.home import porter_home
from porter.model import COMPAT, Step
from porter.targets.protocol import Environment

_CACHE = f"{COMPAT.upper()}_CACHE"


def install(environment: Environment, wheel: Path, logs: Path) -> None:
    """Put the package into an environment of porter's own, and `prepare` it."""
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(environment.paths[0])
    cache = porter_home().resolve() / COMPAT
    cache.mkdir(parents=True, exist_ok=True)
    process.show([cache])
    _set(environment, "cache", {_CACHE: str(cache)})
    prepare(environment, logs)


def prepare(environment: Environment, logs: Path) -> None:
    """Make what the package keeps per framework, and per device that is emulated there.

    That is made before any code of a repository runs there, in a folder that steps may only read.
    Raises EnvironmentFailed where the package says that the framework does not fit.
    """
    _run(environment, "prepare", logs)


def make_libraries(environment: Environment, wheel: Path, logs: Path) -> None:
    """Compile what official wheels on torch's stable ABI are linked with, for all later processes.

    By an interpreter and in a folder that have nothing of a repository, for this is not sandboxed,
    and all runs use what is made. Raises EnvironmentFailed as `install` does, and where nothing
    compiles it.
    """
    if environment.downloader is None:
        raise EnvironmentFailed(f"{environment.python}: nothing to compile with", hint="")
    with scratch.folder() as aside, zipfile.ZipFile(wheel) as archive:
        archive.extractall(aside)
        # Python looks for modules in the first of the paths: the folder that it starts in.
        alone = dataclasses.replace(environment, python=environment.downloader, paths=(str(aside),))
        cache = {_CACHE: str(porter_home().resolve() / COMPAT)}
        _run(alone, "prepare", logs, "libraries", variables=cache)


def is_installed(environment: Environment) -> bool:
    return Path(environment.paths[0], COMPAT).is_dir()


def variables(environment: Environment, tree: Path, logs: Path) -> dict[str, str]:
    """The environment variables of processes in which the package acts on all code that uses torch,
    and on that of a tree. Raises EnvironmentFailed as `install` does."""
    said = _run(environment, "variables", logs, str(tree))
    found: dict[str, str] = json.loads(said.rpartition("\n")[2])
    return found


def act_everywhere(environment: Environment, tree: Path, logs: Path) -> None:
    """Have the package act on all code of an environment that uses torch, and on that of a tree,
    which need not import it. Raises EnvironmentFailed as `install` does."""
    _set(environment, "everywhere", variables(environment, tree, logs))


def _set(environment: Environment, name: str, variables: Mapping[str, str]) -> None:
    """Give these to each interpreter of an environment when it starts."""
    others = {key: value for key, value in variables.items() if key != "PYTHONPATH"}
    lines = [*filter(None, variables.get("PYTHONPATH", "").split(os.pathsep))]
    lines.append(f"import os; os.environ.update({others!r})")
    path = Path(environment.paths[0], f"{COMPAT}_{name}.pth")
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def _run(
    environment: Environment,
    command: str,
    logs: Path,
    *arguments: str,
    variables: Mapping[str, str] | None = None,
) -> str:
    """The end of what a command of the package prints."""
    argv = (str(environment.python), "-W", "ignore", "-m", COMPAT, command, *arguments)
    step = Step(
        name=f"{COMPAT} {command}",
        argv=argv,
        cwd=environment.paths[0],
        environment={"PORTER_FRAMEWORK": environment.framework, **(variables or {})},
        timeout=600,
        foreign=command != "prepare",  # later the environment may have code of a repository
    )
    result = process.run(step, logs / f"{COMPAT}-{command}.log")
    said = result.tail.strip()
    if not result.ok:
        raise EnvironmentFailed(
            f"{COMPAT} does not fit {environment.framework} {environment.version}: "
            + (said.rpartition("\n")[2] or describe_ending(result)),
            hint="--vendor writes what the target lacks into the tree instead",
        )
    return said
