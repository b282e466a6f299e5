"""Ascend C sources, kernels unchanged, as C++ that g++ compiles against the emulated vector API."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from porter.emulators.cuda import Emulation, write_tree
from porter.emulators.cuda.rewrite import Rewritten, rewrite_launches
from porter.emulators.npu import INCLUDE
from porter.languages import cpp

_CUBE, _REGISTERS = "the cube unit", "vector registers (RegTensor)"
_COMMUNICATION = "communication between devices (HCCL)"
# Names of what a kernel cannot do here, and what they stand for.
_UNKNOWN = {
    **dict.fromkeys(("Mmad", "MmadParams", "LoadData", "LoadDataWithTranspose", "Fixpipe"), _CUBE),
    **dict.fromkeys(("FixpipeParamsV220", "LoadData2DParams", "LoadData3DParamsV2"), _CUBE),
    **dict.fromkeys(("Nd2NzParams", "Nz2NdParamsFull", "MatmulImpl", "REGIST_MATMUL_OBJ"), _CUBE),
    **dict.fromkeys(("MatmulType", "BlockMmad", "InitConstValue", "Catlass", "matmul_intf"), _CUBE),
    **dict.fromkeys(("__simt_vf__", "Simt", "asc_simt"), "threads of a vector core (SIMT)"),
    **dict.fromkeys(("RegTensor", "MicroAPI", "MaskReg", "__simd_vf__"), _REGISTERS),
    **dict.fromkeys(("Hccl", "HcclHandle", "GetHcclContext", "HcclCombineOpParam"), _COMMUNICATION),
}
# As the CUDA kernels' flags; DWARF 4, since addr2line takes the file of an inlined call for another
# one in DWARF 5; C++20, since kernels call `ReduceSum<float>(...)` without saying where it is.
FLAGS = ("-std=c++20", "-fno-strict-aliasing", "-ffp-contract=off", "-fPIC", "-g1", "-gdwarf-4")


def emulate(sources: Sequence[Path], include_dirs: Sequence[Path], out: Path) -> Emulation:
    """Write the sources and the headers they include from `include_dirs` for g++ below `out`.

    What is linked takes libascendcl.so of a `toolkit`. Raises OSError for what cannot be read or
    written.
    """
    made = write_tree(sources, include_dirs, out, _rewrite, (b"<<<",))
    folders = [f"-I{INCLUDE}", *(f"-I{folder}" for folder in made.folders)]
    return Emulation(
        sources=made.sources,
        flags=(*FLAGS, *folders, "-include", str(INCLUDE / "emulated_npu" / "language.h")),
        refused=made.refused,
    )


def _rewrite(unit: cpp.Unit) -> Rewritten:
    return rewrite_launches(unit, _UNKNOWN)
