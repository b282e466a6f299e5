"""The CUDA half of torch, for its CPU build."""

from __future__ import annotations

from pathlib import Path

from porter.targets.protocol import StandIn

HERE = Path(__file__).resolve().parent


def _flags(root: Path) -> tuple[str, ...]:
    include = root / "include"
    own = f"-isystem{include}/torch/csrc/api/include"
    return ("-std=c++20", "-DUSE_CUDA", f"-isystem{include}", own)


def _link_flags(root: Path) -> tuple[str, ...]:
    return (f"-L{root / 'lib'}", "-ltorch_cpu", "-lc10", f"-Wl,-rpath,{root / 'lib'}")


STAND_IN = StandIn(
    libraries=("libtorch_cuda.so", "libc10_cuda.so"),
    sources=tuple(sorted(HERE.glob("*.cpp"))),
    flags=_flags,
    linked=_link_flags,
    modules=(HERE.parent / "workers" / "emulated_torch.py",),
)
