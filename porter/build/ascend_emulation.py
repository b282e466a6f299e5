"""A cell with an emulated NPU: a framework for NPUs, and stand-ins for the libraries of CANN."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from porter import targets
from porter.build import environment
from porter.build.emulation import half_of, start_with
from porter.build.environment import OnLine
from porter.emulators.npu import toolkit
from porter.host.home import porter_home
from porter.model import Device
from porter.targets.protocol import Environment


def base(on_line: OnLine = lambda line: None, home: Path | None = None) -> Environment:
    """The environment of the framework that code for NPUs comes from: the cached one, or made."""
    framework = targets.source(Device.NPU)
    spec = framework.environment(framework.default_version, Device.CPU)
    return environment.prepare(spec, framework, on_line, home)


def install(cell: Environment, home: Path | None = None, packages: Sequence[Path] = ()) -> Path:
    """Give an overlay of such an environment the NPU: its processes have it from then on, and the
    operators of custom packages.

    The folder that stands in for CANN's. Raises EnvironmentFailed where it cannot be made.
    """
    made = folder(cell, home)
    start_with(cell, half_of(cell, Device.NPU), made, packages)
    return made


def folder(cell: Environment, home: Path | None = None) -> Path:
    """What stands in for CANN's folder, for the framework of an environment."""
    return toolkit(home or porter_home(), half_of(cell, Device.NPU), Path(cell.root))


def variables(folder: Path, path: str) -> dict[str, str]:
    """By which build systems find the toolkit; `path` is PATH without it."""
    return {
        "PATH": os.pathsep.join([str(folder / "bin"), path]),
        "LIBRARY_PATH": str(folder / "lib64"),
    }
