"""Operators of Ascend NPUs from one route into torch to another: what is written, and refused."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from porter.ascend.recognise import recognise_bytes
from porter.model import Ascend, AscendRoute, Language, Plan, Role, SourceFile
from porter.stages.routes import change_route
from porter.survey.discover import discover
from porter.targets import TARGETS
from porter.targets.conversion import Conversion, Left, Route
from porter.targets.torch_npu import TorchNpu
from porter.targets.torch_npu.names import NAMES
from porter.targets.torch_npu.routes.convert import convert
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
    return recognise_bytes(((file, files[file.path]) for file in own), data, own, NAMES)


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
    assert {left.path for left in done.left} == {
        "opp/add_direct_custom.json",
        "csrc/add_direct.cpp",
    }


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
    assert "context->SetBlockDim(std::max<uint32_t>(parts(rows), 1));" in host
    assert 'this->Attr("factor").AttrType(REQUIRED).Float();' in host
    binding = after["csrc/scale.cpp"]
    assert "EXEC_NPU_CMD_EXT(aclnnScaleRowsCustom, x, factor, y);" in binding
    assert "stream" not in binding and "rows =" not in binding and "call" not in binding
    first, second, third = (left.reason for left in done.left)
    assert first.startswith("the package's build files")
    assert second == "no converter for graphs was written: no file contains converters"
    assert third == "no setup.py names csrc/scale.asc: its build has to use this file instead"
    assert [left.line for left in done.left[1:]] == [
        binding[: binding.index('"scale(')].count("\n") + 1,
        1,
    ]


GRAPH = b"import torch\nimport torchair\nfrom torchair import register_fx_node_ge_converter\n"


def test_a_converter_is_written_where_there_are_others() -> None:
    after, done = converted({**scaled(), "ops/graph.py": GRAPH}, "aclnn")
    assert len(done.left) == 2
    assert after["ops/graph.py"].encode().startswith(GRAPH)
    written = after["ops/graph.py"].split("\n\n\n")[1]
    assert written.startswith(
        "@torchair.register_fx_node_ge_converter(torch.ops.ops.scale.default)\n"
        "def convert_scale(x, factor, many, meta_outputs=None):\n"
    )
    assert '"ScaleRowsCustom",\n        inputs={"x": x},\n        outputs=["y"],\n' in written
    assert 'attrs={"factor": torchair.ge.attr.Float(factor)},' in written
    alias = scaled(**{"scale(Tensor x,": "scale(Tensor(a) x,"})
    given, done = converted({**alias, "ops/graph.py": GRAPH}, "aclnn")
    assert given["ops/graph.py"].encode() == GRAPH and "csrc/scale.cpp" in given
    assert any("was written: the schema" in left.reason for left in done.left)
    given, done = converted({**scaled(blocks="cores_of(x)"), "ops/graph.py": GRAPH}, "aclnn")
    assert given["ops/graph.py"].encode() == GRAPH, "its attribute is the host's"


@pytest.mark.parametrize("loop", ["{ rows *= size; }", "rows *= size;"])
def test_the_product_of_all_sizes_is_their_number(loop: str) -> None:
    was = "const int64_t rows = x.size(0) * x.size(-1);"
    product = f"uint32_t rows = 1;\n    for (uint32_t size : x.sizes()) {loop}"
    after, _ = converted(scaled(**{was: product}), "aclnn")
    host, binding = after["opp/op_host/scale_rows_custom.cpp"], after["csrc/scale.cpp"]
    assert "const uint32_t rows = x_shape.GetShapeSize();" in host
    assert "rows" not in binding and "size" not in binding.replace("sizes", "")
    other = product.replace("rows = 1", "rows = 2")
    after, _ = converted(scaled(**{was: other}), "aclnn")
    assert "rows_given = static_cast<int64_t>(rows);" in after["csrc/scale.cpp"], "not that"


def test_what_a_tiling_function_cannot_compute_is_given_by_the_host_and_told() -> None:
    after, done = converted(scaled(blocks="cores_of(x)"), "aclnn")
    binding = after["csrc/scale.cpp"]
    assert "const int64_t block_dim_given = static_cast<int64_t>(cores_of(x));" in binding
    assert "aclnnScaleRowsCustom, x, factor, block_dim_given, y)" in binding
    (told,) = (left for left in done.left if "`block_dim` is computed by" in left.reason)
    assert (
        "block_dim_given" in binding.splitlines()[told.line - 1] and told.path == "csrc/scale.cpp"
    )


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("in.GetValue(k)", "in.GetValue(k) + out.GetValue(k)", "`y` is read and written"),
        ("(__gm__ half *)y.data_ptr()", "(__gm__ half *)y.data_ptr() + 2", "a computed address"),
        ("return 0;\n    };", "count();\n        return 0;\n    };", "does more than launch"),
        ("float factor, int64", "Tiling factor, int64", "`factor` has the type `Tiling`"),
        ("__gm__ half *x,", "GM_ADDR x,", "the type of the elements at `x` is unknown"),
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


def test_a_condition_before_a_launch_stays() -> None:
    text = scaled()["csrc/scale.asc"].decode()
    begin, end = text.index("    auto call"), text.index("    return y;")
    bare = "    if (rows > 0 && factor != 1 ? many > 0 : false)\n"
    bare += "        scale_rows<<<1, nullptr, stream>>>("
    bare += "from, (__gm__ half *)y.data_ptr(), factor, rows);\n"
    after, _ = converted({"csrc/scale.asc": (text[:begin] + bare + text[end:]).encode()}, "aclnn")
    binding = " ".join(after["csrc/scale.cpp"].split())
    assert "if (rows > 0 && factor != 1 ? many > 0 : false) EXEC_NPU_CMD_EXT(" in binding
    assert "const int64_t rows = x.size(0) * x.size(-1);" in binding, "the condition needs it"


def test_an_output_of_a_shape_of_its_own_cannot_be_in_a_graph_and_says_so() -> None:
    after, done = converted(
        scaled(**{"at::empty_like(x)": "at::empty({x.size(0)}, x.options())"}), "aclnn"
    )
    host = after["opp/op_host/scale_rows_custom.cpp"]
    assert "TODO(porter): the shape of y" in host and "return GRAPH_FAILED;" in host
    assert any("does not show its shape" in left.reason for left in done.left)


# ------------------------------------------------------------- aclnn -> direct


def script(source: str, package: str) -> bytes:
    """A build script with one extension, whose flags nobody gives yet."""
    return f"""\
import torch_npu
from setuptools import setup
from torch.utils.cpp_extension import BuildExtension
from torch_npu.utils.cpp_extension import NpuExtension

setup(
    name="ops",
    ext_modules=[NpuExtension("{package}._C", ["{source}"])],
    cmdclass={{"build_ext": BuildExtension}},
)
""".encode()


OPP = (
    "opp/op_host/add_custom.cpp",
    "opp/op_host/add_custom_tiling.h",
    "opp/op_kernel/add_custom.cpp",
    "opp/op_kernel/add_kernel.h",
)


def only_aclnn() -> dict[str, bytes]:
    files = fixture("csrc/add_aclnn.cpp", "ascend_add/graph.py", "ascend_add/__init__.py", *OPP)
    return {**files, "setup.py": script("csrc/add_aclnn.cpp", "ascend_add")}


def test_an_operator_of_a_package_becomes_a_launch_with_its_tiling_on_the_host() -> None:
    after, done = converted(only_aclnn(), "direct")
    assert done.operators == ["AddCustom"]
    assert not [path for path in after if "op_host" in path], "the package is gone"
    source = after["csrc/add_aclnn.asc"]
    assert "EXEC_NPU_CMD" not in source and "add_custom_npu(a, b, z);" in source
    assert "add_custom<DTYPE_X><<<blocks, nullptr, stream>>>(" in source
    assert "if (!(inputs[0].sizes() == inputs[1].sizes())) {\n        return false;" in source
    assert "tiling.tile = memory / 8 / size / 256 * 256;" in source
    assert "blocks = wanted == 0 ? 1 : wanted < cores ? wanted : cores;" in source
    assert "*platform_ascendc::PlatformAscendCManager::GetInstance();" in source
    for kind, kernel in (("kHalf", "half"), ("kFloat", "float"), ("kInt", "int32_t")):
        asked = source.index(f"if (x.scalar_type() == at::{kind} ")
        assert (
            f"launch_add_custom<{kernel}>(x, y, z, blocks, tiling)" in source[asked : asked + 200]
        )
    kernel_file = after["opp/op_kernel/add_custom.h"]
    assert "template <typename DTYPE_X> __global__ __aicore__ void add_custom(" in kernel_file
    assert "AddCustomTilingData data) {\n    AddKernel<DTYPE_X> op;" in kernel_file
    assert "uint32_t length;" in after["opp/op_kernel/add_custom_tiling_data.h"]
    build = after["setup.py"]
    assert '["csrc/add_aclnn.asc"], extra_compile_args=NPU_FLAGS)' in build
    assert "class KernelBuild(BuildExtension):" in build and '{"build_ext": KernelBuild}' in build
    compile(build, "setup.py", "exec")
    assert {left.path for left in done.left} == {"ascend_add/graph.py"}, "converters of AddCustom"


def test_functions_that_tilings_share_and_their_constants_come_along() -> None:
    gelu = ROOT / "fixtures" / "ascend_gelu"
    paths = [*(gelu / "opp").rglob("*.*"), gelu / "csrc/gelu.cpp", gelu / "setup.py"]
    files = {str(path.relative_to(gelu)): path.read_bytes() for path in paths}
    after, done = converted(files, "direct")
    assert done.operators == ["GeluCustom", "GeluCustomGrad"] and done.left == []
    source = after["csrc/gelu.asc"]
    assert source.count("inline bool TileElements(at::TensorList inputs, ") == 1
    assert source.index("constexpr uint64_t GRAIN = 256;") < source.index("bool TileElements(")
    assert "const auto &dy = inputs[0], &x = inputs[1];" in source
    assert "if (dy.numel() != x.numel()) {" in source
    assert "return TileElements(inputs, outputs, tiling, blocks, 6 * 4 + 3 * 4," in source
    assert "TORCH_LIBRARY_IMPL(ascend_gelu, Autograd, m)" in source, "what is bound stays"
    assert "opp/gelu_custom.json" not in after


def test_a_package_stays_until_nobody_calls_it() -> None:
    other = only_aclnn()["csrc/add_aclnn.cpp"].replace(b"add_aclnn", b"add_again")
    files = {**only_aclnn(), "csrc/add_again.cpp": other}
    after, done = converted(files, "direct")
    assert done.operators == ["AddCustom", "AddCustom"]
    assert "add_custom_npu(a, b, z)" in after["csrc/add_again.asc"]
    assert not [path for path in after if "op_host" in path]
    by_hand = other.replace(b"a, b, z)", b"a, b, 1, z)")
    after, done = converted({**files, "csrc/add_again.cpp": by_hand}, "direct")
    assert done.operators == ["AddCustom"], "the other one cannot be"
    assert {*OPP} <= {*after}, "it needs the package"


def changed(path: str, old: str, new: str) -> dict[str, bytes]:
    files = only_aclnn()
    assert old.encode() in files[path]
    return {**files, path: files[path].replace(old.encode(), new.encode())}


def test_a_tiling_that_cannot_be_written_for_tensors_raises_and_is_told() -> None:
    host = "opp/op_host/add_custom.cpp"
    after, done = converted(
        changed(
            host, "context->SetBlockDim(", "context->SetTilingKey(3);\n    context->SetBlockDim("
        ),
        "direct",
    )
    source = after["csrc/add_aclnn.asc"]
    assert "// TODO(porter): `SetTilingKey` of the context" in source
    assert "TORCH_CHECK_NOT_IMPLEMENTED(false, " in source
    assert "//     context->SetTilingKey(3);" in source, "what it was"
    told = next(left for left in done.left if left.path == host)
    assert told.reason == "`SetTilingKey` of the context" and told.line > 1


@pytest.mark.parametrize(
    ("path", "old", "new", "reason"),
    [
        (OPP[2], "AddKernel<DTYPE_X> op;", "auto *own = GetUserWorkspace(workspace);", "GetUserW"),
        (
            OPP[2],
            "GET_TILING_DATA",
            "if (TILING_KEY_IS(1)) return;\n    GET_TILING_DATA",
            "TILING_",
        ),
        (OPP[0], "ParamType(REQUIRED)", "ParamType(OPTIONAL)", "is optional"),
        ("csrc/add_aclnn.cpp", "aclnnAddCustom", "aclnnAdd", "aclnnAdd is not in any package"),
        ("csrc/add_aclnn.cpp", "a, b, z)", "a, b, 1, z)", "other arguments than defined"),
    ],
)
def test_what_no_launch_can_be_is_refused(path: str, old: str, new: str, reason: str) -> None:
    files = changed(path, old, new)
    after, done = converted(files, "direct")
    assert after == {name: data.decode() for name, data in files.items()}, "nothing is changed"
    assert reason in done.left[0].reason


# ---------------------------------------------------- aclnn -> opplugin, and back


def test_a_function_that_checks_is_the_adapter_of_an_entry() -> None:
    after, done = converted(only_aclnn(), "opplugin")
    assert done.operators == ["npu::npu_add_aclnn"]
    entry = "  - func: npu_add_aclnn(Tensor x, Tensor y) -> Tensor\n    op_api: all_version\n"
    assert entry in after["opplugin/operators.yaml"]
    adapter = after["csrc/add_aclnn.cpp"]
    assert "namespace op_api {\n\nat::Tensor npu_add_aclnn(const at::Tensor &x," in adapter
    assert "TORCH_CHECK(x.sizes()" in adapter and "TORCH_LIBRARY" not in adapter
    assert 'SOURCES = ["csrc/add_aclnn.cpp"]' in after["opplugin/generate.py"]
    compile(after["opplugin/generate.py"], "generate.py", "exec")
    assert "torch.ops.npu.npu_add_aclnn" in after["ascend_add/__init__.py"]
    assert '"npu::npu_add_aclnn"' in after["ascend_add/__init__.py"]
    assert "(torch.ops.npu.npu_add_aclnn.default)" in after["ascend_add/graph.py"]
    build = after["setup.py"]
    assert '["build/opplugin/all.cpp"]' in build and "class GeneratedBuild(BuildExtension)" in build
    compile(build, "setup.py", "exec")


def test_a_function_that_only_allocates_and_calls_is_generated() -> None:
    files = only_aclnn()
    lines = files["csrc/add_aclnn.cpp"].splitlines(keepends=True)
    files["csrc/add_aclnn.cpp"] = b"".join(line for line in lines if b"TORCH_CHECK" not in line)
    after, _ = converted(files, "opplugin")
    assert "csrc/add_aclnn.cpp" not in after, "nothing of it is left"
    entry = after["opplugin/operators.yaml"].partition("func: npu_add_aclnn")[2]
    assert "size: x\n        dtype: x\n      exec: aclnnAddCustom\n" in entry
    assert "StructKernelNpuOpApiEverything" in after["opplugin/generate.py"]
    early = b"    if (x.numel() == 0) { return x; }\n    const c10::Opt"
    checks = files["csrc/add_aclnn.cpp"].replace(b"    const c10::Opt", early)
    kept, _ = converted({**files, "csrc/add_aclnn.cpp": checks}, "opplugin")
    assert "if (x.numel() == 0) { return x; }" in kept["csrc/add_aclnn.cpp"]
    files["csrc/add_aclnn.cpp"] = files["csrc/add_aclnn.cpp"].replace(b"a, b, z)", b"b, a, z)")
    again, _ = converted(files, "opplugin")
    assert "exec: aclnnAddCustom, y, x, out\n" in again["opplugin/operators.yaml"]
    not_contiguous = files[OPP[0]].replace(b".AutoContiguous()", b"")
    by_hand, _ = converted({**files, OPP[0]: not_contiguous}, "opplugin")
    assert "y.contiguous()" in by_hand["csrc/add_aclnn.cpp"], "else nobody made it contiguous"


def test_a_launch_becomes_an_entry_in_two_steps_or_in_none() -> None:
    files = {**only_direct(), **fixture("ascend_add/__init__.py")}
    after, done = converted(files, "opplugin")
    assert done.operators == ["npu::npu_add_direct"]
    adapter = after["csrc/add_direct.cpp"]
    assert "namespace op_api {\n\nat::Tensor npu_add_direct(" in adapter
    assert "void launch(const at::Tensor &x," in adapter and "TORCH_LIBRARY" not in adapter
    assert '["build/opplugin/all.cpp"]' in after["setup.py"]
    assert "opp/op_host/add_direct_custom.cpp" in after
    there = {**files, "opplugin/generate.py": b""}
    after, done = converted(there, "opplugin")
    assert after == {path: data.decode() for path, data in there.items()}, "no half of it"
    (left,) = done.left
    assert (left.path, left.reason) == (
        "csrc/add_direct.asc",
        "opplugin/generate.py already exists for other entries",
    )


def test_registrations_for_other_keys_follow_the_name() -> None:
    gelu = ROOT / "fixtures" / "ascend_gelu"
    paths = [*(gelu / "opp").rglob("*.*"), gelu / "csrc/gelu.cpp", gelu / "setup.py"]
    paths.append(gelu / "tests/test_compile.py")
    files = {str(path.relative_to(gelu)): path.read_bytes() for path in paths}
    after, done = converted(files, "opplugin")
    assert done.operators == ["npu::npu_gelu", "npu::npu_gelu_backward"] and done.left == []
    source = after["csrc/gelu.cpp"]
    assert 'TORCH_LIBRARY_IMPL(npu, Meta, m) {\n    m.impl("npu_gelu", &gelu_meta);' in source
    assert 'findSchemaOrThrow("npu::npu_gelu_backward", "")' in source
    assert "ascend_gelu" not in source and "PrivateUse1" not in source
    tests = after["tests/test_compile.py"]
    assert "opcheck(torch.ops.npu.npu_gelu.default" in tests and "ops.ascend_gelu." not in tests


def only_opplugin() -> dict[str, bytes]:
    names = ("add", "deprecated", "derivatives", "native_functions")
    files = fixture(*(f"opplugin/{name}.yaml" for name in names), "opplugin/generate.py", *OPP)
    return {**files, **fixture("setup.py", "ascend_add/__init__.py")}


def test_an_entry_becomes_a_binding_and_nothing_is_generated() -> None:
    files = only_opplugin()
    after, done = converted(files, "aclnn")
    assert done.operators == ["npu::npu_add_custom"]
    source = after["csrc/npu_add_custom.cpp"]
    assert "at::Tensor out = at::empty(x.sizes(), x.options());" in source
    assert "EXEC_NPU_CMD_EXT(aclnnAddCustom, x, y, out);" in source
    assert 'm.def("npu_add_custom(Tensor x, Tensor y) -> Tensor");' in source
    assert after["ascend_add/__init__.py"].encode() == files["ascend_add/__init__.py"]
    assert not [path for path in after if path.startswith("opplugin/")]
    build = after["setup.py"]
    assert '["csrc/npu_add_custom.cpp"]' in build and "generate.py" not in build
    compile(build, "setup.py", "exec")


def test_sizes_types_and_outputs_of_an_entry() -> None:
    entry = b"""
custom:
  - func: npu_rows(Tensor x, float eps=1e-6, bool wide=False) -> (Tensor, Tensor)
    op_api: all_version
    gen_opapi:
      out0:
        size: x
        dtype: x
      out1:
        size: '{x.size(0), 1}'
        dtype: at::kFloat
      exec: aclnnRows, x, eps, out0, out1
  - func: npu_odd(Tensor x) -> Tensor
    op_api: all_version
    gen_opapi:
      out: {size: "{x.size(0)}", dtype: x}
      exec: aclnnOdd
"""
    after, done = converted({"opplugin/ops.yaml": entry}, "aclnn")
    assert done.operators == ["npu::npu_rows", "npu::npu_odd"]
    source = after["csrc/npu_rows.cpp"]
    assert "npu_rows(const at::Tensor &x, double eps, bool wide) {" in source
    assert "at::empty({x.size(0), 1}, x.options().dtype(at::kFloat));" in source
    assert "EXEC_NPU_CMD_EXT(aclnnRows, x, eps, out0, out1);" in source
    assert "return {out0, out1};" in source
    assert "at::empty({x.size(0)}, x.options());" in after["csrc/npu_odd.cpp"]


def test_an_entry_whose_adapter_is_elsewhere_is_left() -> None:
    entry = b"custom:\n  - func: npu_far(Tensor x) -> Tensor\n    op_api: all_version\n"
    files = {"opplugin/ops.yaml": entry}
    after, done = converted(files, "aclnn")
    assert after["opplugin/ops.yaml"].encode() == entry and done.operators == []
    assert [left.reason for left in done.left] == ["its adapter is not in the tree"]


@pytest.mark.parametrize("route", ["direct", "aclnn", "opplugin"])
def test_what_is_there_already_stays_as_it_is(route: str) -> None:
    """A second run changes nothing, from each of the routes."""
    for files in (only_direct(), only_aclnn(), only_opplugin()):
        after, _ = converted(files, route)
        again, done = converted({path: text.encode() for path, text in after.items()}, route)
        assert done.operators == [] and again == after


def test_there_and_back_again() -> None:
    """An operator of a package, launched, and of a package again: the same kernel and numbers."""
    there, _ = converted(only_aclnn(), "direct")
    back, done = converted({path: text.encode() for path, text in there.items()}, "aclnn")
    assert done.operators == [], "its launch takes a structure"
    assert back == there and "has the type `AddCustomTilingData`" in done.left[0].reason
    entries, _ = converted(only_aclnn(), "opplugin")
    back, done = converted({path: text.encode() for path, text in entries.items()}, "aclnn")
    assert done.operators == ["npu::npu_add_aclnn"]
    assert '"npu_add_aclnn", &op_api::npu_add_aclnn' in back["csrc/add_aclnn.cpp"]
    assert '["csrc/add_aclnn.cpp"]' in back["setup.py"] and "opplugin/operators.yaml" not in back


# ------------------------------------------------------------- of other targets


class Other(TorchNpu):
    """A target that has a route of its own, which has every operator in one file."""

    routes: Mapping[str, Route] = {
        "own": Route(route=AscendRoute.ACLOP, title="operators, all in one", reason="...")
    }

    def convert(
        self,
        tree: Mapping[str, bytes],
        look: Callable[[Mapping[str, bytes]], Ascend | None],
        route: str,
    ) -> Conversion:
        seen = look(tree)
        assert route == "own" and seen is not None
        operators = [operator.name for operator in seen.operators]
        left = [Left("one.cpp", 1, name, "has to be tested") for name in operators]
        return Conversion({"one.cpp": b"one\n"}, left, operators)


def test_a_target_converts_operators_by_the_routes_that_it_states() -> None:
    discovery = discover(ADD)
    plan, (said,) = change_route(Plan(), ADD, discovery, Other(), "own")
    assert [(p.path, p.before, p.after) for p in plan.patches] == [("one.cpp", None, b"one\n")]
    assert [c.title for p in plan.patches for c in p.changes] == ["operators, all in one"]
    assert said.startswith("converted to the route own: ") and "ascend_add::add_direct" in said
    assert {f.rule for f in plan.open} == {"ascend/route/own"}


def test_a_target_has_no_routes_unless_it_states_some() -> None:
    assert {name for name, target in TARGETS.items() if target.routes} == {"mindspore", "torch_npu"}
    assert TARGETS["paddle"].convert({}, lambda tree: None, "aclnn").operators == []


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
