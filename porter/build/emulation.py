"""A cell with an emulated CUDA device: a stand-in toolkit, and the device in its interpreter."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from porter.build import cuda_headers
from porter.emulators.cuda.toolkit import toolkit
from porter.host.home import WORKERS, porter_home
from porter.targets.protocol import Environment

_WORKERS = WORKERS
ARCH = "8.0"  # the compute capability of the device


def install(environment: Environment, logs: Path) -> None:
    """Give an overlay's framework the device: every process of its interpreter has it from then on.

    Raises EnvironmentFailed where the stand-ins for CUDA's libraries cannot be made.
    """
    site = Path(environment.paths[0])
    for name in ("emulated_start", "emulated_device", f"emulated_{environment.framework}"):
        shutil.copy(_WORKERS / f"{name}.py", site)
    said = f"{str(_toolkit(environment, logs))!r}, {environment.framework!r}"
    line = f"import emulated_start; emulated_start.start({said})\n"
    (site / "porter_emulated.pth").write_text(line)


def variables(environment: Environment, path: str, logs: Path) -> dict[str, str]:
    """By which build systems find the toolkit; `path` is PATH without it."""
    folder = _toolkit(environment, logs)
    nvcc = str(folder / "bin" / "nvcc")
    return {
        "PATH": os.pathsep.join([str(folder / "bin"), path]),
        "CUDA_HOME": str(folder),
        "CUDA_PATH": str(folder),
        "CUDACXX": nvcc,
        "PYTORCH_NVCC": nvcc,
        "TORCH_CUDA_ARCH_LIST": ARCH,
        "PADDLE_CUDA_ARCH_LIST": ARCH,
    }


def _toolkit(environment: Environment, logs: Path) -> Path:
    real = cuda_headers.toolkit(logs)  # Thrust is from there
    cccl = real.home / "include" / "cccl" if real else None
    found = cccl if cccl and cccl.is_dir() else None
    return toolkit(porter_home(), environment.framework, Path(environment.root), found)
