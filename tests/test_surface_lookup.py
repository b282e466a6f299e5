"""Which torch names files use, and which of them a target lacks."""

from __future__ import annotations

import pytest

from porter.languages.read import read
from porter.model import Language, Role, SourceFile, State, Use
from porter.surface.load import load, load_torch
from porter.uses.anything import ANYTHING
from porter.uses.lookup import find_missing, present, uses, uses_in

SUFFIX = {
    "py": Language.PYTHON,
    "cu": Language.CPP,
    "cpp": Language.CPP,
    "txt": Language.CMAKE,
    "toml": Language.TOML,
}


def file(path: str, data: bytes, role: Role = Role.LIBRARY) -> SourceFile:
    return SourceFile(path, SUFFIX[path.rpartition(".")[2]], role, len(data))


def names(text: str, path: str = "a.py") -> list[str]:
    data = text.encode()
    found = uses([(file(path, data), data)])
    return [use.name for use in found if not use.name.startswith(ANYTHING)]


def lacking(text: str, path: str = "a.py") -> dict[str, State]:
    data = text.encode()
    found = uses([(file(path, data), data)])
    return {m.name: m.state for m in find_missing(found, load("paddle", "3.3.1"), load_torch())}


def test_names_are_resolved_through_aliases_and_imports() -> None:
    text = "import torch.nn.functional as F\nfrom torch import cuda as c\nF.pad(x); c.graph(g)\n"
    assert {"torch.nn.functional.pad", "torch.cuda.graph"} <= set(names(text))


def test_imports_themselves_are_uses() -> None:
    assert names("from torch.utils._pytree import tree_map\n") == ["torch.utils._pytree.tree_map"]


def test_what_the_repository_registered_is_its_own() -> None:
    text = "import torch\ntorch.ops.mine.op(x)\ntorch.ops.load_library(p)\n"
    assert [n for n in names(text) if "ops" in n and "(" not in n] == ["torch.ops.load_library"]


def test_a_local_name_is_no_module() -> None:
    assert names("import torch\ndef f(torch):\n    return torch.compile\n") == ["torch"]


def test_a_missing_name_below_a_missing_module_is_named_in_full() -> None:
    text = "import torch\ntorch.testing.assert_close(a, b)\n"
    assert lacking(text) == {"torch.testing.assert_close": State.MISSING}


def test_a_keyword_that_the_target_rejects_is_listed_with_the_keyword() -> None:
    text = "import torch\ntorch.randint(0, 2, size=(3,))\n"
    assert lacking(text) == {"torch.randint(size=)": State.DIFFERENT}
    assert lacking("import torch\ntorch.randint(0, 2, (3,))\n") == {}


def test_how_many_arguments_a_call_has_by_position_is_told_of_none_too() -> None:
    assert "torch.nn.ReLU(0 by position)" in names("import torch\ntorch.nn.ReLU()\n")
    assert "torch.nn.ReLU(0 by position)" in names("import torch\ntorch.nn.ReLU(inplace=True)\n")
    assert not any("position" in n for n in names("import torch\ntorch.nn.ReLU(*given)\n"))


def test_members_count_where_the_receiver_is_known() -> None:
    text = "import torch\ne = torch.cuda.Event()\ne.wait()\nother.wait()\n"
    assert [n for n in names(text) if n.endswith("wait")] == ["torch.cuda.Event.wait"]


def test_members_that_only_torch_has_count_anywhere() -> None:
    assert "torch.cuda.Stream.cuda_stream" in names("import torch\nf(s.cuda_stream)\n")


def test_an_attribute_that_the_file_gives_its_own_objects_does_not_count() -> None:
    text = "import torch\nclass A:\n    def g(self):\n        self.cuda_stream = 1\n"
    assert names(text + "        return self.cuda_stream\n") == ["torch"]


def test_a_common_attribute_of_an_unknown_object_does_not_count() -> None:
    assert names("import torch\nx.split(','); y.sort(); z.max()\n") == ["torch"]


def test_a_gradient_that_is_set_is_a_tensors() -> None:
    text = "import torch\nx.grad = None\nself.grad = 1\ny = z.grad\n"
    assert names(text) == ["torch", "torch.Tensor.grad"]


def test_a_method_that_is_called_for_values_and_indices_is_a_tensors() -> None:
    text = "import torch\nf(x.sort()[0])\nvalues, at = y.max(1)\nrows = z.max(1)\nw.max(0)[0]\n"
    found = [name for name in names(text) if name.count(".") == 2 and "(" not in name]
    assert found == ["torch.Tensor.sort", "torch.Tensor.max"]


def test_a_view_as_another_dtype_is_listed_apart_from_one_of_another_shape() -> None:
    fact = "shows the wrong memory for a part of a tensor if the dtypes differ in size"
    for value in ("torch.int32", "torch.float8_e4m3fn", "y.dtype", "out_dtype"):
        text = f"import torch\nx = torch.ones(2)\nx.view({value})\n"
        assert lacking(text) == {f"torch.Tensor.view({fact})": State.DIFFERENT}
    assert lacking("import torch\nx = torch.ones(2)\nx.view(1, 2); x.view(y.shape)\n") == {}


def test_what_is_viewed_as_a_dtype_of_torch_is_a_tensor() -> None:
    text = "import torch\nf(a[1:].view(torch.uint8), b.view(c.dtype), d.view('i4'), e.view(2))\n"
    assert [n for n in names(text) if n.startswith("torch.Tensor")] == [
        "torch.Tensor.view",
        "torch.Tensor.view(1 by position)",
        "torch.Tensor.view(a dtype)",
    ]


def test_the_context_of_an_autograd_function_is_known() -> None:
    text = (
        "import torch\nclass F(torch.autograd.Function):\n    @staticmethod\n"
        "    def backward(ctx, g):\n        return ctx.saved_tensors\n"
    )
    assert lacking(text) == {
        "torch.autograd.function.FunctionCtx.saved_tensors": State.MISSING,
    }


def test_cpp_names_headers_macros_and_keys_are_uses() -> None:
    text = (
        "#include <torch/torch.h>\n"
        "// at::nothing in a comment\n"
        'const char* s = "at::nothing";\n'
        "auto x = at::linspace(0, 1, 2); torch::Tensor y; TORCH_WARN(1);\n"
        "TORCH_LIBRARY_IMPL(ns, BackendSelect, m) {}\n"
    )
    assert lacking(text, "a.cu") == {
        "<torch/torch.h>": State.MISSING,
        "at::linspace": State.MISSING,
        "TORCH_WARN": State.MISSING,
        "c10::DispatchKey::BackendSelect": State.MISSING,
    }


def test_members_of_what_is_declared_as_a_tensor_are_uses() -> None:
    text = (
        "void f(const at::Tensor& x, std::vector<int> v) {\n"
        "  x.narrow(0, 0, 1); x.dim(); v.narrow(1); x.own(); other.narrow(1);\n"
        "  auto y = torch::empty_like(x); y.expand({1}); Box z; z.expand({1});\n"
        "}\n"
        "void g(Row row) { at::Tensor row2; row.flatten(); }\n"
    )
    assert lacking(text, "a.cpp") == {
        "at::Tensor::narrow": State.MISSING,
        "at::Tensor::expand": State.MISSING,
    }


def test_a_name_that_is_also_of_another_type_is_no_tensor() -> None:
    text = "void f(at::Tensor x) { x.narrow(0, 0, 1); }\nvoid g(Box x) { x.narrow(1); }\n"
    assert lacking(text, "a.cpp") == {}


def test_what_stands_in_a_namespace_that_the_target_lacks_is_named_itself() -> None:
    found = lacking("at::cuda::detail::TensorInfo<float, int> t;\n", "a.cu")
    assert found == {"at::cuda::detail::TensorInfo": State.MISSING}


def test_names_that_the_target_has_are_listed_once() -> None:
    text = "torch::Tensor a; at::Tensor b; AT_ERROR(1); at::kFloat; x::y;\n"
    found = uses([(file("a.cpp", text.encode()), text.encode())])
    names = present(found, load("paddle", "3.3.1"), load_torch())
    assert names == ("at::Tensor", "c10::kFloat", "torch::Tensor")


def test_names_of_one_namespace_are_found_through_another() -> None:
    text = "torch::kFloat32; at::kHalf; torch::Tensor t; at::ScalarType s; torch::full({}, 1);\n"
    assert lacking(text, "a.cpp") == {}


def test_a_macro_of_the_repository_is_not_torchs() -> None:
    text = "#define TORCH_WARN(x) x\nTORCH_WARN(1);\nTORCH_MY_OWN(2);\n"
    assert lacking(text, "a.cpp") == {}


def test_cmake_and_requirements_are_uses() -> None:
    assert names("find_package(Torch REQUIRED)\n", "CMakeLists.txt") == ["find_package(Torch)"]
    text = '[build-system]\nrequires = ["torch>=2"]\n'
    assert names(text, "pyproject.toml") == ["torch"]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_places_count_bytes_from_one(end: str) -> None:
    data = f"import torch{end}é = 1; torch.compile(f){end}".encode()
    found = [u for u in uses([(file("a.py", data), data)]) if u.name == "torch.compile"]
    assert (found[0].line, found[0].column) == (2, 9)


def test_latin_1_files_are_read() -> None:
    data = "# -*- coding: latin-1 -*-\nimport torch\ns = 'é'; torch.compile(f)\n".encode("latin-1")
    document = read(data, "a.py", Language.PYTHON)
    found = [u for u in uses_in(document, file("a.py", data)) if u.name == "torch.compile"]
    assert (found[0].line, found[0].column) == (3, 10)


OWN_NAMESPACE = """
namespace torch { namespace mine { namespace cuda {
int twice(int n);
} int thrice(int n) { return n; } } }
namespace at::native { int own_sum(int n) { return n; } }
int f() { return torch::mine::cuda::twice(at::native::own_sum(torch::mine::thrice(1))); }
int g() { return at::native::no_sum(torch::mined::f(torch::nosuch(2))); }
"""


def test_what_a_repository_has_in_torchs_namespaces_is_not_torchs() -> None:
    found = lacking(OWN_NAMESPACE, "a.cpp")
    assert set(found) == {"at::native::no_sum", "torch::mined::f", "torch::nosuch"}


def test_most_used_names_come_first_and_vendored_uses_do_not_count() -> None:
    def use(name: str, role: Role = Role.LIBRARY) -> Use:
        return Use(name, Language.PYTHON, "a.py", 1, 1, role)

    found = find_missing(
        [
            use("torch.compile"),
            use("torch.frombuffer"),
            use("torch.frombuffer"),
            use("torch.jit.script", Role.VENDORED),
        ],
        load("paddle", "3.3.1"),
        load_torch(),
    )
    assert [(m.name, m.uses) for m in found] == [("torch.frombuffer", 2), ("torch.compile", 1)]


def test_modules_of_python_that_torch_imports_are_its_names() -> None:
    assert lacking("import torch\ntorch.os.environ.get('A')\ntorch.math.pi\n") == {}
    assert lacking("import torch\ntorch.sys.path\n") == {"torch.sys": State.MISSING}


def test_a_type_that_a_macro_of_torch_declares_is_a_name_of_torch() -> None:
    text = "#include <torch/extension.h>\ntorch::PackedTensorAccessor<float, 1> *a;\n"
    assert lacking(text, "a.cu")["at::PackedTensorAccessor"] is State.MISSING
