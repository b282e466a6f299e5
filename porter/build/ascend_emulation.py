"""A cell with an emulated NPU: torch_npu or Paddle, and stand-ins for the libraries of CANN."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from pathlib import Path

from porter.build import environment
from porter.build.environment import OnLine
from porter.emulators.npu import toolkit
from porter.errors import EnvironmentFailed
from porter.host.home import WORKERS, porter_home
from porter.model import Device
from porter.targets.protocol import Environment
from porter.targets.torch_npu import TorchNpu

# Of which framework -> the modules that its processes start with, that which knows it first.
_MODULES = {
    "torch_npu": ("emulated_torch_npu", "emulated_torchair", "emulated_ge", "ge_graphs"),
    "paddle": ("emulated_paddle_npu",),
}
_WORKERS = WORKERS


def base(on_line: OnLine = lambda line: None, home: Path | None = None) -> Environment:
    """The environment with torch's CPU build and torch_npu's own wheel: the cached one, or made."""
    framework = TorchNpu()
    spec = framework.environment(framework.default_version, Device.CPU)
    return environment.prepare(spec, framework, on_line, home)


def install(cell: Environment, home: Path | None = None, packages: Sequence[Path] = ()) -> Path:
    """Give an overlay of such an environment the NPU: its processes have it from then on, and the
    operators of custom packages.

    The folder that stands in for CANN's. Raises EnvironmentFailed where it cannot be made.
    """
    modules = _MODULES.get(cell.framework)
    if modules is None:
        raise EnvironmentFailed(
            f"an NPU is emulated for {' and '.join(_MODULES)}, not for {cell.framework}",
            hint="the environment has to have the package torch-npu, or paddlepaddle",
        )
    made = folder(cell, home)
    site = Path(cell.paths[0])
    for name in ("emulated_start", *modules):
        shutil.copy(_WORKERS / f"{name}.py", site)
    side = modules[0].removeprefix("emulated_")
    named = [str(package) for package in packages]
    line = f"import emulated_start; emulated_start.start({str(made)!r}, {side!r}, {named})\n"
    (site / "porter_emulated.pth").write_text(line)
    return made


def folder(cell: Environment, home: Path | None = None) -> Path:
    """What stands in for CANN's folder, for the torch_npu or Paddle of an environment."""
    return toolkit(home or porter_home(), Path(cell.root).parent)


def variables(folder: Path, path: str) -> dict[str, str]:
    """By which build systems find the toolkit; `path` is PATH without it."""
    return {
        "PATH": os.pathsep.join([str(folder / "bin"), path]),
        "LIBRARY_PATH": str(folder / "lib64"),
    }
