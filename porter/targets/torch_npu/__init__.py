"""torch_npu, PyTorch's extension for Ascend NPUs, from its unmodified wheel."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from porter.ascend.names import Names
from porter.model import Device
from porter.targets.conversion import Conversion, Route
from porter.targets.explanation import Explanation
from porter.targets.protocol import (
    TOOLS,
    CompileArguments,
    Environment,
    EnvironmentSpec,
    StandIn,
    Target,
)
from porter.targets.torch import INDEX, Torch
from porter.targets.torch_npu.names import NAMES
from porter.targets.torch_npu.routes.model import ROUTES
from porter.targets.versions import release

if TYPE_CHECKING:
    from porter.model import Ascend, Surface
    from porter.targets.examined import Entry, Examined

# What torch_npu imports and does not require, itself or in torch_npu.testing and torchair.
BESIDE = (
    "attrs==26.1.0",
    "decorator==5.3.1",
    "expecttest==0.3.0",
    "hypothesis==6.170.17",
    "protobuf==7.36.2",
    "psutil==7.2.2",
    "pyyaml==6.0.4",
    "scipy==1.17.1",
)

# Without the vendor's libraries it cannot be imported: what it is, is read without that.
PROBE = """
import importlib.metadata, importlib.util
version = importlib.metadata.version("torch_npu")
build = "npu"
root = next(iter(importlib.util.find_spec("torch_npu").submodule_search_locations))
proxy = False
"""


class TorchNpu(Target):
    """PyTorch's CPU build with torch_npu beside it."""

    name: str = "torch_npu"
    # The newest whose requirement on torch PyPI can meet: 2.8 to 2.11 want a local version.
    default_version: str = "2.13.0"
    distributions: tuple[str, ...] = ("torch-npu",)
    aliases: tuple[str, ...] = ("torchnpu",)
    shared_packs: tuple[str, ...] = ("ascend",)
    activation: Mapping[str, str] = {"PORTER_FRAMEWORK": "torch"}
    explanations: tuple[Explanation, ...] = (
        Explanation(
            pattern=r"Failed to load the backend extension: torch_npu",
            text="torch_npu cannot be loaded without CANN's libraries: `source set_env.sh` of "
            "CANN, or TORCH_DEVICE_BACKEND_AUTOLOAD=0 for torch alone; --device emulated needs "
            "neither",
        ),
        Explanation(
            pattern=r"undefined symbol: "
            r"(?P<name>\S*(?:c10_npu|at_npu|torch_npu|g_hash_buf|calc_hash_id).*)$",
            text="missing symbol {name}: a header of torch_npu declares it and its library does "
            "not export it; `porter analyze` names the exported alternative",
            name="{name}",
        ),
    )
    probe: str = PROBE
    devices: tuple[Device, ...] = (Device.NPU,)
    beside: str = "torch"
    routes: Mapping[str, Route] = ROUTES
    npu_names: Names = NAMES
    entry_generator: str = "torchnpugen"
    redirects: tuple[str, ...] = ("torch_npu.contrib.transfer_to_npu",)

    def refuse(self, version: str) -> str | None:
        return None if release(version) else f"{version!r} is not a version"

    def environment(self, version: str, device: Device) -> EnvironmentSpec:
        """The same packages for a machine with an NPU and for one without."""
        return EnvironmentSpec(
            framework=self.name,
            version=version,
            device=device,
            requirements=(f"torch=={version}", f"torch-npu=={version}", *BESIDE, *TOOLS),
            index=f"{INDEX}/cpu",
            override="PORTER_TORCH_INDEX",
        )

    def compile_arguments(
        self, environment: Environment, *, cuda_source: bool, device: Device
    ) -> CompileArguments:
        return Torch().compile_arguments(environment, cuda_source=cuda_source, device=Device.CPU)

    def stand_in(self, device: Device) -> StandIn | None:
        from porter.targets.torch_npu import emulated

        return emulated.STAND_IN if device is Device.NPU else None

    def examine_entries(self, python: Path, entries: Path, work: Path) -> tuple[Entry, ...]:
        from porter.targets.torch_npu.entries import examine

        return examine(python, entries, work)

    def examine_graphs(
        self, python: Path, modules: Sequence[str], cases: Sequence[Mapping[str, Any]], work: Path
    ) -> tuple[Examined, ...]:
        from porter.targets.torch_npu.graph import examine

        return examine(python, modules, cases, work, environment=self.activation)

    def convert(
        self,
        tree: Mapping[str, bytes],
        look: Callable[[Mapping[str, bytes]], Ascend | None],
        route: str,
    ) -> Conversion:
        from porter.targets.torch_npu.routes.convert import convert

        return convert(tree, look, route)

    def capture(self, ask: Callable[[Path], Any], logs: Path) -> Surface:
        from porter.targets.torch_npu.capture import capture

        return capture(ask, logs)


TARGET = TorchNpu()
