"""PyTorch, the framework that repositories come from."""

from __future__ import annotations

from collections.abc import Mapping

from porter.model import Device
from porter.targets.protocol import (
    TOOLS,
    CompileArguments,
    Environment,
    EnvironmentSpec,
    Framework,
    StandIn,
)

INDEX = "https://download.pytorch.org/whl"

PROBE = """
import torch
version = torch.__version__
build = "rocm" if torch.version.hip else "cuda" if torch.version.cuda else "cpu"
root = torch.__path__[0]
proxy = False
if not torch.__spec__.origin:
    raise ImportError("this torch is a proxy of another framework")
"""

# Generated when torch is built with CUDA, and so absent from its CPU wheels.
STAND_INS = {
    "c10/cuda/impl/cuda_cmake_macros.h": "#pragma once\n#define C10_CUDA_BUILD_SHARED_LIBS\n"
}


class Torch(Framework):
    """The source side of a port."""

    name: str = "torch"
    default_version: str = "2.13.0"
    distributions: tuple[str, ...] = ("torch",)
    # Porter's own variable is emptied, so that a user's setting does not turn this side over.
    activation: Mapping[str, str] = {"PORTER_FRAMEWORK": "torch"}
    namespaces: tuple[str, ...] = ("torch", "ATen", "at", "c10", "caffe2")
    tensor_namespaces: tuple[str, ...] = ("at", "torch")
    probe: str = PROBE

    def environment(self, version: str, device: Device) -> EnvironmentSpec:
        return EnvironmentSpec(
            framework=self.name,
            version=version,
            device=device,
            requirements=(f"torch=={version}", *TOOLS),
            index=f"{INDEX}/cpu" if device is Device.CPU else f"{INDEX}/cu130",
            override="PORTER_TORCH_INDEX",
        )

    def compile_arguments(
        self, environment: Environment, *, cuda_source: bool, device: Device
    ) -> CompileArguments:
        include = f"{environment.root}/include"
        half = ("HALF_OPERATORS", "HALF_CONVERSIONS", "BFLOAT16_CONVERSIONS", "HALF2_OPERATORS")
        guards = tuple(f"-D__CUDA_NO_{name}__" for name in half) if cuda_source else ()
        return CompileArguments(
            includes=(include, f"{include}/torch/csrc/api/include", environment.include),
            defines=("-DTORCH_API_INCLUDE_EXTENSION_H", *guards),
            flags=("-std=c++20", *(("--expt-relaxed-constexpr",) if cuda_source else ())),
            stand_ins=STAND_INS if device is Device.CUDA else {},
        )

    def stand_in(self, device: Device) -> StandIn | None:
        from porter.targets.torch import emulated

        return emulated.STAND_IN if device is Device.CUDA else None


SOURCE = Torch()
