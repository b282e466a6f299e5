"""PaddlePaddle as a target: one tree under two frameworks, through Paddle's torch proxy."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from porter.model import Device, WheelSymbols
from porter.targets.explanation import Explanation
from porter.targets.protocol import (
    TOOLS,
    CompileArguments,
    Environment,
    EnvironmentSpec,
    StandIn,
    Target,
)
from porter.targets.proxy import Guard, Proxy
from porter.targets.versions import release

FIRST_WITH_PROXY = "3.3.0"
INDEX = "https://www.paddlepaddle.org.cn/packages/stable"

# Of which device -> the folder of the index, and the packages; an NPU has a plugin.
_BUILDS = {
    Device.CPU: ("cpu", "paddlepaddle"),
    Device.CUDA: ("cu126", "paddlepaddle-gpu"),
    Device.NPU: ("npu", "paddlepaddle", "paddle-custom-npu"),
}

PROBE = """
import paddle
version = paddle.__version__
build = ("cuda" if paddle.device.is_compiled_with_cuda() else
         "rocm" if paddle.device.is_compiled_with_rocm() else
         "npu" if "npu" in paddle.device.get_all_custom_device_type() else "cpu")
root = paddle.__path__[0]
proxy = hasattr(paddle, "enable_compat")
"""

PROXY = Proxy(
    title="Paddle",
    package="paddle",
    enable="paddle.enable_compat",
    enablers=frozenset({"enable_compat", "enable_torch_proxy", "use_compat_guard"}),
    vendored=Guard(
        dual=(
            'if os.getenv("PORTER_FRAMEWORK") == "paddle" or (\n'
            '    importlib.util.find_spec("torch") is None and importlib.util.find_spec("paddle")\n'
            "):\n"
            "    import paddle\n"
            "\n"
            "    paddle.enable_compat()\n"
        ),
        fork="import paddle\n\npaddle.enable_compat()\n",
        imports=("importlib.util", "os"),
    ),
    completed=Guard(
        dual=(
            'if importlib.util.find_spec("porter_compat"):\n'
            "    import porter_compat  # noqa: F401\n"
        ),
        fork="import porter_compat  # noqa: F401\n",
        imports=("importlib.util",),
    ),
    completion="porter_compat",
    active='hasattr(sys.modules.get("paddle"), "enable_compat")',
)


class Paddle(Target):
    """Paddle 3.3 and newer, whose `enable_compat()` makes `import torch` mean paddle."""

    name: str = "paddle"
    title: str = "Paddle"
    is_default: bool = True
    default_version: str = "3.3.1"
    distributions: tuple[str, ...] = ("paddlepaddle", "paddlepaddle-gpu")
    aliases: tuple[str, ...] = ("paddle",)
    namespaces: tuple[str, ...] = ("paddle", "phi")
    activation: Mapping[str, str] = {"PORTER_FRAMEWORK": "paddle"}
    proxy: Proxy = PROXY
    prelude: str = PROXY.vendored.fork
    words: frozenset[str] = frozenset({"paddle", "is_paddle", "IS_PADDLE", "USE_PADDLE"})
    macros: tuple[str, ...] = ("PADDLE",)
    architectures: str = "PADDLE_CUDA_ARCH_LIST"
    # On PyPI, from the maintainers of Paddle: the same versions, without the requirement on torch.
    ported: Mapping[str, str] = {"tilelang": "tilelang-paddle"}
    # Paddle's extension builder prints this for a unit that does not compile, and goes on to link.
    failure_marks: tuple[str, ...] = (r"\.(?:c|cc|cpp|cxx|C|cu) compile failed, ",)
    explanations: tuple[Explanation, ...] = (
        Explanation(  # what the proxy looks for
            pattern=r"No module named '(?P<scope>paddle)\.(?P<name>[^']+)'",
            text="{scope} has no module for torch.{name}",
            name="{name}",
            scope="{scope}",
        ),
        Explanation(  # a stand-in of porter-compat's
            pattern=r"(?P<scope>Paddle) lacks torch\.(?P<name>[\w.]+), which this code imports",
            text="paddle lacks torch.{name}",
            name="{name}",
            scope="paddle",
        ),
    )
    probe: str = PROBE
    devices: tuple[Device, ...] = tuple(Device)

    def refuse(self, version: str) -> str | None:
        found, first = release(version), release(FIRST_WITH_PROXY)
        if found is None:
            return f"{version!r} is not a version"
        if first is not None and found < first and any(found):  # 0.0.0: built from source
            return f"Paddle {version} has no torch proxy: {FIRST_WITH_PROXY} is the first that has"
        return None

    def environment(self, version: str, device: Device) -> EnvironmentSpec:
        index, *packages = _BUILDS[device]
        return EnvironmentSpec(
            framework=self.name,
            version=version,
            device=device,
            requirements=(*(f"{package}=={version}" for package in packages), *TOOLS),
            index=f"{INDEX}/{index}/",
            override="PORTER_PADDLE_INDEX",
        )

    def compile_arguments(
        self, environment: Environment, *, cuda_source: bool, device: Device
    ) -> CompileArguments:
        include = f"{environment.root}/include"
        compat = f"{include}/paddle/phi/api/include/compat"
        cuda = ("-DPADDLE_WITH_CUDA", "-DEIGEN_USE_GPU") if device is Device.CUDA else ()
        return CompileArguments(
            includes=(
                include,
                f"{include}/third_party",
                compat,
                f"{compat}/torch/csrc/api/include",
                environment.include,
            ),
            defines=(*cuda, "-DPADDLE_WITH_CUSTOM_KERNEL", "-D_GLIBCXX_USE_CXX11_ABI=1"),
            flags=("-std=c++17", *(("--expt-relaxed-constexpr", "-DNVCC") if cuda_source else ())),
            stand_ins={},
            compat=compat,
        )

    def symbols_of_wheel(self, wheel: Path) -> WheelSymbols:
        from porter.targets.paddle import wheels

        return wheels.symbols_of(wheel)

    def wheel_requires(self, version: str, build: str, *, native: bool) -> tuple[str, ...]:
        """Of compiled code the build that it is linked with, of the same minor version. Python runs
        with any build, and to name one would have pip install that over another."""
        found = release(version)
        if not native or found is None or not any(found):  # 0.0.0: built from source
            return ()
        names = next((names for device, (_, *names) in _BUILDS.items() if device == build), ())
        return tuple(f"{name}>={version},<{found[0]}.{found[1] + 1}" for name in names)

    def stand_in(self, device: Device) -> StandIn | None:
        from porter.targets.paddle import emulated

        return emulated.STAND_INS.get(device)


TARGET = Paddle()
