"""torch_npu, PyTorch's extension for Ascend NPUs, from its unmodified wheel."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from porter.model import Device
from porter.targets.protocol import (
    BESIDE_TORCH_NPU,
    TOOLS,
    CompileArguments,
    Environment,
    EnvironmentSpec,
)
from porter.targets.torch import INDEX, Torch
from porter.targets.versions import release, shipped

# Without the vendor's libraries it cannot be imported: what it is, is read without that.
PROBE = """
import importlib.metadata, importlib.util
version = importlib.metadata.version("torch_npu")
build = "npu"
root = next(iter(importlib.util.find_spec("torch_npu").submodule_search_locations))
proxy = False
"""


@dataclass(frozen=True, slots=True)
class TorchNpu:
    """PyTorch's CPU build with torch_npu beside it."""

    name: str = "torch_npu"
    pack: str = "torch_npu"
    # The newest whose requirement on torch PyPI can meet: 2.8 to 2.11 want a local version.
    default_version: str = "2.13.0"
    distributions: tuple[str, ...] = ("torch-npu",)
    activation: Mapping[str, str] = field(default_factory=lambda: {"PORTER_FRAMEWORK": "torch"})
    prelude: str = ""
    ported: Mapping[str, str] = field(default_factory=dict)
    failure_marks: tuple[str, ...] = ()
    probe: str = PROBE
    dual: str = ""
    stages: tuple[str, ...] = ("analyze", "migrate", "build", "verify", "report")
    devices: tuple[Device, ...] = (Device.NPU,)
    beside: str = "torch"

    def shipped(self) -> tuple[str, ...]:
        return shipped(self.pack)

    def refuse(self, version: str) -> str | None:
        return None if release(version) else f"{version!r} is not a version"

    def environment(self, version: str, device: Device) -> EnvironmentSpec:
        """The same packages for a machine with an NPU and for one without."""
        return EnvironmentSpec(
            framework=self.name,
            version=version,
            device=device,
            requirements=(f"torch=={version}", f"torch-npu=={version}", *BESIDE_TORCH_NPU, *TOOLS),
            index=f"{INDEX}/cpu",
            override="PORTER_TORCH_INDEX",
        )

    def compile_arguments(
        self, environment: Environment, *, cuda_source: bool, device: Device
    ) -> CompileArguments:
        return Torch().compile_arguments(environment, cuda_source=cuda_source, device=Device.CPU)
