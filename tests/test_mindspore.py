"""Plugins of MindSpore: what porter recognises in them, what it finds wrong, and what it mends."""

from __future__ import annotations

import os
import shutil
import subprocess
from functools import partial
from pathlib import Path

import pytest

from porter.build import environment
from porter.model import AscendPart, AscendRoute, Device, State
from porter.stages.routes import recognise
from porter.surface.load import load, load_torch
from porter.surface.names import cpp_state, python_state
from porter.survey.discover import discover
from porter.targets.conversion import Conversion
from porter.targets.mindspore import TARGET
from tests.conftest import CACHE, ROOT
from tests.porting import porter
from tests.test_ascend import found, operator, parts
from tests.test_ascend_rules import findings, listed

FIXTURES = ROOT / "fixtures"
RIGHT, WRONG = FIXTURES / "advance_step_ms", FIXTURES / "mindspore_wrong"

RUNNER = b"""
#include "framework/runner.h"
class ScaleRunner : public OurPyboostRunner {
 public:
  using OurPyboostRunner::OurPyboostRunner;
};
"""
FUNCTIONS = b"""
#include "ms_extension/api.h"
#include "scale_runner.h"
ms::Tensor scale(const ms::Tensor &x) {
  auto out = ms::Tensor(x.data_type(), x.shape());
  auto runner = std::make_shared<ScaleRunner>("Scale");
  runner->Run({x}, {out});
  return out;
}
auto add(const ms::Tensor &x) {
  auto runner = std::make_shared<ms::pynative::AclnnOpRunner>("Add");
  runner->SetLaunchFunc(LAUNCH_ACLNN_FUNC(aclnnAdd, x, x));
  runner->Run({x}, {});
}
void multiply(const ms::Tensor &x) { ms::pynative::RunAtbOp("MatMul", parameters, {x}, {x}); }
auto called(const ms::Tensor &x) { return ms::pynative::PyboostRunner::Call<1>(scale, x); }
OUR_OWN_EXTENSION_MODULE(m) {
  m.def("scale", &called, "x * 2", pybind11::arg("x"), pybind11::arg("by") = 2);
  m.def("add", [](const ms::Tensor &x) { return ms::pynative::PyboostRunner::Call<0>(add, x); });
  m.def("multiply", &multiply);
  m.def("version", [] { return 1; });
}
"""
GRAPH = b"REG_GRAPH_MODE_OP(scale, Infer, Kernel);\nREG_GRAPH_MODE_OP(alone, Infer, Kernel);\n"


def test_each_piece_of_an_operator_is_found_where_it_stands(tmp_path: Path) -> None:
    shutil.copytree(RIGHT, tmp_path / "plugin")
    ascend = found(tmp_path / "plugin", {})
    step = operator(ascend, "advance_step")
    assert step.routes == (AscendRoute.LAUNCH,)
    where = {part: said.partition(":")[0] for part, said in parts(step).items()}
    assert where == {
        AscendPart.KERNEL: "csrc/ascendc/advance_step.c",
        AscendPart.BINDING: "csrc/module/advance_step.cpp",
        AscendPart.RUNNER: "csrc/module/advance_step.cpp",
        AscendPart.CALL: "csrc/ascendc/advance_step.c",
        AscendPart.WRAPPER: "advance_step_ms/_custom_ops.py",
        AscendPart.TEST: "tests/test_advance_step.py",
    }
    assert step.lacks == ("graph mode", "backward")
    assert step.arguments[:3] == ("queries", "block_size", "tokens")
    (tmp_path / "plugin" / "csrc" / "ascendc" / "advance_step.c").unlink()
    (tmp_path / "plugin" / "advance_step_ms" / "_custom_ops.py").unlink()
    step = operator(found(tmp_path / "plugin", {}), "advance_step")
    assert step.lacks == ("kernel", "Python wrapper", "graph mode", "backward", "test")


def test_a_kernel_is_where_its_name_stands(tmp_path: Path) -> None:
    kernel = (
        b"template <typename T>\n__global__ __aicore__ void\nsome_kernel(GM_ADDR x,\nint n) {}\n"
    )
    launch = b"void start(void *stream) { some_kernel<float><<<1, nullptr, stream>>>(x, 1); }\n"
    ascend = found(tmp_path, {"a.asc": kernel + launch})
    kernels = [p for o in ascend.operators for p in o.pieces if p.part is AscendPart.KERNEL]
    assert [piece.line for piece in kernels] == [3]


def test_operators_are_found_by_whatever_runs_them(tmp_path: Path) -> None:
    ascend = found(
        tmp_path,
        {
            "ops/scale_runner.h": RUNNER,
            "ops/functions.cc": FUNCTIONS,
            "ops/graph.cc": GRAPH,
            "ours/__init__.py": b"from ._ours import *\n",
            "setup.py": b"Extension('ours._ours', sources=[])\n",
        },
    )
    assert ascend is not None
    routes = {one.name: one.routes for one in ascend.operators}
    assert routes == {
        "scale": (AscendRoute.RUNNER,),
        "add": (AscendRoute.ACLNN,),
        "multiply": (AscendRoute.RUNNER,),
        "alone": (AscendRoute.RUNNER,),
    }, "version runs nothing"
    scale = operator(ascend, "scale")
    assert parts(scale)[AscendPart.RUNNER] == "ops/scale_runner.h:3 OurPyboostRunner"
    assert parts(scale)[AscendPart.GRAPH] == "ops/graph.cc:1 REG_GRAPH_MODE_OP"
    assert scale.lacks == ("backward", "test") and scale.arguments == ("x", "by=")
    assert "binding" in operator(ascend, "alone").lacks
    assert parts(operator(ascend, "add"))[AscendPart.CALL].endswith("LAUNCH_ACLNN_FUNC aclnnAdd")


def test_runners_of_one_file_are_kept_apart(tmp_path: Path) -> None:
    """Each class has an Eval and a LaunchKernel."""

    def plugin(name: str) -> str:
        return (
            f"class {name} : public ms::pynative::PyboostRunner {{\n"
            f"  void LaunchKernel() override {{ {name}Entry(1, stream()); }}\n"
            f"  static void Eval() {{ std::make_shared<{name}>()->Run({{}}, {{}}); }}\n"
            "};\n"
            f"void {name}Entry(int n, void *stream) {{ {name}_kernel<<<n, stream>>>(); }}\n"
            f"auto call_{name}() {{ return ms::pynative::PyboostRunner::Call<0>({name}::Eval); }}\n"
            f'OUR_EXTENSION_MODULE(m) {{ m.def("{name}", &call_{name}); }}\n'
        )

    ascend = found(tmp_path, {"a.cpp": (plugin("one") + plugin("two")).encode()})
    for name in ("one", "two"):
        calls = [p.form for p in operator(ascend, name).pieces if p.part is AscendPart.CALL]
        assert calls == [f"<<<>>> {name}_kernel"]


def test_bprop_of_a_cell_is_a_backward(tmp_path: Path) -> None:
    cell = (
        b"from ours import _ours\nclass Scale(nn.Cell):\n"
        b"    def construct(self, x):\n        return _ours.scale(x)\n"
        b"    def bprop(self, x, out, grad):\n        return _ours.add(grad)\n"
    )
    files = {"ops/scale_runner.h": RUNNER, "ops/functions.cc": FUNCTIONS, "ours/cell.py": cell}
    ascend = found(tmp_path, {**files, "setup.py": b"Extension('ours._ours', sources=[])\n"})
    assert parts(operator(ascend, "scale"))[AscendPart.AUTOGRAD] == "ours/cell.py:4 bprop of Scale"
    assert "backward" in operator(ascend, "add").lacks


@pytest.mark.parametrize("fixture", [RIGHT, WRONG], ids=lambda path: path.name)
def test_every_defect_of_a_plugin_is_found_and_nothing_else(fixture: Path) -> None:
    expected = fixture.with_name(f"{fixture.name}.findings").read_text().splitlines()
    assert sorted(listed(findings(fixture))) == sorted(expected)


def test_migrate_mends_what_is_mechanical_and_a_small_patch_by_hand_the_rest(
    own_home: Path, tmp_path: Path
) -> None:
    arguments = ("-t", "mindspore", "--review", "--no-compiler")
    code, document = porter(own_home, "migrate", str(WRONG), *arguments)
    left = [f"{f['path']}:{f['line']} {f['rule'].rpartition('/')[2]}" for f in document["open"]]
    expected = WRONG.with_name("mindspore_wrong.left").read_text().splitlines()
    assert sorted(left) == sorted(expected) and document["residue"] == [] and code == 1
    told = Path(document["patch"]["path"])
    assert told.read_text() == WRONG.with_name("mindspore_wrong.patch").read_text()
    tree = tmp_path / "tree"
    shutil.copytree(WRONG, tree, ignore=shutil.ignore_patterns("__pycache__"))
    alone = {**os.environ, "GIT_CEILING_DIRECTORIES": str(tmp_path)}  # no repository around it
    subprocess.run(["git", "apply", str(told)], cwd=tree, check=True, env=alone)
    assert sorted(listed(findings(tree))) == sorted(expected)
    by_hand = WRONG.with_name("mindspore_wrong.byhand.patch")
    subprocess.run(["git", "apply", str(by_hand)], cwd=tree, check=True, env=alone)
    assert listed(findings(tree)) == []


def test_without_an_environment_for_it_a_plugin_is_not_built_and_that_is_said(
    tmp_path: Path,
) -> None:
    home = tmp_path / "home"
    code, document = porter(home, "verify", str(RIGHT), "-t", "mindspore", "--offline")
    assert document["repository"]["uses_torch"] is False and code == 1
    (step,) = document["ascend"]["operators"]
    assert step["name"] == "advance_step" and document["findings"] == []
    assert {build["environment"] for build in document["builds"]} == {"mindspore"}
    assert {build["status"] for build in document["builds"]} == {"skipped"}
    assert "no interpreter with mindspore" in document["reasons"][0]
    assert document["verdict"] != "PORTED"


def test_documents_and_programs_need_nothing_before_they_import_a_plugin(
    own_home: Path, tmp_path: Path
) -> None:
    """The prelude of parity cases is not for users."""
    tree = tmp_path / "plugin"
    shutil.copytree(RIGHT, tree)
    (tree / "README.md").write_text("```python\nimport advance_step_ms\nimport torch\n```\n")
    _, document = porter(own_home, "analyze", str(tree), "-t", "mindspore")
    told = [(d["line"], d["name"]) for d in document["documents"]]
    assert told == [(3, "torch")], "which MindSpore lacks"
    assert document["notes"] == [] and len(document["ascend"]["operators"]) == 1


def test_it_has_nothing_of_torch() -> None:
    surface, torch = load("mindspore", "2.10.0"), load_torch()
    assert python_state("torch.nn.functional.gelu", surface, torch).state is State.MISSING
    known = cpp_state("at::empty_like", surface, torch)
    assert known is not None and known.state is State.MISSING


def plugin_of(source: str) -> tuple[dict[str, str], list[str]]:
    """What a C++ file for torch gives of a plugin, and why some of it is left."""
    done = TARGET.convert({"csrc/op.cpp": source.encode()}, lambda tree: None, "plugin")
    return {p: (data or b"").decode() for p, data in done.files.items()}, [
        f"{left.line}: {left.reason}" for left in done.left
    ]


def function_of(body: str, head: str = "at::Tensor f(const at::Tensor &x)") -> str:
    """The function as the plugin has it, on lines without the space before them."""
    source = f"#include <torch/extension.h>\n{head} {{\n{body}\n}}\n" + BOUND
    files, left = plugin_of(source)
    assert left == []
    text = files["mindspore_plugin/csrc/module/op.cpp"].partition("auto call_f")[0]
    lines = (line.strip() for line in text.splitlines()[2:])
    return "\n".join(line for line in lines if line)


ONE = "at::Tensor f(const at::Tensor &x) { return x; }\n"
BOUND = 'PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("f", &f); }\n'


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        (
            "auto y = at::empty_like(x);\nreturn y;",
            "auto y = ms::Tensor(x.data_type(), x.shape());",
        ),
        (
            "at::Tensor y = torch::zeros({x.size(0), x.size(-1)}, x.options());\nreturn y;",
            "ms::Tensor y = ms::zeros({x.shape()[0], x.shape()[x.shape().size() - 1]}, "
            "x.data_type());",
        ),
        (
            'TORCH_CHECK(x.scalar_type() == at::kHalf, "no ", x.dim());\nreturn x;',
            "RequireThat(x.data_type() == ms::TypeId::kNumberTypeFloat16, "
            '"no ", static_cast<int64_t>(x.shape().size()));',
        ),
    ],
)
def test_what_is_asked_of_tensors_is_asked_of_mindspores(written: str, expected: str) -> None:
    assert expected in function_of(written)


@pytest.mark.parametrize(
    ("options", "kind"),
    [
        ("", "ms::TypeId::kNumberTypeFloat32"),
        (", at::kInt", "ms::TypeId::kNumberTypeInt32"),
        (", x.scalar_type()", "x.data_type()"),
        (", x.options().device(at::kCPU)", "x.data_type()"),
        (", x.options().dtype(x.dtype()).requires_grad(false)", "x.data_type()"),
        (", torch::dtype(torch::kLong)", "ms::TypeId::kNumberTypeInt64"),
        (", at::TensorOptions().dtype(at::kHalf).device(x.device())",
         "ms::TypeId::kNumberTypeFloat16"),
        (", at::device(x.device()).dtype(at::kByte)", "ms::TypeId::kNumberTypeUInt8"),
        (", at::device(x.device())", "ms::TypeId::kNumberTypeFloat32"),
    ],
)  # fmt: skip
def test_types_of_factories_are_those_of_their_options(options: str, kind: str) -> None:
    assert f"ms::zeros({{3}}, {kind})" in function_of(f"return at::zeros({{3}}{options});")
    assert f"ms::Tensor({kind}, {{3}})" in function_of(f"return torch::empty({{3}}{options});")


@pytest.mark.parametrize(
    "options",
    ["x.options().memory_format(y)", "options", "at::kFloat, at::kStrided", "at::dtype(kind(x))"],
)
def test_other_options_of_factories_are_named(options: str) -> None:
    source = f"at::Tensor f(const at::Tensor &x) {{ return at::zeros({{3}}, {options}); }}"
    files, left = plugin_of(f"#include <torch/extension.h>\n{source}\n{BOUND}")
    assert files == {} and len(left) == 1


def test_guards_and_checks_of_the_device_go() -> None:
    body = (
        "const c10::OptionalDeviceGuard guard(device_of(x));\n"
        'TORCH_CHECK(x.device().is_cpu() && x.is_cpu(), "on the CPU");\n'
        "return x.contiguous();"
    )
    assert function_of(body).splitlines()[1:] == ["return x.contiguous();", "}"]


def test_what_takes_addresses_runs_in_the_queue_and_makes_its_outputs_before() -> None:
    body = (
        "const at::Tensor in = x.contiguous();\n"
        "auto y = at::empty_like(in);\n"
        "const float *data = in.data_ptr<float>();\n"
        "at::Tensor bias = at::zeros_like(x);\n"
        "for (int64_t i = 0; i < y.numel(); ++i) {\n"
        "  y.data_ptr<float>()[i] = data[i];  // one by one\n"
        "}\n"
        "return y;"
    )
    assert function_of(body).splitlines()[1:] == [
        "const ms::Tensor in = x.contiguous();",
        "auto y = ms::Tensor(in.data_type(), in.shape());",
        "ms::Tensor bias = ms::zeros(x.shape(), x.data_type());",
        'RunLaunch("f", {in}, {y}, [=]() mutable {',
        "const float *data = in.data_ptr<float>();",
        "for (int64_t i = 0; i < static_cast<int64_t>(y.numel()); ++i) {",
        "y.data_ptr<float>()[i] = data[i];  // one by one",
        "}",
        "});",
        "return y;",
        "}",
    ]


def test_elements_are_accessed_in_the_queue() -> None:
    body = (
        "auto y = at::empty_like(x);\nauto a = x.accessor<float, 2>();\n"
        "auto b = y.accessor<float, 2>();\nb[0][1] = a[1][0];\nreturn y;"
    )
    text = function_of(body)
    assert text.index('RunLaunch("f", {x}, {y},') < text.index("auto a = x.accessor<float, 2>();")
    assert "b[0][1] = a[1][0];" in text
    source = body.replace("a[1][0]", "a[a.size(0) - 1][0]")
    files, left = plugin_of(
        f"#include <torch/extension.h>\nat::Tensor f(const at::Tensor &x) {{ {source} }}\n{BOUND}"
    )
    assert files == {} and len(left) == 1 and "`.accessor` of a tensor" in left[0]


def test_what_is_written_in_place_is_an_output() -> None:
    body = "float *data = x.data_ptr<float>();\ndata[0] += y.data_ptr<float>()[0];"
    text = function_of(body, "void f(at::Tensor x, const at::Tensor &y)")
    assert 'RunLaunch("f", {x, y}, {x}, [=]() mutable {' in text, "it waits for what x holds"


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("at::Tensor f(at::Tensor x) { return x.mul(2); }", "1: `.mul` of a tensor"),
        ("at::Tensor f(at::Tensor x) { return at::relu(x); }", "1: `at::relu` has no"),
        ("at::Tensor f(at::IntArrayRef x) { return y; }", "1: `at::IntArrayRef` of x"),
        ("float f(at::Tensor x) { return 1; }", "1: `float` is the result of f"),
        (
            "at::Tensor f(at::Tensor x) { if (x.data_ptr<int>()[0]) { return x; } return x; }",
            "1: it returns in the middle",
        ),
        ("float f(at::Tensor x) { return x.data_ptr<float>()[0]; }", "1: its result is"),
        ('#include "own.h"\nat::Tensor f(at::Tensor x) { return x; }', "1: its header"),
        ("#ifdef X\nat::Tensor f(at::Tensor x) { return x; }\n#endif", "`#ifdef X`"),
    ],
)
def test_what_is_not_mechanical_is_left_with_its_reason(source: str, reason: str) -> None:
    files, left = plugin_of(f"{source}\n{BOUND}")
    assert files == {} and len(left) == 1 and reason in left[0]


def test_migrate_adds_a_plugin_beside_a_torch_extension(own_home: Path, tmp_path: Path) -> None:
    source = FIXTURES / "row_ops"
    arguments = ("-t", "mindspore", "--no-compiler")
    _, document = porter(own_home, "migrate", str(source), *arguments)
    patch = Path(document["patch"]["path"])
    tree = tmp_path / "tree"
    shutil.copytree(source, tree, ignore=shutil.ignore_patterns("__pycache__"))
    alone = {**os.environ, "GIT_CEILING_DIRECTORIES": str(tmp_path)}
    subprocess.run(["git", "apply", str(patch)], cwd=tree, check=True, env=alone)
    plugin = tree / "mindspore_plugin"
    assert [p.name for p in sorted(plugin.iterdir())] == [
        "csrc",
        "row_ops_ms",
        "setup.py",
        "tests",
    ]
    for script in plugin.rglob("*.py"):
        compile(script.read_text(), str(script), "exec")
    ascend = found(plugin, {})
    assert ascend is not None
    assert {o.name: o.lacks for o in ascend.operators} == {
        "row_sum": ("graph mode", "backward"),
        "scale_rows_": ("graph mode", "backward"),
    }
    assert [m.defines for m in ascend.modules] == [False] and findings(plugin) == ()


def test_calls_of_aclnn_are_run_and_their_gradient_is_registered() -> None:
    gelu = (FIXTURES / "ascend_gelu" / "csrc" / "gelu.cpp").read_text()
    files, left = plugin_of(gelu)
    text = files["mindspore_plugin/csrc/module/op.cpp"]
    assert "LAUNCH_ACLNN_FUNC(aclnnGeluCustomGrad, dy, input, dx)" in text
    assert "runner->Run({dy, input}, {dx});" in text and "gelu_meta" not in text
    assert 'backend="Ascend"' in files["mindspore_plugin/setup.py"]
    init = files["mindspore_plugin/ops_ms/__init__.py"]
    assert "_custom_ops.gelu_backward(gradients[0], context.saved_tensors[0])" in init
    assert '_autograd.register("gelu", _backward_gelu' in init and left == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("return {op.call(grads[0]", "return {op.call(grads[0] * 2"),
        ("save_for_backward({x})", "save_for_backward({x * 2})"),
        ('"ascend_gelu::gelu_backward", ""', '"ascend_gelu::gelu_backward", "gelu::other"'),
    ],
)
def test_a_backward_that_is_more_than_a_call_is_named(old: str, new: str) -> None:
    gelu = (FIXTURES / "ascend_gelu" / "csrc" / "gelu.cpp").read_text()
    assert old in gelu
    _, left = plugin_of(gelu.replace(old, new))
    assert len(left) == 1 and "bprop" in left[0]


LAUNCHED = """
#include <torch/extension.h>
#include "kernel_operator.h"
#include "torch_npu/csrc/core/npu/NPUStream.h"

template <typename T> __global__ __aicore__ void twice(__gm__ T *x, GM_ADDR y, uint32_t n) {}

at::Tensor f(const at::Tensor &x) {
    auto y = at::empty_like(x);
    auto npu = c10_npu::getCurrentNPUStream();
    auto acl = npu.stream(false);
    GM_ADDR to = (GM_ADDR)y.mutable_data_ptr();
    if (x.numel() > 0) {
        QUEUED
    }
    return y;
}
"""
DIRECT = "twice<float><<<2, nullptr, acl>>>(x.data_ptr<float>(), to, x.numel());"


def launched(statement: str) -> tuple[dict[str, str], list[str]]:
    return plugin_of(LAUNCHED.replace("QUEUED", statement) + BOUND)


@pytest.mark.parametrize(
    "statement",
    [
        DIRECT,
        f'at_npu::native::OpCommand::RunOpApiV2("f", [=]() -> int {{ {DIRECT} return 0; }});',
        f"auto call = [=]() -> int {{ {DIRECT} return 0; }}; at_npu::native::OpCommand cmd; "
        'cmd.Name("f"); cmd.SetCustomHandler(call); cmd.Run();',
    ],
    ids=["direct", "queued", "command"],
)
def test_launches_move_into_the_runner(statement: str) -> None:
    files, left = launched(statement)
    assert left == []
    text = files["mindspore_plugin/csrc/module/op.cpp"]
    call = "launch_twice_float(2, stream, (uint8_t *)(x.data_ptr<float>()), to, "
    assert f"{call}static_cast<int64_t>(x.numel()));" in text
    assert 'RunOnStream("f", {x}, {y}, [=](void *stream) mutable {' in text
    for gone in ("NPUStream", "npu", "OpCommand", "cmd", "call =", "GM_ADDR", "acl", "__aicore__"):
        assert gone not in text.partition("auto call_f")[0]
    kernels = files["mindspore_plugin/csrc/ascendc/op.asc"]
    assert "twice<float><<<blocks, nullptr, stream>>>((__gm__ float *)(x), y, n);" in kernels
    assert "Tensor" not in kernels and "torch" not in kernels
    declared = files["mindspore_plugin/csrc/ascendc/op_launches.h"]
    assert "void *stream, uint8_t *x, uint8_t *y, uint32_t n);" in declared
    script = files["mindspore_plugin/setup.py"]
    compile(script, "setup.py", "exec")
    assert '"bisheng"' in script and 'backend="Ascend"' in script


HELPED = """
template <typename T> void start(const at::Tensor &x, const at::Tensor &y) {
    auto acl = c10_npu::getCurrentNPUStream().stream(false);
    GM_ADDR to = (GM_ADDR)y.mutable_data_ptr();
    many<T><<<2, nullptr, acl>>>((GM_ADDR)x.data_ptr(), to, x.numel());
}
void choose(const at::Tensor &x, const at::Tensor &y) {
    if (x.scalar_type() == at::kHalf) { start<half>(x, y); } else { start<float>(x, y); }
}
at::Tensor f(const at::Tensor &x) {
"""
KERNEL = (
    "template <typename T> __global__ __aicore__ void many(GM_ADDR x, GM_ADDR y, uint32_t n) {}\n"
)


def helped(helpers: str = HELPED) -> tuple[dict[str, str], list[str]]:
    """What becomes of launches in functions that the bound one calls."""
    source = LAUNCHED.replace("at::Tensor f(const at::Tensor &x) {\n", KERNEL + helpers)
    kept = [line for line in source.splitlines(keepends=True) if "GM_ADDR to" not in line]
    source = "".join(one for one in kept if " npu = " not in one and " acl = npu" not in one)
    return plugin_of(source.replace("QUEUED", "choose(x, y);") + BOUND)


def test_a_command_that_launches_needs_no_statement_around_it() -> None:
    queued = f"auto call = [=]() -> int {{ {DIRECT} return 0; }}; at_npu::native::OpCommand cmd; "
    queued += 'cmd.Name("f"); cmd.SetCustomHandler(call); cmd.Run();'
    source = LAUNCHED.replace("    if (x.numel() > 0) {\n        QUEUED\n    }", queued)
    files, left = plugin_of(source + BOUND)
    text = files["mindspore_plugin/csrc/module/op.cpp"]
    assert left == [] and 'RunOnStream("f", {x}, {y}, [=](void *stream) mutable {' in text


def test_functions_that_launch_for_others_are_given_the_stream() -> None:
    source = HELPED.replace("    GM_ADDR to = (GM_ADDR)y.mutable_data_ptr();\n", "")
    files, left = helped(source.replace(" to,", " (GM_ADDR)y.mutable_data_ptr(),"))
    assert left == []
    text = files["mindspore_plugin/csrc/module/op.cpp"]
    assert "void start(const ms::Tensor &x, const ms::Tensor &y, void *stream) {" in text
    assert "launch_many<T>(2, stream, (uint8_t *)(" in text
    assert "{ start<half>(x, y, stream); } else { start<float>(x, y, stream); }" in text
    assert 'RunOnStream("f", {x}, {y}, [=](void *stream) mutable {' in text
    assert "choose(x, y, stream);" in text and "npu" not in text
    declared = files["mindspore_plugin/csrc/ascendc/op_launches.h"]
    for types in ("<half>", "<float>"):
        assert (
            f"template <> inline void launch_many{types}(uint32_t blocks, void *stream," in declared
        )
    assert declared.index("struct half;") < declared.index("launch_many<half>(")
    kernels = files["mindspore_plugin/csrc/ascendc/op.asc"]
    assert "many<half><<<blocks, nullptr, stream>>>(x, y, n);" in kernels
    assert 'backend="Ascend"' in files["mindspore_plugin/setup.py"]


def test_functions_that_launch_for_their_own_result_have_a_run_of_their_own() -> None:
    source = """
    #include <torch/extension.h>
    #include "torch_npu/csrc/core/npu/NPUStream.h"
    template <typename T> __global__ __aicore__ void many(GM_ADDR x, GM_ADDR y, uint32_t n) {}
    template <typename T> at::Tensor run(const at::Tensor &x) {
        auto y = at::empty_like(x);
        many<T><<<2, nullptr, c10_npu::getCurrentNPUStream().stream()>>>(
            (GM_ADDR)x.data_ptr(), (GM_ADDR)y.data_ptr(), x.numel());
        return y;
    }
    at::Tensor f(const at::Tensor &x) { return run<half>(x.contiguous()); }
    """
    files, left = plugin_of(source + BOUND)
    assert left == []
    text = files["mindspore_plugin/csrc/module/op.cpp"]
    assert 'RunOnStream("run", {x}, {y}, [=](void *stream) mutable {' in text
    assert "launch_many<T>(2, stream, " in text and "return run<half>(x.contiguous());" in text
    assert 'backend="Ascend"' in files["mindspore_plugin/setup.py"]


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("(GM_ADDR)x.data_ptr()", "(GM_ADDR)x.data_ptr<T>()", "is a type of kernels only"),
        ("start<half>", "start<Own>", "launched with Own, a template's"),
        ("many<T><<<", "many<float><<<", "is a template, but not of its launch"),
        ("nullptr, acl", "nullptr, elsewhere", "a launch on a stream from elsewhere"),
    ],
)
def test_launches_of_helpers_that_are_not_mechanical_are_named(
    old: str, new: str, reason: str
) -> None:
    source = HELPED.replace("    GM_ADDR to = (GM_ADDR)y.mutable_data_ptr();\n", "")
    source = source.replace(" to,", " (GM_ADDR)y.mutable_data_ptr(),")
    assert old in source
    files, left = helped(source.replace(old, new))
    assert files == {} and len(left) == 1 and reason in left[0]


GIVEN = """
#include <torch/extension.h>
#include "kernel_operator.h"
#include "torch_npu/csrc/core/npu/NPUStream.h"

template <typename T> __global__ __aicore__ void twice(GM_ADDR x, GM_ADDR y, uint32_t n) {}

void start(uint32_t blocks, void *l2, aclrtStream acl, uint8_t *x, void *y, uint32_t n) {
    twice<float><<<blocks, l2, acl>>>(x, (uint8_t *)y + 4, n);
}
void start_four(void *which, const at::Tensor &x, const at::Tensor &y) {
    start(4, nullptr, which, (uint8_t *)x.data_ptr(), y.data_ptr(), x.numel());
}
at::Tensor f(const at::Tensor &x) {
    auto y = at::empty_like(x);
    auto npu = c10_npu::getCurrentNPUStream().stream(false);
    QUEUED
    return y;
}
"""
CALLED = "start(4, nullptr, npu, (uint8_t *)x.data_ptr(), y.data_ptr(), x.numel());"


@pytest.mark.parametrize(
    "statement",
    [
        CALLED,
        CALLED.replace("npu", "c10_npu::getCurrentNPUStream().stream()"),
        f'at_npu::native::OpCommand::RunOpApiV2("f", [=]() -> int {{ {CALLED} return 0; }});',
        f"auto call = [=]() -> int {{ {CALLED} return 0; }}; at_npu::native::OpCommand cmd; "
        'cmd.Name("f"); cmd.SetCustomHandler(call); cmd.Run();',
    ],
    ids=["direct", "without a name", "queued", "command"],
)
def test_functions_with_a_parameter_for_the_stream_get_the_runners(statement: str) -> None:
    files, left = plugin_of(GIVEN.replace("QUEUED", statement) + BOUND)
    assert left == []
    text = files["mindspore_plugin/csrc/module/op.cpp"]
    assert "uint32_t blocks, void *l2, void * acl, uint8_t *x, void *y, uint32_t n) {" in text
    assert "launch_twice_float(blocks, acl, x, (uint8_t *)((uint8_t *)y + 4), n);" in text
    assert 'RunOnStream("f", {x}, {y}, [=](void *stream) mutable {' in text
    assert "start(4, nullptr, stream, (uint8_t *)x.GetDataPtr(), y.GetDataPtr(), " in text
    assert "npu" not in text and "cmd" not in text


def test_a_stream_is_given_through_several_functions() -> None:
    files, left = plugin_of(GIVEN.replace("QUEUED", "start_four(npu, x, y);") + BOUND)
    assert left == []
    text = files["mindspore_plugin/csrc/module/op.cpp"]
    assert "start(4, nullptr, which, (uint8_t *)x.GetDataPtr(), " in text
    assert "        start_four(stream, x, y);" in text


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("nullptr, npu,", "nullptr, elsewhere,", "a launch on a stream from elsewhere"),
        ("nullptr, npu,", "tables, npu,", "more than blocks and a stream"),
        ("    return y;", "    use(npu);\n    return y;", "`npu` is used other than to launch"),
        ("acl>>>(", "acl>>>(synchronize(acl), ", "the number of arguments does not match"),
        ("    twice<", "    synchronize(acl);\n    twice<", "`acl` is used other than to launch"),
        ("    return y;", "    aclrtFree(y.data_ptr());\n    return y;", "`aclrtFree` has no"),
    ],
)
def test_streams_from_elsewhere_are_named(old: str, new: str, reason: str) -> None:
    source = GIVEN.replace("QUEUED", CALLED)
    assert old in source
    files, left = plugin_of(source.replace(old, new) + BOUND)
    assert files == {} and len(left) == 1 and reason in left[0]


def test_files_with_launches_alone_are_kernels_of_the_plugin() -> None:
    """Whose functions the bindings declare, and call with tensors' addresses and the stream."""
    kernels = b"""
    #include "kernel_operator.h"
    #include "shared/tiles.h"
    __global__ __aicore__ void twice(GM_ADDR x, GM_ADDR y, uint32_t n) {}
    extern "C" void twice_do(uint32_t blocks, void *stream, uint8_t *x, uint8_t *y, uint32_t n) {
        twice<<<blocks, nullptr, stream>>>(x, y, n);
    }
    """
    source = GIVEN[: GIVEN.index("template")]
    source += (
        'extern "C" void twice_do(uint32_t, aclrtStream, uint8_t *, uint8_t *, uint32_t);\n'
        "at::Tensor f(const at::Tensor &x) {\n    auto y = at::empty_like(x);\n"
        "    twice_do(8, c10_npu::getCurrentNPUStream().stream(), (uint8_t *)x.data_ptr(),\n"
        "             (uint8_t *)y.data_ptr(), x.numel());\n    return y;\n}\n"
    )
    tree = {
        "csrc/op.cpp": (source.replace('#include "kernel_operator.h"\n', "") + BOUND).encode(),
        "kernels/twice.cpp": kernels,
        "kernels/shared/tiles.h": b"constexpr int TILE = 8;\n",
    }
    done = TARGET.convert(tree, lambda tree: None, "plugin")
    assert done.left == []
    files = {path: (data or b"").decode() for path, data in done.files.items()}
    text = files["mindspore_plugin/csrc/module/op.cpp"]
    assert 'extern "C" void twice_do(uint32_t, void *, uint8_t *, ' in text
    assert "twice_do(8, stream, (uint8_t *)x.GetDataPtr()," in text
    assert "<<<" not in text and "_launches.h" not in text
    kept = files["mindspore_plugin/csrc/ascendc/twice.asc"]
    assert kept == kernels.decode().replace("shared/", "")
    assert files["mindspore_plugin/csrc/ascendc/tiles.h"] == "constexpr int TILE = 8;\n"
    assert 'backend="Ascend"' in files["mindspore_plugin/setup.py"]


DEFINED = """
#include <torch/extension.h>
#include "ops.h"
using torch::autograd::Function;

namespace ops {
namespace {
int64_t count(const at::Tensor &x) { return x.numel(); }
}  // namespace
at::Tensor f(const at::Tensor &x) {
    TORCH_CHECK(count(x) > 0, "empty");
    return at::empty_like(x);
}
}  // namespace ops
"""
ELSEWHERE = """
#include "ops.h"
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("g", &ops::f); }
"""
HEADER = """
#ifndef OPS_H
#define OPS_H
#include <ATen/ATen.h>
namespace ops {
at::Tensor f(const at::Tensor &x);
at::Tensor of_gpu(const at::Tensor &x);
}  // namespace ops
#endif  // OPS_H
"""


def bound_elsewhere(defined: str = DEFINED, header: str = HEADER) -> Conversion:
    """What becomes of a function whose binding is in another file."""
    files = {"csrc/op.cpp": defined, "csrc/bindings.cpp": ELSEWHERE, "csrc/ops.h": header}
    tree = {path: text.encode() for path, text in files.items()}
    return TARGET.convert(tree, lambda tree: None, "plugin")


def test_functions_may_be_bound_in_another_file_and_be_in_namespaces() -> None:
    done = bound_elsewhere()
    assert done.left == [] and done.operators == ["g"]
    text = (done.files["mindspore_plugin/csrc/module/op.cpp"] or b"").decode()
    assert "PyboostRunner::Call<1>(ops::f, x);" in text and 'm.def("g", &call_f' in text
    assert "ops.h" not in text and "autograd" not in text
    assert "mindspore_plugin/csrc/module/bindings.cpp" not in done.files


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("return at::empty_like(x)", "return of_gpu(x)", "`of_gpu` is defined in another file"),
        ("return at::empty_like(x)", "Function y; return x", "`torch::autograd` has no"),
        ("namespace ops {\nnamespace {", "using namespace at;\nnamespace ops {\nnamespace {",
         "`using namespace at`"),
    ],
)  # fmt: skip
def test_what_is_only_declared_is_named(old: str, new: str, reason: str) -> None:
    assert old in DEFINED
    done = bound_elsewhere(DEFINED.replace(old, new))
    assert done.files == {} and len(done.left) == 1 and reason in done.left[0].reason


@pytest.mark.parametrize(
    "more",
    [
        "struct Shape { int n; };",
        "#define SIZE 3",
        "inline int two() { return 2; }",
        "using T = int;",
    ],
)
def test_headers_with_more_than_prototypes_are_named(more: str) -> None:
    done = bound_elsewhere(header=HEADER.replace("#endif", f"{more}\n#endif"))
    assert done.files == {}
    assert [left.reason for left in done.left] == ['its header "ops.h" is not part of the plugin']


def test_entries_for_opplugin_become_functions_that_call_aclnn() -> None:
    def convert_entry(size: str) -> Conversion:
        entry = (
            "custom:\n  - func: npu_twice(Tensor x, float scale) -> Tensor\n    op_api: v2.10\n"
            f"    gen_opapi:\n      out:\n        size: {size}\n        dtype: x\n"
            "      exec: aclnnTwice\n"
        )
        tree = {
            "opplugin/twice.yaml": entry.encode(),
            "ops/__init__.py": b"import torch\n\n\ndef twice(x):\n"
            b"    return torch.ops.npu.npu_twice(x, 2.0)\n",
        }
        return TARGET.convert(tree, partial(recognise, roles={}), "plugin")

    done = convert_entry("x")
    assert done.left == [] and done.operators == ["npu_twice"]
    text = (done.files["mindspore_plugin/csrc/module/npu_twice.cpp"] or b"").decode()
    assert "LAUNCH_ACLNN_FUNC(aclnnTwice, x, scale, out)" in text and "at::" not in text
    package = done.files["mindspore_plugin/ops_ms/__init__.py"] or b""
    assert b"return _custom_ops.npu_twice(x, 2.0)" in package
    (left,) = {(one.path, one.line) for one in convert_entry("sizes_of(x)").left}
    assert left == ("opplugin/twice.yaml", 2)


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (
            "start(c10_npu::getCurrentNPUStream().stream(), x.data_ptr());",
            "the stream is for other",
        ),
        ("at_npu::native::OpCommand cmd; cmd.Run();", "`at_npu` in an unsupported place"),
    ],
)
def test_what_is_of_torch_npu_is_not_left_in_a_plugin(body: str, reason: str) -> None:
    source = (
        f"#include <torch/extension.h>\nat::Tensor f(const at::Tensor &x) {{ {body} return x; }}\n"
    )
    files, left = plugin_of(source + BOUND)
    assert files == {} and len(left) == 1 and reason in left[0]


def test_the_chip_of_kernels_is_that_of_the_tree_or_named_in_a_note() -> None:
    tree = {"csrc/op.cpp": (LAUNCHED.replace("QUEUED", DIRECT) + BOUND).encode()}
    done = TARGET.convert(tree, lambda tree: None, "plugin")
    script = (done.files["mindspore_plugin/setup.py"] or b"").decode()
    assert 'os.environ.get("NPU_ARCH", "dav-2201")' in script
    assert len(done.notes) == 1 and "dav-2201" in done.notes[0] and "NPU_ARCH" in done.notes[0]
    for named in ('["--npu-arch=dav-3510"]', 'os.environ.get("NPU_ARCH", "dav-3510")'):
        tree["setup.py"] = f"import os\nflags = {named}\n".encode()
        done = TARGET.convert(tree, lambda tree: None, "plugin")
        assert done.notes == []
        assert b'"dav-3510"' in (done.files["mindspore_plugin/setup.py"] or b"")


@pytest.mark.parametrize(
    ("statement", "reason"),
    [
        (DIRECT.replace("nullptr", "1024"), "more than blocks and a stream"),
        (f"{DIRECT} aclrtSynchronizeStream(acl);", "`acl` is used other than to launch"),
        (DIRECT.replace("twice<float>", "other"), "the kernel `other` is not in the file"),
    ],
)
def test_launches_that_are_not_mechanical_are_named(statement: str, reason: str) -> None:
    files, left = launched(statement)
    assert files == {} and len(left) == 1 and reason in left[0]


def test_tensors_may_be_optional_and_results_several() -> None:
    files, left = plugin_of((FIXTURES / "ascend_rms_norm" / "csrc" / "rms_norm.cpp").read_text())
    text = files["mindspore_plugin/csrc/module/op.cpp"]
    assert left == [] and "at::" not in text
    for expected in (
        "using Weight = std::optional<ms::Tensor>;",
        "std::vector<ms::Tensor> rms_norm(const ms::Tensor &x, const Weight &weight, double eps)",
        "(*weight).shape()[0] == x.shape()[x.shape().size() - 1]",
        "ms::Tensor rstd = ms::Tensor(ms::TypeId::kNumberTypeFloat32, rows);",
        "runner->Run({input, own.value_or(ms::Tensor())}, {y, rstd});",
        "dweight = ms::zeros(dweight.shape(), dweight.data_type());",
        "const std::optional<ms::Tensor> &weight, double eps) {",
        "PyboostRunner::Call<2>(rms_norm, x, weight, eps);",
    ):
        assert expected in text


PYTHON = """
import math
from pathlib import Path

import torch
from ops import _C

for _each in Path(__file__).parent.glob("*.so"):
    torch.ops.load_library(_each)


def twice(x: "torch.Tensor | None", by=math.pi):
    return torch.ops.ops.f(_C.f(x), by)[0]


class Twice(torch.nn.Module):
    def forward(self, x):
        return twice(x)


class Squares(torch.autograd.Function):
    pass


@torch.library.register_fake("ops::f")
def _shape(x):
    return torch.empty_like(x)


for _name in ("f", "g"):
    torch.library.register_fake(_name, _shape)
    torch.library.register_autograd(_name, Squares.backward)


def other(x):
    return torch.relu(x)


def more(x):
    return other(twice(x))
"""


def test_python_that_uses_operators_is_carried_over() -> None:
    tree = {
        "ops/__init__.py": b"from ops.functions import more, twice\nimport torch\n",
        "ops/functions.py": PYTHON.encode(),
        "csrc/op.cpp": f"#include <torch/extension.h>\n{ONE}{BOUND}".encode(),
    }
    done = TARGET.convert(tree, lambda tree: None, "plugin")
    files = {
        p.removeprefix("mindspore_plugin/"): (d or b"").decode() for p, d in done.files.items()
    }
    ported = files["ops_ms/functions.py"]
    for expected in (
        "import math\n",
        'def twice(x: "mindspore.Tensor | None", by=math.pi):',
        "return _custom_ops.f(_custom_ops.f(x), by)[0]",
        "class Twice(mindspore.nn.Cell):\n    def construct(self, x):",
        "class Squares(_autograd.Function):",
        'for _name in ("f", "g"):\n    _autograd.register(_name, Squares.backward)',
    ):
        assert expected in ported
    compile(ported, "functions.py", "exec")
    assert "torch" not in ported and "Path" not in ported and "_shape" not in ported
    assert "from ops_ms.functions import twice\n" in files["ops_ms/__init__.py"]
    assert [(left.name, left.reason) for left in done.left] == [
        ("functions.other", "`torch.relu` has no counterpart"),
        ("functions.more", "it uses other, which is not in the plugin"),
    ]


SQUARES = """
import torch
from ops import _C


def keep(ctx, inputs, output):
    ctx.save_for_backward(*inputs)


def backward(ctx, grad):
    (x,) = ctx.saved_tensors
    return torch.ops.ops.f(x) * grad


torch.library.register_autograd("ops::f", backward, setup_context=keep)


def call(x):
    return _C.f(x)
"""
CALLS = """
import os, sys

exec(sys.stdin.read(), {})
import numpy
import torch
import ops

numbers = numpy.arange(6, dtype="float32").reshape(2, 3)
x = torch.from_numpy(numbers).requires_grad_()
for function in (ops.call, torch.ops.any.f):
    y = function(x)
    assert isinstance(y, torch.Tensor) and y.requires_grad and (y.numpy() == numbers**2).all()
    torch.autograd.backward([y], [torch.from_numpy(numbers + 1)])
    assert (x.grad.numpy() == numbers**2 * (numbers + 1)).all()
t = x.transpose(-1, -2)
assert t.stride() == (1, 3) and t.shape == (3, 2) and (t.numpy() == numbers.T).all()
assert t.data_ptr() == x.data_ptr() and x[..., ::2].stride() == (3, 2)
assert torch.as_strided(x, [4, 3], [0, 1]).stride() == (0, 1)
assert callable(torch.ops.load_library), "libraries beside the module, of kernels"
b = torch.from_numpy(numpy.array([0x3FC0, 0x7FC0], "int16")).view(torch.bfloat16)
assert b.dtype is torch.bfloat16 and b.view(torch.int16).numpy().tolist()[0] == 0x3FC0
assert b.to(torch.float32).numpy()[0] == 1.5
"""


def test_cases_are_called_and_differentiated_by_what_they_have_of_torch(tmp_path: Path) -> None:
    """With the operator in Python, so that nothing is compiled."""
    spec = TARGET.environment(TARGET.default_version, Device.CPU)
    cached = environment.find_cached(spec, CACHE)
    if cached is None:
        pytest.skip(f"porter has made no environment for MindSpore {TARGET.default_version} yet")
    tree = {
        "ops/__init__.py": SQUARES.encode(),
        "csrc/op.cpp": f"#include <torch/extension.h>\n{ONE}{BOUND}".encode(),
    }
    for path, data in TARGET.convert(tree, lambda tree: None, "plugin").files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(data or b"")
    plugin = tmp_path / "mindspore_plugin"
    (plugin / "ops_ms" / "_C_ops.py").write_text("def f(x):\n    return x * x\n")
    done = subprocess.run(
        [cached.python, "-c", CALLS],
        input=TARGET.prelude,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(plugin), "PORTER_DEVICE": "cpu"},
    )
    assert done.returncode == 0, done.stderr[-3000:]


@pytest.mark.parametrize(
    ("fixture", "names"),
    [
        (
            "ascend_add",
            {
                "graph.add_aclnn",
                "graph.add_yaml",
                "test_the_operator_is_one_of_torch",
                "test_streams_keep_their_order",
                "test_a_graph_computes_what_eager_does",
                "test_gradients_through_a_graph",
            },
        ),
        (
            "ascend_gelu",
            {
                "graph.convert_gelu",
                "graph.convert_gelu_backward",
                "test_it_learns",
                "test_there_is_no_second_derivative",
                "test_opcheck",
                "test_meta_says_what_the_kernel_gives",
                "test_export_keeps_the_operator",
                "test_compile_with_gradients",
                "test_the_backward_graph_has_the_backward_kernel",
                "test_tensors_need_not_be_contiguous",
                "test_streams_keep_their_order",
            },
        ),
        (
            "ascend_rms_norm",
            {
                "graph.convert_rms_norm",
                "graph.convert_rms_norm_backward",
                "test_the_operator_is_one_of_torch",
            },
        ),
        ("row_ops", {"stream_handle", "test_stream_handle"}),
        ("advance_step", set()),
        ("ascend_advance_step", set()),
    ],
)
def test_what_of_a_tree_the_plugin_lacks_is_named(fixture: str, names: set[str]) -> None:
    discovery = discover(FIXTURES / fixture)
    paths = (*(file.path for file in discovery.files), *discovery.data)
    tree = {path: (FIXTURES / fixture / path).read_bytes() for path in paths}
    look = partial(recognise, roles={file.path: file for file in discovery.files})
    left = TARGET.convert(tree, look, "plugin").left
    assert {one.name for one in left} == names


def test_operators_without_a_source_for_a_plugin_are_named() -> None:
    other = 'TORCH_LIBRARY(ops, m) { m.def("of_cuda(Tensor x) -> Tensor"); }\n'
    files, left = plugin_of(f"#include <torch/extension.h>\n{ONE}{BOUND}{other}")
    assert files and len(left) == 1 and "no function in C++" in left[0]


@pytest.mark.parametrize(
    ("binding", "expected"),
    [
        (
            'TORCH_LIBRARY(ops, m) { m.def("g(Tensor x, Tensor? w=None, float eps=1e-06, *, '
            "bool near=False, str mode='sum') -> Tensor\", &g); }",
            "x, w=None, eps=1e-06, near=False, mode='sum'",
        ),
        (
            'PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("g", &g, "doc", py::arg("x"), '
            'py::arg("lambda") = py::none(), py::arg("eps") = 1e-6f, py::arg("near") = true, '
            'py::arg("mode") = "sum"); }',
            'x, lambda_=None, eps=1e-6, near=True, mode="sum"',
        ),
        (
            'PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("g", &g); }',
            "x, weight, epsilon, near, mode",
        ),
    ],
    ids=["schema", "pybind", "none"],
)
def test_functions_in_python_have_the_names_and_defaults_of_the_binding(
    binding: str, expected: str
) -> None:
    files, left = plugin_of(
        "#include <torch/extension.h>\nat::Tensor g(const at::Tensor &x, const "
        "std::optional<at::Tensor> &weight, double epsilon, bool near, std::string mode) "
        f"{{ return x; }}\n{binding}\n"
    )
    text = files["mindspore_plugin/ops_ms/_custom_ops.py"]
    names = ", ".join(part.partition("=")[0] for part in expected.split(", "))
    assert left == [] and f"def g({expected}):" in text and f"_C_ops.g({names})" in text
    compile(text, "_custom_ops.py", "exec")


@pytest.mark.parametrize(
    "written",
    ["int[] n=[1, 1], float eps=1.0", "int n=1, float eps", "int n=SIZE, float eps=1.0"],
)
def test_defaults_that_are_no_literals_or_not_the_last_are_named(written: str) -> None:
    files, left = plugin_of(
        "#include <torch/extension.h>\nat::Tensor g(const at::Tensor &x, int64_t n, double eps) "
        "{ return x; }\nTORCH_LIBRARY(o, m) "
        f'{{ m.def("g(Tensor x, {written}) -> Tensor", &g); }}\n'
    )
    assert len(left) == 1 and "default arguments are omitted" in left[0]
    compile(files["mindspore_plugin/ops_ms/_custom_ops.py"], "_custom_ops.py", "exec")


def test_what_is_neither_given_nor_gives_a_tensor_is_named() -> None:
    source = "#include <torch/extension.h>\nvoid f(int64_t n) {}\nvoid g(at::Tensor x) {}\n"
    files, left = plugin_of(source + BOUND)
    assert files == {} and len(left) == 1 and "f has no tensor argument" in left[0]


def test_a_name_is_of_one_file_and_defaults_are_named() -> None:
    binding = 'PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("f", &f, py::arg("x") = N); }\n'
    source = f"at::Tensor f(const at::Tensor &x) {{ return x; }}\n{binding}".encode()
    done = TARGET.convert({"a/op.cpp": source, "b/own.cpp": source}, lambda tree: None, "plugin")
    assert done.operators == ["f"] and "mindspore_plugin/csrc/module/own.cpp" not in done.files
    reasons = [(left.path, left.reason) for left in done.left]
    assert reasons == [
        ("a/op.cpp", "default arguments are omitted"),
        ("b/own.cpp", "the plugin already has an operator f, from another file"),
    ]
