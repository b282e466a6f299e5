"""torch_npu on the emulated NPU: operators of the CPU in place of its own, which call CANN's."""

from __future__ import annotations

from pathlib import Path

from porter.targets.protocol import StandIn

HERE = Path(__file__).resolve().parent
_MODULES = ("emulated_torch_npu", "emulated_torchair", "emulated_ge", "ge_graphs")


def _flags(root: Path) -> tuple[str, ...]:
    torch, third_party = root.parent / "torch" / "include", root / "include" / "third_party"
    includes = (torch, torch / "torch/csrc/api/include", root / "include")
    more = (third_party / "acl" / "inc", third_party / "hccl" / "inc")
    return ("-std=c++20", *(f"-isystem{folder}" for folder in (*includes, *more)))


def _link_flags(root: Path) -> tuple[str, ...]:
    torch = (f"-L{root.parent / 'torch' / 'lib'}", "-ltorch_cpu", "-lc10")
    return (*torch, f"-L{root / 'lib'}", "-ltorch_npu", "-Wl,--allow-shlib-undefined")


STAND_IN = StandIn(
    libraries=("libemulated_npu.so",),
    sources=(HERE / "operators.cpp",),
    flags=_flags,
    linked=_link_flags,
    modules=tuple(HERE.parent / "workers" / f"{name}.py" for name in _MODULES),
)
