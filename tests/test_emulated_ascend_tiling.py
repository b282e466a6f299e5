"""Tiling data of the host's sources, as the structures that kernels read."""

from __future__ import annotations

from pathlib import Path

from porter.emulators.npu.tiling import structures

HOST = """
#include "register/tilingdata_base.h"
constexpr int MOST = 8;
namespace optiling {
BEGIN_TILING_DATA_DEF(Inner)
TILING_DATA_FIELD_DEF_ARR(int64_t, MOST, sizes);
END_TILING_DATA_DEF;
// BEGIN_TILING_DATA_DEF(Never)
BEGIN_TILING_DATA_DEF(AddTilingData)
TILING_DATA_FIELD_DEF(uint32_t, length);
TILING_DATA_FIELD_DEF_STRUCT(Inner, inner);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(AddCustom, AddTilingData)
}
"""


def made(tmp_path: Path, kernel: str, host: str = HOST, own: str = "") -> list[str]:
    (tmp_path / "tiling.h").write_text(host)
    (tmp_path / "kernel.cpp").write_text(own)
    text = structures(kernel, [tmp_path / "tiling.h"], [tmp_path / "kernel.cpp"])
    return text.splitlines()[1:]


def test_definitions_are_structures_in_their_order(tmp_path: Path) -> None:
    assert made(tmp_path, "add_custom") == [
        "struct Inner { int64_t sizes[8]; };",
        "struct AddTilingData { uint32_t length; Inner inner; };",
        "using EmulatedTilingData = AddTilingData;",
    ]


def test_what_a_kernel_defines_itself_is_not_defined_again(tmp_path: Path) -> None:
    lines = made(tmp_path, "add_custom", own="struct AddTilingData { uint32_t length; };")
    assert lines == ["struct Inner { int64_t sizes[8]; };"]


def test_of_several_classes_the_one_of_the_kernels_operator_is_meant(tmp_path: Path) -> None:
    other = HOST + "REGISTER_TILING_DATA_CLASS(MulCustom, Inner)\n"
    assert made(tmp_path, "mul_custom", other)[-1] == "using EmulatedTilingData = Inner;"
    assert made(tmp_path, "div_custom", other)[-1].startswith("struct"), "nobody can tell"
