"""MindSpore, whose plugins have their operators run by its own runners."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from porter.ascend.names import Names
from porter.model import AscendRoute, Device
from porter.targets.conversion import Conversion, Route
from porter.targets.mindspore.names import NAMES
from porter.targets.protocol import (
    TOOLS,
    CompileArguments,
    Environment,
    EnvironmentSpec,
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

PROBE = """
import mindspore
version = mindspore.__version__
build = "cpu"
root = mindspore.__path__[0]
proxy = False
"""


class MindSpore(Target):
    """MindSpore: porter recognises and checks the operators of its plugins."""

    name: str = "mindspore"
    title: str = "MindSpore"
    default_version: str = "2.10.0"
    distributions: tuple[str, ...] = ("mindspore",)
    shared_packs: tuple[str, ...] = ("ascend",)
    namespaces: tuple[str, ...] = ("ms", "mindspore")
    activation: Mapping[str, str] = {"PORTER_FRAMEWORK": "mindspore"}
    words: frozenset[str] = frozenset({"mindspore"})
    probe: str = PROBE
    devices: tuple[Device, ...] = (Device.NPU,)
    stages: tuple[str, ...] = ("analyze", "migrate", "report")
    npu_names: Names = NAMES
    routes: Mapping[str, Route] = ROUTES

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

    def convert(
        self,
        tree: Mapping[str, bytes],
        look: Callable[[Mapping[str, bytes]], Ascend | None],
        route: str,
    ) -> Conversion:
        from porter.targets.mindspore.plugin.convert import convert

        return convert(tree, look, route)


TARGET = MindSpore()
