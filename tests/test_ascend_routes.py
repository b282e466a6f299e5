"""Operators of Ascend NPUs from one route into torch to another: what is written, and refused."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from porter.ascend.recognise import of_bytes
from porter.ascend.routes.convert import Conversion, convert
from porter.model import Ascend, Language, Role, SourceFile
from tests.conftest import ROOT

ADD = ROOT / "fixtures" / "ascend_add"
DATA = (".json", ".yaml")


def look(files: Mapping[str, bytes]) -> Ascend | None:
    own = [
        SourceFile(
            path,
            Language.PYTHON if path.endswith(".py") else Language.CPP,
            Role.TEST if path.startswith("tests/") else Role.LIBRARY,
            len(data),
        )
        for path, data in files.items()
        if not path.endswith(DATA)
    ]
    data = ((path, data) for path, data in files.items() if path.endswith(DATA))
    return of_bytes(((file, files[file.path]) for file in own), data, own)


def converted(files: Mapping[str, bytes], route: str) -> tuple[dict[str, str], Conversion]:
    """The whole tree afterwards, and what was done."""
    done = convert(files, look, route)
    after = {**files, **done.files}
    return {path: data.decode() for path, data in after.items() if data is not None}, done


def fixture(*paths: str) -> dict[str, bytes]:
    return {path: (ADD / path).read_bytes() for path in paths}


def only_direct() -> dict[str, bytes]:
    """The fixture with its launched kernel alone."""
    files = fixture("csrc/add_direct.asc", "opp/op_kernel/add_kernel.h", "setup.py")
    added = r"        NpuExtension\(.*?\n        \),\n"
    script = re.sub(added, "", files["setup.py"].decode(), flags=re.DOTALL)
    begin, end = script.index("    def run(self)"), script.index("    def build_extension")
    script = script[:begin] + script[end:]
    script = script.replace("from torch_npu.utils.cpp_extension import NpuExtension\n", "")
    return {**files, "setup.py": script.encode()}


# ------------------------------------------------------------- direct -> aclnn


def test_a_launched_kernel_becomes_an_operator_of_a_package() -> None:
    after, done = converted(only_direct(), "aclnn")
    assert done.operators == ["AddDirectCustom"]
    assert "csrc/add_direct.asc" not in after
    binding = after["csrc/add_direct.cpp"]
    assert "EXEC_NPU_CMD_EXT(aclnnAddDirectCustom, x, y, z);" in binding
    for gone in ("<<<", "__global__", "template", "stream", "half", "add_kernel.h", "OpCommand"):
        assert gone not in binding
    assert (
        "case at::kFloat:\n        case at::kHalf:\n        case at::kInt: launch(a, b, z);"
        in binding
    )
    assert 'm.def("add_direct(Tensor x, Tensor y) -> Tensor")' in binding, "schemas stay"
    host = after["opp/op_host/add_direct_custom.cpp"]
    assert "const uint32_t length = x_shape.GetShapeSize();" in host
    assert "blocks = length < 8 * 256 ? (length + 255) / 256 : 8;" in host
    assert host.count(".DataType({ge::DT_FLOAT, ge::DT_FLOAT16, ge::DT_INT32})") == 3
    assert "*context->GetOutputShape(0) = *context->GetInputShape(0);" in host
    entry = after["opp/op_kernel/add_direct_custom.cpp"]
    assert "add_direct_kernel<DTYPE_X>(x, y, z, data.length);" in entry
    (definition,) = json.loads(after["opp/add_direct_custom.json"])
    assert [each["type"] for each in definition["output_desc"]] == [["float", "float16", "int32"]]
    assert 'NpuExtension("ascend_add._direct", ["csrc/add_direct.cpp"]' in after["setup.py"]
    assert "extra_compile_args=FLAGS" in after["setup.py"], "the script's own flags"
    assert [left.path for left in done.left] == ["opp/add_direct_custom.json"]


def test_a_kernels_body_is_not_changed() -> None:
    files = only_direct()
    after, _ = converted(files, "aclnn")
    body = files["csrc/add_direct.asc"].decode().split("uint32_t length) {")[1].split("\n}\n")[0]
    assert body in after["opp/op_kernel/add_direct.h"]
    assert after["opp/op_kernel/add_kernel.h"].encode() == files["opp/op_kernel/add_kernel.h"]


KERNEL = """\
#include <torch/library.h>
#include "kernel_operator.h"
constexpr int64_t TILE = 64;
inline int64_t parts(int64_t n) { return (n + TILE - 1) / TILE; }
__global__ __aicore__ void scale_rows(__gm__ half *x, __gm__ half *y, float factor, int64_t rows) {
    AscendC::GlobalTensor<half> in, out;
    in.SetGlobalBuffer(x);
    out.SetGlobalBuffer(y);
    for (int64_t k = 0; k < rows; ++k) out.SetValue(k, in.GetValue(k));
}
"""
HOST = """\
at::Tensor scale(const at::Tensor &x, double factor, int64_t many) {
    auto stream = c10_npu::getCurrentNPUStream().stream(false);
    at::Tensor y = at::empty_like(x);
    const int64_t rows = x.size(0) * x.size(-1);
    auto *from = (__gm__ half *)x.data_ptr();
    auto call = [=]() -> int {
        scale_rows<<<BLOCKS, nullptr, stream>>>(from, (__gm__ half *)y.data_ptr(), ARGUMENTS);
        return 0;
    };
    at_npu::native::OpCommand::RunOpApiV2("scale", call);
    return y;
}
TORCH_LIBRARY(ops, m) { m.def("scale(Tensor x, float factor, int many) -> Tensor"); }
TORCH_LIBRARY_IMPL(ops, PrivateUse1, m) { m.impl("scale", &scale); }
"""


def scaled(
    blocks: str = "parts(rows)", arguments: str = "factor, rows", **other: str
) -> dict[str, bytes]:
    host = HOST.replace("BLOCKS", blocks).replace("ARGUMENTS", arguments)
    text = KERNEL + host
    for old, new in other.items():
        assert old in text
        text = text.replace(old, new)
    return {"csrc/scale.asc": text.encode()}


def test_numbers_of_the_caller_are_attributes_and_what_follows_from_shapes_is_computed() -> None:
    after, done = converted(scaled(), "aclnn")
    host = after["opp/op_host/scale_rows_custom.cpp"]
    assert "*context->GetAttrs()->GetAttrPointer<float>(0);" in host
    assert (
        "const int64_t rows = x_shape.GetDim(0) * x_shape.GetDim(x_shape.GetDimNum() - 1);" in host
    )
    assert "inline int64_t parts(int64_t n) { return (n + TILE - 1) / TILE; }" in host
    assert host.index("constexpr int64_t TILE = 64;") < host.index("parts(int64_t n)")
    assert "context->SetBlockDim(parts(rows));" in host
    assert 'this->Attr("factor").AttrType(REQUIRED).Float();' in host
    binding = after["csrc/scale.cpp"]
    assert "EXEC_NPU_CMD_EXT(aclnnScaleRowsCustom, x, factor, y);" in binding
    assert "stream" not in binding and "rows =" not in binding and "call" not in binding
    assert [left.reason.partition(":")[0] for left in done.left] == ["the package's build files"]


def test_what_a_tiling_function_cannot_compute_is_given_by_the_host_and_told() -> None:
    after, done = converted(scaled(blocks="cores_of(x)"), "aclnn")
    binding = after["csrc/scale.cpp"]
    assert "const int64_t block_dim_given = static_cast<int64_t>(cores_of(x));" in binding
    assert "aclnnScaleRowsCustom, x, factor, block_dim_given, y)" in binding
    assert any("`block_dim` is computed by the host" in left.reason for left in done.left)


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("in.GetValue(k)", "in.GetValue(k) + out.GetValue(k)", "`y` is read and written"),
        ("(__gm__ half *)y.data_ptr()", "(__gm__ half *)y.data_ptr() + 2", "that is computed"),
        ("return 0;\n    };", "count();\n        return 0;\n    };", "does more than launch"),
        ("float factor, int64", "Tiling factor, int64", "`factor` is of the type `Tiling`"),
        ("__gm__ half *x,", "GM_ADDR x,", "the type of the elements at `x` is not told"),
        (
            "out.SetGlobalBuffer(y);",
            "out.SetGlobalBuffer(y); AscendC::SetAtomicAdd<half>();",
            "atomic",
        ),
    ],
)
def test_what_is_not_sure_is_refused_with_its_place(old: str, new: str, reason: str) -> None:
    files = {"csrc/scale.asc": scaled()["csrc/scale.asc"].replace(old.encode(), new.encode())}
    after, done = converted(files, "aclnn")
    assert after == {path: data.decode() for path, data in files.items()}, "nothing is changed"
    (left,) = done.left
    assert reason in left.reason and left.path == "csrc/scale.asc" and left.line > 1


def test_an_output_of_a_shape_of_its_own_cannot_be_in_a_graph_and_says_so() -> None:
    after, done = converted(
        scaled(**{"at::empty_like(x)": "at::empty({x.size(0)}, x.options())"}), "aclnn"
    )
    host = after["opp/op_host/scale_rows_custom.cpp"]
    assert "TODO(porter): the shape of y" in host and "return GRAPH_FAILED;" in host
    assert any("the shape of y" in left.reason for left in done.left)


# ------------------------------------------------------------------- the command


def test_the_command_refuses_what_is_no_route_and_what_has_none(own_home: Path) -> None:
    def said(*arguments: str) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "porter", "migrate", *arguments],
            capture_output=True,
            text=True,
            env={**os.environ, "PORTER_HOME": str(own_home)},
        )
        assert done.returncode == 2, done.stdout
        return " ".join((done.stdout + done.stderr).split())

    add = str(ADD)
    assert "unknown route 'graph'" in said(add, "-t", "torch_npu", "--route", "graph")
    assert "--route aclnn is for operators of Ascend NPUs" in said(add, "--route", "aclnn")
    cuda = str(ROOT / "fixtures" / "npu_from_cuda")
    found = said(cuda, "-t", "torch_npu", "--route", "aclnn")
    assert "no operator here can be converted to the route aclnn" in found
    assert "tanh_gelu (direct launch)" in found and "csrc/activations.asc:" in found
