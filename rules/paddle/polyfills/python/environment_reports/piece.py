import importlib.metadata
import platform
import sys
from typing import NamedTuple

import paddle

from .torchs_meaning import _torch

_RELEVANT = ("torch", "paddle", "porter", "numpy", "triton", "onnx", "mypy", "flake8", "nvidia", "cuda")


class SystemEnv(NamedTuple):
    """What a report is about."""

    torch_version: str
    is_debug_build: str
    cuda_compiled_version: str
    os: str
    libc_version: str
    python_version: str
    python_platform: str
    is_cuda_available: str
    nvidia_gpu_models: str
    pip_packages: str


def get_env_info():
    cuda = paddle.device.cuda
    count = cuda.device_count() if paddle.is_compiled_with_cuda() else 0
    gpus = [f"GPU {n}: {cuda.get_device_name(n)}" for n in range(count)]
    packages = sorted(
        f"{each.name}=={each.version}"
        for each in importlib.metadata.distributions()
        if any(word in (each.name or "").lower() for word in _RELEVANT)
    )
    return SystemEnv(
        torch_version=f"{_torch('__version__')} (Paddle {paddle.__version__})",
        is_debug_build="False",
        cuda_compiled_version=str(paddle.version.cuda()) if paddle.is_compiled_with_cuda() else "None",
        os=f"{platform.system()} {platform.release()} ({platform.machine()})",
        libc_version="-".join(platform.libc_ver()),
        python_version=f"{sys.version} ({sys.maxsize.bit_length() + 1}-bit runtime)".replace("\n", " "),
        python_platform=platform.platform(),
        is_cuda_available=str(count > 0),
        nvidia_gpu_models="\n".join(gpus) or "Could not collect",
        pip_packages="\n".join(f"[pip3] {each}" for each in packages),
    )


def get_pretty_env_info():
    """The report as text."""
    info = get_env_info()
    return f"""\
PyTorch version: {info.torch_version}
Is debug build: {info.is_debug_build}
CUDA used to build PyTorch: {info.cuda_compiled_version}

OS: {info.os}
Libc version: {info.libc_version}

Python version: {info.python_version}
Python platform: {info.python_platform}
Is CUDA available: {info.is_cuda_available}
GPU models and configuration: {info.nvidia_gpu_models}

Versions of relevant libraries:
{info.pip_packages}"""


def main():
    print("Collecting environment information...")
    print(get_pretty_env_info())
