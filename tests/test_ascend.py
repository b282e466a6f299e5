"""What a repository has for Ascend NPUs: routes, operators, their pieces, what is lacking."""

from __future__ import annotations

from pathlib import Path

import pytest

from porter.ascend.names import Names
from porter.ascend.recognise import recognise_bytes
from porter.languages.cpp import parse
from porter.model import (
    Ascend,
    AscendOperator,
    AscendPart,
    AscendRoute,
    Language,
    Role,
    SourceFile,
)
from porter.survey.discover import discover
from porter.survey.survey import survey
from tests.conftest import ROOT

ACLNN = b"""
#include <torch/library.h>
#include "npu_cpp_extension.h"
at::Tensor helper(const at::Tensor& x, at::Tensor y) {
  EXEC_NPU_CMD_EXT(aclnnAddCustom, x, x, y);  // not aclnnOther
  return y;
}
at::Tensor add_npu(const at::Tensor& x) { return helper(x, at::empty_like(x)); }
at::Tensor add_meta(const at::Tensor& x) { return at::empty_like(x); }
TORCH_LIBRARY(ours, m) { m.def("add(Tensor x) -> " "Tensor"); m.def("own(Tensor x) -> Tensor"); }
TORCH_LIBRARY_IMPL(ours, PrivateUse1, m) { m.impl("add", &add_npu); }
TORCH_LIBRARY_IMPL(ours, Meta, m) { m.impl("add", TORCH_FN(add_meta)); }
"""
LAUNCH = b"""
#include "kernel_operator.h"
__global__ __vector__ void scale(GM_ADDR x, float a) {}
namespace ops {
at::Tensor run(const at::Tensor& x) {
  // scale<<<1, nullptr, s>>>(x);
  scale<<<8, nullptr, stream>>>(x.mutable_data_ptr(), 2.0f);
  return x;
}
}
PYBIND11_MODULE(lib, m) { m.def("scale", &ops::run, "doc"); }
"""
OPDEF = b"""
#include "register/op_def_registry.h"
namespace ops {
class AddCustom : public OpDef {
 public:
  explicit AddCustom(const char* name) : OpDef(name) { this->Input("x"); }
};
OP_ADD(AddCustom);
}
"""
TILING = b'#include "x.h"\nIMPL_OP_OPTILING(AddCustom).Tiling(f);\n'
SHAPES = b'#include "x.h"\nIMPL_OP(AddCustom).InferDataType(g).InferShape(f);\n'
KERNEL = b"""
#include "kernel_operator.h"
extern "C" __global__ __aicore__ void add_custom(GM_ADDR x, GM_ADDR y) { }
"""
CONVERTER = b"""
import torch
from torchair import register_fx_node_ge_converter

@register_fx_node_ge_converter(torch.ops.ours.add.default)
def convert(x, meta_outputs=None):
    return x

class Add(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return torch.ops.ours.add(x)
    @staticmethod
    def backward(ctx, grad):
        return grad
"""
YAML = b"""
custom:
  # - func: npu_none(Tensor self) -> Tensor
  - func: npu_gelu(Tensor self) -> Tensor
    op_api: all_version
    gen_opapi:
      out:
        size: self
      exec: aclnnGelu
"""


def found(tmp_path: Path, files: dict[str, bytes]) -> Ascend | None:
    for name, data in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return survey(tmp_path, discover(tmp_path)).ascend


def operator(ascend: Ascend | None, name: str) -> AscendOperator:
    assert ascend is not None
    return next(o for o in ascend.operators if o.name == name)


def parts(one: AscendOperator) -> dict[AscendPart, str]:
    return {piece.part: f"{piece.path}:{piece.line} {piece.form}" for piece in one.pieces}


def test_an_aclnn_extension_with_its_package_has_all_pieces(tmp_path: Path) -> None:
    ascend = found(
        tmp_path,
        {
            "csrc/add.cpp": ACLNN,
            "op_host/add_custom_def.cpp": OPDEF,
            "op_host/add_custom_tiling.cpp": TILING,
            "op_host/add_custom_shapes.cpp": SHAPES,
            "op_kernel/add_custom.cpp": KERNEL,
            "ours/graph.py": CONVERTER,
            "tests/test_add.py": b"import torch\ndef test_it():\n    torch.ops.ours.add(x)\n",
        },
    )
    add = operator(ascend, "ours::add")
    assert add.routes == (AscendRoute.ACLNN,)
    assert add.schema == "add(Tensor x) -> Tensor"
    assert parts(add) == {
        AscendPart.DEFINITION: "op_host/add_custom_def.cpp:4 OpDef",
        AscendPart.SHAPES: "op_host/add_custom_shapes.cpp:2 IMPL_OP, InferShape",
        AscendPart.TILING: "op_host/add_custom_tiling.cpp:2 IMPL_OP_OPTILING",
        AscendPart.KERNEL: "op_kernel/add_custom.cpp:3 __aicore__",
        AscendPart.BINDING: "csrc/add.cpp:11 PrivateUse1",
        AscendPart.CALL: "csrc/add.cpp:5 EXEC_NPU_CMD_EXT aclnnAddCustom",
        AscendPart.AUTOGRAD: "ours/graph.py:12 autograd.Function Add",
        AscendPart.META: "csrc/add.cpp:12 Meta",
        AscendPart.CONVERTER: "ours/graph.py:5 register_fx_node_ge_converter",
        AscendPart.WRAPPER: "ours/graph.py:12 torch.ops",
        AscendPart.TEST: "tests/test_add.py:3 torch.ops",
    } | {AscendPart.DEFINITION: parts(add)[AscendPart.DEFINITION]}
    forms = {p.form for p in add.pieces if p.part is AscendPart.DEFINITION}
    assert forms == {"OpDef", "TORCH_LIBRARY"}
    assert add.lacks == ()
    assert ascend is not None and len(ascend.operators) == 1, "own is not for Ascend"
    (tmp_path / "op_host/add_custom_shapes.cpp").unlink()
    assert operator(found(tmp_path, {}), "ours::add").lacks == ("shape inference",)


def test_a_direct_launch_is_seen_and_cannot_enter_a_graph(tmp_path: Path) -> None:
    scale = operator(found(tmp_path, {"csrc/scale.asc": LAUNCH}), "scale")
    assert scale.routes == (AscendRoute.LAUNCH,)
    assert parts(scale)[AscendPart.CALL] == "csrc/scale.asc:7 <<<>>> scale", "not the comment's"
    assert parts(scale)[AscendPart.KERNEL] == "csrc/scale.asc:3 __global__"
    assert scale.lacks == ("schema", "meta function", "backward", "ACLNN operator", "test")


def test_yaml_entries_are_the_route_of_opplugin(tmp_path: Path) -> None:
    setup = b"import torch_npu\nfrom setuptools import setup\nsetup(name='x')\n"
    ascend = found(tmp_path, {"setup.py": setup, "npu_custom.yaml": YAML})
    assert ascend is not None
    assert [o.name for o in ascend.operators] == ["npu::npu_gelu"]
    gelu = ascend.operators[0]
    assert gelu.routes == (AscendRoute.OPPLUGIN,)
    assert parts(gelu)[AscendPart.CALL] == "npu_custom.yaml:4 exec aclnnGelu"


@pytest.mark.parametrize(
    ("text", "form"),
    [
        (b"EXEC_KERNEL_CMD(scale, 8, x);", "EXEC_KERNEL_CMD scale"),
        (b"ACLRT_LAUNCH_KERNEL(scale)(8, stream, x);", "ACLRT_LAUNCH_KERNEL scale"),
        (b"scale<half, 2><<<8, nullptr, s>>>(x);", "<<<>>> scale"),
        (b'OpCommand cmd; cmd.Name("Add").Input(x).Run();', "OpCommand Add"),
        (b"aclnnAddGetWorkspaceSize(x, &n, &e); aclnnAdd(w, n, e, s);", "two functions aclnnAdd"),
    ],
)
def test_every_form_of_the_routes_is_known(tmp_path: Path, text: bytes, form: str) -> None:
    source = b'#include "torch_npu/csrc/x.h"\nvoid run(at::Tensor x) { ' + text + b" }\n"
    source += b'PYBIND11_MODULE(lib, m) { m.def("op", &run); }\n'
    one = operator(found(tmp_path, {"csrc/a.cpp": source}), "op")
    assert [p.form for p in one.pieces if p.part is AscendPart.CALL] == [form]


def test_a_queued_function_is_no_command_of_the_old_form(tmp_path: Path) -> None:
    source = b'#include "torch_npu/x.h"\nvoid run() { OpCommand cmd; cmd.Name("scale");\n'
    source += b"cmd.SetCustomHandler([=]() { scale<<<8, nullptr, s>>>(x); }); cmd.Run(); }\n"
    source += b'PYBIND11_MODULE(lib, m) { m.def("op", &run); }\n'
    assert operator(found(tmp_path, {"a.cpp": source}), "op").routes == (AscendRoute.LAUNCH,)


def test_cuda_launches_and_mere_mentions_are_not_for_ascend(tmp_path: Path) -> None:
    cuda = b"__global__ void k(float* x) {}\nvoid run() { k<<<1, 2>>>(x); }\n"
    mention = b"import torch\ntry:\n    import torch_npu\nexcept ImportError:\n    pass\n"
    assert found(tmp_path, {"csrc/k.cu": cuda, "lib/x.py": mention}) is None


def test_a_framework_for_npus_is_known_by_the_names_that_its_target_states() -> None:
    names = Names(
        modules=("theirs",),
        namespaces=("theirs",),
        plugin_headers=("plugged/",),
        own_headers=("theirs/core/stream.h",),
    )
    sources = {
        "src/theirs/core/stream.h": b"namespace theirs { class Stream {}; }",
        "csrc/plugged.cpp": b"#include <plugged/ops.h>\n" + ACLNN,
        "csrc/own.cpp": b"namespace torch_npu { class Stream {}; }" + ACLNN,
    }
    files = [SourceFile(p, Language.CPP, Role.LIBRARY, len(d)) for p, d in sources.items()]
    found = recognise_bytes(zip(files, sources.values(), strict=True), (), files, names)
    assert found is not None
    assert found.own == {"theirs::Stream"}
    assert found.including == {"csrc/plugged.cpp"}
    assert found.inside == ("src/theirs/",)


def test_names_that_stand_twice_are_those_nearest(tmp_path: Path) -> None:
    files = {}
    for folder in ("one", "two"):
        source = LAUNCH.replace(b"lib, m", folder.encode() + b", m")
        files[f"{folder}/csrc/scale.asc"] = source.replace(
            b'"scale"', b'"' + folder.encode() + b'"'
        )
    ascend = found(tmp_path, files)
    for folder in ("one", "two"):
        assert {p.path for p in operator(ascend, folder).pieces} == {f"{folder}/csrc/scale.asc"}


def test_functions_are_found_between_preprocessor_lines_and_classes() -> None:
    source = b"""
#define BODY(x) { x
namespace a::b {
struct S : Base { S() : x_(1), y_{2} { g(); } void f() const noexcept { } int x_; };
template <typename T, int N = (1 > 0)> __aicore__ inline void k(T x) { if (x) { } }
void only(int x);
extern "C" int main(int n) { auto l = [&](int i) { return i; }; return l(n); }
}
"""
    code = parse(source, "x.cpp").code
    names = [f.full_name for f in code.functions]
    assert "a::b::S::f" in names and "a::b::k" in names and "a::b::S::S" in names
    assert [f.full_name for f in code.declared] == ["a::b::only"]
    assert code.classes == ("a::b::S",)


def test_a_whole_project_has_all_pieces_and_lacks_nothing() -> None:
    root = ROOT / "fixtures" / "ascend_gelu"
    ascend = survey(root, discover(root)).ascend
    assert ascend is not None
    assert [o.name for o in ascend.operators] == ["ascend_gelu::gelu", "ascend_gelu::gelu_backward"]
    for one in ascend.operators:
        assert one.routes == (AscendRoute.ACLNN,) and one.lacks == ()
        forms = {p.form for p in one.pieces if p.part is AscendPart.DEFINITION}
        assert forms == {"TORCH_LIBRARY", "json", "OpDef"}
        of_plugins = {AscendPart.RUNNER, AscendPart.GRAPH}
        assert {p.part for p in one.pieces} == set(AscendPart) - of_plugins


def test_names_that_a_definition_gives_in_a_loop_are_those_of_each() -> None:
    root = ROOT / "fixtures" / "ascend_add"
    ascend = survey(root, discover(root)).ascend
    assert ascend is not None
    (signature,) = ascend.signatures
    assert (signature.inputs, signature.outputs) == (("x", "y"), ("z",))


def test_registrations_in_a_loop_over_names_are_those_of_each(tmp_path: Path) -> None:
    source = ACLNN.partition(b"TORCH_LIBRARY_IMPL(ours, Meta")[0]
    script = b"""
import torch
for _name in ("add", "own"):
    torch.library.register_fake(f"ours::{_name}", same)
    torch.library.register_autograd(f"ours::{_name}", backward)
for _other in names():
    torch.library.register_fake(f"ours::{_other}", same)
"""
    add = operator(found(tmp_path, {"csrc/add.cpp": source, "ours/ops.py": script}), "ours::add")
    assert parts(add)[AscendPart.META] == "ours/ops.py:4 register_fake"
    assert parts(add)[AscendPart.AUTOGRAD] == "ours/ops.py:5 register_autograd"


@pytest.mark.parametrize(
    ("test", "form"),
    [
        (b"import ours\ndef test_it():\n    ours.added(1)\n", "ours.added"),
        (b"from ours.ops import Adder\ndef test_it():\n    Adder()(1)\n", "ours.ops.Adder"),
        (b"from ours import plus\ndef test_it():\n    plus(1)\n", "ours.plus"),
        (b"from theirs import added\ndef test_it():\n    added(1)\n", ""),
        (b"import ours\ndef test_it():\n    ours.other(1)\n", ""),
    ],
)
def test_an_operator_is_tested_by_the_name_that_its_package_gives_it(
    tmp_path: Path, test: bytes, form: str
) -> None:
    script = b"""
import torch
plus = torch.ops.ours.add
def added(x):
    return torch.ops.ours.add(x)
class Adder:
    def __call__(self, x):
        return torch.ops.ours.add(x)
def other(x):
    return x
"""
    files = {"csrc/add.cpp": ACLNN, "ours/ops.py": script, "tests/test_add.py": test}
    add = operator(found(tmp_path, files), "ours::add")
    assert [p.form for p in add.pieces if p.part is AscendPart.TEST] == ([form] if form else [])
    assert ("test" in add.lacks) == (not form)


def test_meta_functions_that_python_registers_are_known(tmp_path: Path) -> None:
    library = b"""
import torch
from torch.library import Library, impl
m = Library("ours", "IMPL", "Meta")

@impl(m, "add")
def add_meta(x):
    return torch.empty_like(x)
"""
    own = b"""
from torch.library import register_fake

def fake(name):
    return register_fake(f"ours::{name}")

@fake("add")
def add_meta(x):
    return x
"""
    looped = b"""
import torch
for name in ("mul", "add"):
    torch.library.register_fake(f"ours::{name}", torch.empty_like)
"""
    source = ACLNN.partition(b"TORCH_LIBRARY_IMPL(ours, Meta")[0]
    for number, script in enumerate((library, own, looped)):
        ascend = found(tmp_path / str(number), {"csrc/add.cpp": source, "ours/meta.py": script})
        add = operator(ascend, "ours::add")
        assert "meta function" not in add.lacks, script
        assert AscendPart.META in parts(add)
    assert "meta function" in operator(found(tmp_path / "no", {"a.cpp": source}), "ours::add").lacks


def test_an_autograd_function_behind_pybind_is_a_backward(tmp_path: Path) -> None:
    source = b"""
#include "npu_cpp_extension.h"
class Gelu : public torch::autograd::Function<Gelu> {
 public:
  static at::Tensor forward(AutogradContext* ctx, at::Tensor x) {
    EXEC_NPU_CMD_EXT(aclnnGelu, x, x); return x;
  }
};
PYBIND11_MODULE(lib, m) { m.def("gelu", [](at::Tensor x) { return Gelu::apply(x); }); }
"""
    gelu = operator(found(tmp_path, {"a.cpp": source}), "gelu")
    assert "backward" not in gelu.lacks
    assert gelu.routes == (AscendRoute.ACLNN,)


def test_an_operator_that_python_defines_is_known_by_its_converter(tmp_path: Path) -> None:
    script = b"""
import torch
library = torch.library.Library("ours", "DEF")
library.define("add(Tensor x) -> Tensor")
library.define("other(Tensor x) -> Tensor")
"""
    ascend = found(tmp_path / "a", {"ours/ops.py": script, "ours/graph.py": CONVERTER})
    assert ascend is not None and [one.name for one in ascend.operators] == ["ours::add"]
    assert {AscendPart.DEFINITION, AscendPart.CONVERTER} < parts(ascend.operators[0]).keys()
    assert found(tmp_path / "b", {"ours/ops.py": script}) is None


def test_registrations_in_a_chain_are_all_read(tmp_path: Path) -> None:
    source = b"""
#include "torch_npu/csrc/core/npu/NPUStream.h"
TORCH_LIBRARY(ours, m) { m.def("add(Tensor x) -> Tensor").def("mul(Tensor x) -> Tensor"); }
TORCH_LIBRARY_IMPL(ours, PrivateUse1, m) { m.impl("add", &add).impl("mul", &mul); }
TORCH_LIBRARY_IMPL(ours, Meta, m) { m.impl("mul", &mul_meta); }
at::Tensor add(at::Tensor x) { EXEC_NPU_CMD_EXT(aclnnAdd, x, x); return x; }
"""
    ascend = found(tmp_path, {"a.cpp": source})
    assert "meta function" in operator(ascend, "ours::add").lacks
    assert "meta function" not in operator(ascend, "ours::mul").lacks


def test_a_command_macro_of_another_name_is_a_call(tmp_path: Path) -> None:
    source = b"""
at::Tensor gmm(at::Tensor x) { OWN_ACLNN_CMD(aclnnGmm, x, x);
  CHECK_ACL(aclnnInit(nullptr));
  return x;
}
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("gmm", &gmm); }
"""
    gmm = operator(found(tmp_path, {"a.cpp": source}), "gmm")
    assert gmm.routes == (AscendRoute.ACLNN,)
    assert parts(gmm)[AscendPart.CALL] == "a.cpp:2 OWN_ACLNN_CMD aclnnGmm"


GMM = b"""
#include "npu_cpp_extension.h"
at::Tensor gmm(at::Tensor x) { EXEC_NPU_CMD_EXT(aclnnGmm, x, x); return x; }
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("gmm", &gmm); }
"""
FUNCTION = b"""
class Gmm(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return %s(x)
    @staticmethod
    def backward(ctx, grad):
        return grad
gmm = Gmm.apply
"""


@pytest.mark.parametrize(
    ("script", "known"),
    [
        (b"import torch\nimport ours._C\n" + FUNCTION % b"ours._C.gmm", True),
        (b"import torch\nfrom ours import _C\n" + FUNCTION % b"_C.gmm", True),
        (b"import torch\nfrom ours.named import gmm as run\n" + FUNCTION % b"run", True),
        (b"import torch\nops = Builder().load()\n" + FUNCTION % b"ops.gmm", True),
        (b"import torch\n" + FUNCTION % b"Builder().load().gmm", True),
        (b"import torch\nimport numpy\n" + FUNCTION % b"numpy.gmm", False),
    ],
)
def test_a_function_of_pybind_has_its_backward_and_test_in_python(
    tmp_path: Path, script: bytes, known: bool
) -> None:
    setup = (
        b"from setuptools import setup\nfrom torch_npu.utils.cpp_extension import NpuExtension\n"
    )
    setup += b"setup(ext_modules=[NpuExtension(name='ours.named', sources=['a.cpp'])])\n"
    files = {"a.cpp": GMM, "setup.py": setup, "ours/__init__.py": b"", "ours/ops.py": script}
    files["tests/test_gmm.py"] = b"from ours.ops import gmm\ndef test_it():\n    gmm(1)\n"
    gmm = operator(found(tmp_path, files), "gmm")
    assert ("backward" not in gmm.lacks) is known
    assert ("test" not in gmm.lacks) is known


def test_what_a_module_imports_for_others_is_a_wrapper(tmp_path: Path) -> None:
    files = {"a.cpp": GMM, "ours/ops/__init__.py": b"from ours._C import gmm\n"}
    files["tests/test_gmm.py"] = b"import ours\ndef test_it():\n    ours.ops.gmm(1)\n"
    gmm = parts(operator(found(tmp_path, files), "gmm"))
    assert gmm[AscendPart.WRAPPER] == "ours/ops/__init__.py:1 pybind11"
    assert gmm[AscendPart.TEST] == "tests/test_gmm.py:3 ours.ops.gmm"


def test_a_template_of_a_constant_is_a_call(tmp_path: Path) -> None:
    macro, constant = b"EXEC_NPU_CMD_EXT(aclnnGmm, ", b"EXEC_NPU_CMD<GMM_NAME>("
    for number, text in enumerate((b'NAME = "aclnnGmm";', b'NAME{"aclnnGmm"};')):
        source = b"constexpr std::string_view GMM_" + text + GMM.replace(macro, constant)
        gmm = operator(found(tmp_path / str(number), {"a.cpp": source}), "gmm")
        assert gmm.routes == (AscendRoute.ACLNN,)
        assert parts(gmm)[AscendPart.CALL].endswith("EXEC_NPU_CMD aclnnGmm")


def test_an_operator_of_a_backward_needs_none(tmp_path: Path) -> None:
    source = GMM.replace(b'"gmm"', b'"gmm_grad_v2"')
    script = FUNCTION % b"other" + b"\n"
    script = script.replace(b"return grad\n", b"return ours._C.gmm_grad_v2(grad)\n")
    ascend = found(tmp_path, {"a.cpp": source, "ours/ops.py": b"import ours._C\n" + script})
    gmm = operator(ascend, "gmm_grad_v2")
    assert "backward" not in gmm.lacks
    assert AscendPart.AUTOGRAD not in parts(gmm)


def test_what_python_defines_for_a_function_of_pybind_is_its_schema(tmp_path: Path) -> None:
    script = CONVERTER.replace(b"ours.add", b"ours.gmm")
    gmm = operator(found(tmp_path, {"a.cpp": GMM, "ours/graph.py": script}), "gmm")
    assert not {"schema", "graph converter"} & set(gmm.lacks)
    aten = CONVERTER.replace(b"ours.add", b"aten.gmm")
    gmm = operator(found(tmp_path / "b", {"a.cpp": GMM, "ours/graph.py": aten}), "gmm")
    assert {"schema", "graph converter"} <= set(gmm.lacks)


def test_a_namespace_that_a_macro_names_is_whatever_python_says(tmp_path: Path) -> None:
    source = ACLNN.replace(b"(ours,", b"(TORCH_EXTENSION_NAME,")
    test = b"import torch\ndef test_it():\n    torch.ops.built.add(1)\n"
    ascend = found(tmp_path, {"add.cpp": source, "tests/test_add.py": test})
    assert "test" not in operator(ascend, "TORCH_EXTENSION_NAME::add").lacks
