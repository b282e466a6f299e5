"""A cell with an emulated CUDA device: a stand-in toolkit, and the device in its interpreter."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from pathlib import Path

from porter import targets
from porter.build import cuda_headers
from porter.emulators.cuda.toolkit import toolkit
from porter.errors import EnvironmentFailed
from porter.host.home import WORKERS, porter_home
from porter.model import Device
from porter.targets.protocol import Environment, StandIn

ARCH = "8.0"  # the compute capability of the device


def install(environment: Environment, logs: Path) -> None:
    """Give an overlay's framework the device: every process of its interpreter has it from then on.

    Raises EnvironmentFailed where the stand-ins for CUDA's libraries cannot be made.
    """
    start_with(environment, half_of(environment, Device.CUDA), _toolkit(environment, logs))


def half_of(environment: Environment, device: Device) -> StandIn:
    """The half of an emulated device that an environment's framework has; raises
    EnvironmentFailed where the device is not emulated for it."""
    found = targets.framework(environment.framework).stand_in(device)
    if found is None:
        others = [f for f in targets.frameworks() if f.stand_in(device) is not None]
        raise EnvironmentFailed(
            f"the device {device} is emulated for {' and '.join(f.name for f in others)}, "
            f"not for {environment.framework}",
            hint=f"the environment has to have one of: {', '.join(f.package for f in others)}",
        )
    return found


def start_with(
    environment: Environment, half: StandIn, toolkit: Path, packages: Sequence[Path] = ()
) -> None:
    """Have the processes of an overlay start with a device, and with operator packages for it."""
    site = Path(environment.paths[0])
    for path in (*(WORKERS / f"emulated_{name}.py" for name in ("start", "device")), *half.modules):
        shutil.copy(path, site)
    said = f"{str(toolkit)!r}, {half.modules[0].stem!r}, {[str(path) for path in packages]}"
    line = f"import emulated_start; emulated_start.start({said})\n"
    (site / "porter_emulated.pth").write_text(line)


def variables(environment: Environment, path: str, logs: Path) -> dict[str, str]:
    """By which build systems find the toolkit; `path` is PATH without it."""
    folder = _toolkit(environment, logs)
    nvcc = str(folder / "bin" / "nvcc")
    architectures = {t.architectures for t in targets.TARGETS.values() if t.architectures}
    return {
        "PATH": os.pathsep.join([str(folder / "bin"), path]),
        "CUDA_HOME": str(folder),
        "CUDA_PATH": str(folder),
        "CUDACXX": nvcc,
        "PYTORCH_NVCC": nvcc,
        **dict.fromkeys(("TORCH_CUDA_ARCH_LIST", *sorted(architectures)), ARCH),
    }


def _toolkit(environment: Environment, logs: Path) -> Path:
    real = cuda_headers.toolkit(logs)  # Thrust is from there
    cccl = real.home / "include" / "cccl" if real else None
    found = cccl if cccl and cccl.is_dir() else None
    half = half_of(environment, Device.CUDA)
    return toolkit(porter_home(), environment.framework, half, Path(environment.root), found)
