"""MindSpore, whose plugins have their operators run by its own runners."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from porter.ascend.names import Names
from porter.model import AscendRoute, Device
from porter.targets.conversion import Conversion, Route
from porter.targets.mindspore.names import FOLDER, NAMES
from porter.targets.protocol import (
    TOOLS,
    CompileArguments,
    Environment,
    EnvironmentSpec,
    StandIn,
    Target,
)
from porter.targets.versions import release

if TYPE_CHECKING:
    from porter.model import Ascend

ROUTES = {
    "plugin": Route(
        route=AscendRoute.RUNNER,
        title="operators as a plugin for MindSpore",
        reason="A separate project next to the one for torch: runners, bindings, Python functions.",
    )
}
# Its wheel holds the builds for a CPU and for an NPU, and was compiled against numpy 1.
NUMPY = "numpy==1.26.4"

_WORKERS = Path(__file__).resolve().parent / "workers"
PROBE = """
import mindspore
version = mindspore.__version__
build = "cpu"
root = mindspore.__path__[0]
proxy = False
"""


class MindSpore(Target):
    """MindSpore: operators as a plugin in a project of its own."""

    name: str = "mindspore"
    title: str = "MindSpore"
    default_version: str = "2.10.0"
    distributions: tuple[str, ...] = ("mindspore",)
    shared_packs: tuple[str, ...] = ("ascend",)
    namespaces: tuple[str, ...] = ("ms", "mindspore")
    activation: Mapping[str, str] = {"PORTER_FRAMEWORK": "mindspore"}
    words: frozenset[str] = frozenset({"mindspore"})
    probe: str = PROBE
    devices: tuple[Device, ...] = (Device.CPU, Device.NPU)
    npu_names: Names = NAMES
    routes: Mapping[str, Route] = ROUTES
    default_route: str = "plugin"
    project: str = FOLDER

    def refuse(self, version: str) -> str | None:
        return None if release(version) else f"{version!r} is not a version"

    def environment(self, version: str, device: Device) -> EnvironmentSpec:
        others = (tool for tool in TOOLS if not tool.startswith("numpy"))
        return EnvironmentSpec(
            framework=self.name,
            version=version,
            device=device,
            requirements=(f"mindspore=={version}", NUMPY, *others),
            index="https://pypi.org/simple",
            override="PORTER_MINDSPORE_INDEX",
        )

    def compile_arguments(
        self, environment: Environment, *, cuda_source: bool, device: Device
    ) -> CompileArguments:
        include = f"{environment.root}/include"
        return CompileArguments(
            includes=(
                include,
                f"{include}/mindspore/ccsrc",
                f"{include}/third_party",
                environment.include,
            ),
            # its libraries have the old names of std::string
            defines=("-D_GLIBCXX_USE_CXX11_ABI=0",),
            flags=("-std=c++17",),
            stand_ins={},
        )

    @property
    def prelude(self) -> str:
        """Parity cases call operators by what they have of torch."""
        return (_WORKERS / "torch_for_cases.py").read_text(encoding="utf-8")

    def stand_in(self, device: Device) -> StandIn | None:
        from porter.targets.mindspore import emulated

        return emulated.STAND_IN if device is Device.NPU else None

    def convert(
        self,
        tree: Mapping[str, bytes],
        look: Callable[[Mapping[str, bytes]], Ascend | None],
        route: str,
    ) -> Conversion:
        from porter.targets.mindspore.plugin.convert import convert

        return convert(tree, look, route)


TARGET = MindSpore()
