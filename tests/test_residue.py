"""What is left of torch after migrate, found without the rules."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import porter
from porter.host.home import rules_home
from porter.model import Language, Residue, Role, SourceFile, State
from porter.residue import residue
from porter.stages.answers import read_answered
from porter.surface.load import load, load_torch
from porter.surface.quirks import apply_quirks, read_quirks

SUFFIX = {
    "py": Language.PYTHON,
    "cu": Language.CPP,
    "txt": Language.CMAKE,
    "toml": Language.TOML,
}


def left(
    text: str | bytes,
    path: str = "a.py",
    role: Role = Role.LIBRARY,
    answered: dict[str, str] | None = None,
    keeps_torch: bool = True,
) -> tuple[Residue, ...]:
    data = text.encode() if isinstance(text, str) else text
    file = SourceFile(path, SUFFIX[path.rpartition(".")[2]], role, len(data))
    target = load("paddle", "3.3.1")
    return residue([(file, data)], target, load_torch(), answered or {}, keeps_torch=keeps_torch)


def names(text: str, path: str = "a.py", **more: object) -> list[str]:
    return [r.name for r in left(text, path, **more)]  # type: ignore[arg-type]


LEFT = [
    ("torch.frombuffer(b)", "torch.frombuffer"),
    ("torch.testing.assert_close(a, b)", "torch.testing.assert_close"),
    ("torch.compiled_with_cxx11_abi()", "torch.compiled_with_cxx11_abi"),
    ("torch._C._cuda_getDevice()", "torch._C._cuda_getDevice"),
    ("torch.cuda.ExternalStream(p)", "torch.cuda.ExternalStream"),
    ("torch.cuda.current_stream().cuda_stream", "torch.cuda.Stream.cuda_stream"),
    ("s.cuda_stream", "torch.cuda.Stream.cuda_stream"),
    ("x.record_stream(s)", "torch.Tensor.record_stream"),
    ("x.nelement()", "torch.Tensor.nelement"),
    ("e = torch.cuda.Event()\ne.wait()", "torch.cuda.Event.wait"),
    ("torch.randint(0, 2, size=(3,))", "torch.randint(size=)"),
    ("torch.equal(a, b)", "torch.equal"),
    ("torch.empty(3, device=torch.cuda.current_device())", "torch.cuda.current_device"),
    ("i = torch.cuda.current_device()\nx.to(i)", "torch.cuda.current_device"),
    ("k[grid](x, x.numel())", "torch.Tensor.numel"),
    ("m.plan(b, w.numel() * w.element_size())", "torch.Tensor.numel"),
    ("torch.ops.a.b(x, x.numel() // 2)", "torch.Tensor.numel"),
    ("torch.empty_like(x.t())", "torch.empty_like"),
    ("if torch.version.cuda: pass", "torch.version.cuda"),
    ("if torch.version.cuda is None: pass", "torch.version.cuda"),
    ("if torch.__version__ >= '2': pass", "torch.__version__"),
    ("torch.float_dtype = 1", "torch.float_dtype"),
    ("getattr(s, 'cuda_stream', 0)", "torch.cuda.Stream.cuda_stream"),
    ("import cutlass.torch", "cutlass.torch"),
    ("torch.ops.a.b(torch.tensor([1]))", "torch.tensor"),
    ("torch.ops.aten.add(torch.tensor([1.0]), x)", "torch.ops.aten"),
    ("torch.normal(0.0, 1.0, (2,), device='cpu')", "torch.normal(device=)"),
    ("plans[x.shape, 1]", "torch.Size"),
    ("y = {x.shape[1:]: 1}", "torch.Size"),
    ("key = (x.shape, 1)\ny = plans.get(key)", "torch.Size"),
    ("w = [slice(None)] * 3\nx[w]", "torch.Tensor.__getitem__"),
    ("x.unsqueeze(0).broadcast_to(1, 2, 3)", "torch.Tensor.broadcast_to"),
    ("torch.pow(-1, x)", "torch.pow"),
    ("str(x.dtype).replace('torch.', '')", "torch.dtype"),
    ("a = str(out_dtype)[6:]", "torch.dtype"),
    ("if str(dtype) == 'torch.half': pass", "torch.dtype"),
    ("x = torch.empty(2, dtype=torch.float8_e5m2)\nx[0] = y", "torch.Tensor.__setitem__"),
    (
        "def f(group: 'dist.ProcessGroup'):\n  group.size()",
        "torch.distributed.ProcessGroup.size",
    ),
    (
        "from torch.utils.cpp_extension import CppExtension\nE = CppExtension\nE('n', [])",
        "torch.utils.cpp_extension.CppExtension",
    ),
]


@pytest.mark.parametrize(("line", "name"), LEFT)
def test_what_the_target_lacks_or_means_otherwise_is_left(line: str, name: str) -> None:
    assert names(f"import torch\n{line}\n") == [name]


KEPT = [
    "torch.empty(3)",
    "torch.ops.mine.op(x)",
    "s = 'torch.frombuffer'  # torch.compile",
    "x.split(','); y.sort(); z.wait()",
    "torch.randint(0, 2, (3,))",
    "torch.empty(x.numel()), int(x.numel() * x.element_size())",
    "m.plan(int(w.numel() * w.element_size()))",
    "torch.empty(3, device=f'cuda:{torch.cuda.current_device()}')",
    "torch.cuda.device(torch.cuda.current_device())",
    "newer = torch.version.cuda >= '12.8'",
    "torch.version.cuda not in (None, 'False') and f()",
    "print(torch.__version__)",
    "getattr(s, 'cuda_stream', None)",
    "getattr(torch, 'inference_mode', torch.no_grad)",
    "if hasattr(torch, 'compile'): torch.compile(f)",
    "hasattr(torch, 'compile') and torch.compile(f)",
    "f = torch.compile if hasattr(torch, 'compile') else None",
    "try:\n    torch.compile(f)\nexcept AttributeError:\n    pass",
    "try:\n    from torch.torch_version import TorchVersion\nexcept ImportError:\n    pass",
    "try:\n    from torch.torch_version import TorchVersion as V\nexcept ImportError:\n"
    "    from packaging.version import Version as V\nV('2')",
    "torch.empty_like(b.t()).as_strided(b.t().shape, b.t().stride())",
    "with contextlib.suppress(ImportError):\n    import torch._dynamo",
    "if 'paddle' in sys.modules:\n    f()\nelse:\n    torch.compile(f)",
    "if TYPE_CHECKING:\n    from torch.distributed import ProcessGroup",
    "class A:\n  def f(self):\n    self.cuda_stream = 1\n    return self.cuda_stream",
    "def f(torch):\n    return torch.compile",
    "y = x.shape[0], plans[x.shape[0]], plans[tuple(x.shape)], [x.shape], x.shape in [(1,)]",
    "overload.get('shape', x.shape)",
    "w = tuple([slice(None)] * 3)\nx[w]\nv = [0, 1]\nx[v]",
    "w = tuple(slice(0, 1) for _ in y) + (0,)\nx[w]",
    "import numpy\nx.broadcast_to((1, 2)), x.broadcast_to(1, 2), numpy.broadcast_to(x, (1, 2))",
    "torch.pow(x, 2), 2**x",
    "old = torch.__version__ < '1.13' or parse(torch.__version__) <= parse('1.9.1')",
    "str(x.dtype).split('.')[-1], str(x.device)[6:], str(path).replace('torch.', '')",
    "x = torch.empty(2)\nx[0] = y",
    "def f(group):\n  return group.size()",
]


@pytest.mark.parametrize("line", KEPT)
def test_what_works_or_is_provided_for_is_not_left(line: str) -> None:
    assert left(f"import torch\n{line}\n") == ()


def test_what_a_form_means_under_a_proxy_is_not_left_beside_torch_itself() -> None:
    text = "import torch\ndef packed(x):\n    return x.stride() == (3, 1) and x.broadcast_to(*y)\n"
    text += "torch.backends.cudnn.enabled = False\nprint(torch.no_such_name)\n"
    file, data = SourceFile("a.py", Language.PYTHON, Role.LIBRARY, len(text)), text.encode()
    own = ["torch.Tensor.stride", "torch.Tensor.broadcast_to", "torch.backends.cudnn.enabled"]
    proxy = apply_quirks(load_torch(), read_quirks(rules_home() / "paddle").values())
    for target, some in ((proxy, own), (load_torch(), [])):
        left = residue([(file, data)], target, load_torch(), {})
        assert [r.name for r in left] == [*some, "torch.no_such_name"]


@pytest.mark.parametrize(
    ("argument", "statement", "left"),
    [
        ("x: torch.Tensor", "x += 1", ["torch.Tensor.__iadd__"]),
        ("x: 'torch.Tensor | None'", "x /= y", ["torch.Tensor.__itruediv__"]),
        ("x: torch.Tensor | None = None", "x *= y", ["torch.Tensor.__imul__"]),
        ("x: float | torch.Tensor", "x *= y", []),
        ("x", "x -= 1", []),
        ("x: torch.Tensor", "z: torch.Tensor = x * 2\n    z -= 1", []),
        ("x: torch.Tensor", "x.grad += 1", []),
        ("x: torch.Tensor", "z = x[1:].view(2)\n    z |= 1", ["torch.Tensor.__ior__"]),
        ("x: list[int]", "z = x[1]\n    z += 1", []),
        ("o", "o.sum = torch.zeros(2)\n    o.sum += 1", ["torch.Tensor.__iadd__"]),
        ("o", "o.sum = 0\n    o.sum += 1", []),
    ],
)
def test_an_operator_in_place_on_what_others_see_is_left(
    argument: str, statement: str, left: list[str]
) -> None:
    text = f"import torch\ndef f(y, {argument}):\n    {statement}\n"
    assert names(text) == left
    assert names(text.replace("def", "@triton.jit\ndef")) == []


def test_a_stream_that_tvm_ffi_asks_torch_for_is_left() -> None:
    text = "import torch, tvm_ffi\nwith tvm_ffi.use_torch_stream():\n    pass\n"
    assert names(text) == ["tvm_ffi.use_torch_stream"]
    assert names(text.replace("use_torch_stream()", "use_raw_stream(device, handle)")) == []


def test_an_except_for_another_error_provides_for_nothing() -> None:
    text = "import torch\ntry:\n    torch.compile(f)\nexcept ValueError:\n    pass\n"
    assert names(text) == ["torch.compile"]


def test_a_form_that_a_piece_accepts_is_not_left() -> None:
    answered = {"torch.randint": "p", "torch.randint(size=)": "p"}
    assert names("import torch\ntorch.randint(0, 2, size=(3,))\n", answered=answered) == []
    text = "import torch\ntorch.randint(0, 2, (3,), generator=g)\n"
    assert names(text, answered=answered) == ["torch.randint(generator=)"]


def test_forms_that_the_unit_answers_are_not_left() -> None:
    text = "import torch\ndef packed(x):\n    return x.stride() == (3, 1) and x.broadcast_to(*y)\n"
    assert names(text) == ["torch.Tensor.stride", "torch.Tensor.broadcast_to"]
    answered = {"torch.Tensor.stride": "python/strides_as_a_tuple"}
    assert names(text, answered=answered) == ["torch.Tensor.broadcast_to"]


def test_a_module_that_is_answered_for_one_name_leaves_its_others() -> None:
    answered = dict.fromkeys(("torch.nn", "torch.nn.GLU", "torch.backends"), "p")
    text = "import torch.nn as nn\nimport torch.backends\nnn.GLU\nnn.DataParallel\n"
    assert names(text, answered=answered) == ["torch.nn.DataParallel"]
    assert names("import torch.backends.opt_einsum\n", answered=answered) == [
        "torch.backends.opt_einsum"
    ]
    whole = {"torch.utils._pytree.tree_map": "p"}
    assert names("from torch.utils import _pytree\n_pytree.tree_map\n", answered=whole) == []


def test_a_device_by_keyword_is_left_though_the_unit_has_the_class() -> None:
    answered = {"torch.device": "python/device_class"}
    assert names("import torch\ntorch.device('cpu')\n", answered=answered) == []
    text = "import torch\ntorch.device(device='cpu')\n"
    assert names(text, answered=answered) == ["torch.device(device=)"]


def test_the_extension_of_a_build_script_by_position_is_left() -> None:
    text = (
        "import paddle\npaddle.enable_compat()\n"
        "from torch.utils.cpp_extension import CppExtension, CUDAExtension\n"
        "CppExtension('n', ['a.cpp']); CUDAExtension(name='m', sources=[])\n"
    )
    assert names(text, "setup.py", role=Role.BUILD) == ["torch.utils.cpp_extension.CppExtension"]


def test_an_unguarded_import_in_a_build_script_is_left() -> None:
    found = left("import os\nimport torch\n", "setup.py", role=Role.BUILD)
    assert [(r.name, r.line, r.state) for r in found] == [("torch", 2, State.MISSING)]


def test_a_build_script_that_enables_the_proxy_covers_what_it_imports() -> None:
    guarded = b"import paddle\npaddle.enable_compat()\nimport torch\n"
    helper = b"import torch\n"
    files = [
        (SourceFile("setup.py", Language.PYTHON, Role.BUILD, 1), guarded),
        (SourceFile("tools/flags.py", Language.PYTHON, Role.BUILD, 1), helper),
    ]
    assert residue(files, load("paddle", "3.3.1"), load_torch(), {}) == ()


def test_tests_without_an_enabling_conftest_are_left_once_a_folder() -> None:
    one = SourceFile("tests/test_a.py", Language.PYTHON, Role.TEST, 1)
    two = SourceFile("tests/test_b.py", Language.PYTHON, Role.TEST, 1)
    conftest = SourceFile("tests/conftest.py", Language.PYTHON, Role.TEST, 1)
    files = [(one, b"import torch\n"), (two, b"import torch\n")]
    target = load("paddle", "3.3.1")
    found = residue(files, target, load_torch(), {})
    assert [r.path for r in found] == ["tests/test_a.py"]
    enabling = (conftest, b"import paddle\n\npaddle.enable_compat()\n")
    assert residue([*files, enabling], target, load_torch(), {}) == ()
    running = (conftest, b'import runpy\n\nrunpy.run_path("tests/_porter_compat/enable.py")\n')
    assert residue([*files, running], target, load_torch(), {}) == ()


def test_a_script_that_is_run_and_does_not_enable_the_proxy_is_left() -> None:
    text = "import torch\nif __name__ == '__main__':\n    main()\n"
    assert names(text, "examples/a.py", role=Role.ENTRY) == ["torch"]
    assert names("import torch\n", "examples/part.py", role=Role.ENTRY) == []


CPP = """#include <torch/torch.h>
#include <torch/extension.h>
#include <torch/library.h>
#include "ATen/Dispatch.h"
// at::linspace(1)
const char* s = "at::linspace TORCH_WARN";
void f() { at::linspace(0, 1, 2); torch::empty({1}); TORCH_WARN("x"); TORCH_CHECK(true); }
TORCH_LIBRARY_IMPL(ns, BackendSelect, m) {}
TORCH_LIBRARY_IMPL(ns, CPU, m) {}
"""


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_cpp_headers_names_macros_and_keys_are_left(end: str) -> None:
    found = left(CPP.replace("\n", end), "a.cu")
    assert [(r.line, r.name) for r in found] == [
        (1, "<torch/torch.h>"),
        (4, "<ATen/Dispatch.h>"),
        (7, "at::linspace"),
        (7, "TORCH_WARN"),
        (8, "c10::DispatchKey::BackendSelect"),
    ]
    assert found[2].column == 12


def test_cpp_sections_for_the_target_or_another_device_are_not_left() -> None:
    text = (
        "#ifdef PADDLE_WITH_CUDA\nint a;\n#else\n#include <torch/torch.h>\n#endif\n"
        "#ifdef USE_ROCM\n#include <ATen/hip/HIPContext.h>\n#else\n#include <ATen/Dispatch.h>\n"
        "#endif\n#if __has_include(<torch/version.h>)\n#include <torch/version.h>\n#endif\n"
    )
    assert names(text, "a.cu") == ["<ATen/Dispatch.h>"]


def test_what_a_tree_has_in_a_namespace_inside_torchs_is_not_left() -> None:
    text = (
        "namespace torch { namespace mine { int f(); } int g(); }\nnamespace torch::other { }\n"
        "int x = torch::mine::f() + torch::other::f();\nint y = torch::mined::f();\n"
    )
    assert names(text, "a.cu") == ["torch::mined::f"]


def test_cmake_is_left_where_torch_is_looked_for() -> None:
    text = "# find_package(Torch)\nfind_package( Torch REQUIRED)\n"
    found = left(text, "CMakeLists.txt")
    assert [(r.name, r.line, r.column) for r in found] == [("find_package(Torch)", 2, 1)]
    guarded = "if(NOT PADDLE_PATH)\n  find_package(Torch)\nendif()\n"
    assert left(guarded, "CMakeLists.txt") == ()


def test_cmake_is_not_left_where_the_unit_has_a_package_for_torch() -> None:
    text = (
        "find_package(Torch REQUIRED)\n"
        "find_library(P torch_python PATHS ${TORCH_INSTALL_PREFIX}/lib)\n"
        "include_directories(${TORCH_INSTALL_PREFIX}/include)\nfind_package(TorchVision)\n"
    )
    answered = dict.fromkeys(("find_package(Torch)", "TORCH_INSTALL_PREFIX"), "build/torch_config")
    found = left(text, "CMakeLists.txt", answered=answered)
    assert [(r.name, r.line) for r in found] == [
        ("TORCH_INSTALL_PREFIX", 3),
        ("find_package(TorchVision)", 4),
    ]


def test_requirements_on_torch_are_left_only_where_the_tree_is_for_the_target() -> None:
    text = '[project]\ndependencies = ["torch>=2", "torchvision"]\n'
    assert left(text, "pyproject.toml") == ()
    assert names(text, "pyproject.toml", keeps_torch=False) == ["torch"]


def test_vendored_files_and_the_unit_are_not_looked_at() -> None:
    text = "import torch\ntorch.compile(f)\n"
    assert left(text, role=Role.VENDORED) == ()
    assert left(text, "pkg/_porter_compat/__init__.py") == ()
    assert left(text, "pkg/_porter_compat.py") == ()
    assert left(text, "pkg/my_porter_compat.py") != ()


def test_a_name_whose_header_comes_by_no_include_is_left() -> None:
    uses = "#include <torch/extension.h>\nTORCH_LIBRARY(ns, m) {}\n"
    assert names(uses, "a.cu") == ["TORCH_LIBRARY"]
    assert names("#include <torch/library.h>\n" + uses, "a.cu") == []
    assert names('#include "not_of_this_tree.h"\n' + uses, "a.cu") == []
    files = [
        (
            SourceFile("csrc/a.cu", Language.CPP, Role.LIBRARY, 1),
            b'#include "a.h"\n' + uses.encode(),
        ),
        (SourceFile("csrc/a.h", Language.CPP, Role.LIBRARY, 1), b"#include <torch/library.h>\n"),
    ]
    assert residue(files, load("paddle", "3.3.1"), load_torch(), {}) == ()


CPP_FORMS = [
    ('TORCH_CHECK_EQ(a, (b)) << "m";', ["TORCH_CHECK_EQ"]),
    ("TORCH_CHECK_EQ(a, b); std::cout << 1;", []),
    ("C10_THROW_ERROR(ValueError, m);", ["C10_THROW_ERROR"]),
    ("C10_THROW_ERROR(Error, m);", []),
    ("x.options().pinned_memory(true)", ["c10::TensorOptions::pinned_memory"]),
    ("x.options().pinned_memory(pin)", []),
    ("x.storage_offset(); x.storage().data();", ["at::Tensor::storage_offset"] * 2),
    ("smem.storage().x; storage_offset(1); storage();", ["at::Tensor::storage"]),
    ('m.impl_abstract_pystub("a");', ["torch::Library::impl_abstract_pystub"]),
    ("#define CHECK(a, b) TORCH_CHECK_EQ(a, b) << 1", []),
]


@pytest.mark.parametrize(("line", "expected"), CPP_FORMS)
def test_forms_in_cpp_that_the_target_refuses_are_left(line: str, expected: list[str]) -> None:
    found = names(f"#include <torch/extension.h>\n{line}\n", "a.cu")
    assert [n.rpartition("::")[2][:7] for n in found] == [
        n.rpartition("::")[2][:7] for n in expected
    ]


def test_architectures_told_to_torch_only_are_left() -> None:
    line = "import os\nos.environ['TORCH_CUDA_ARCH_LIST'] = '9.0'\n"
    assert names(line, "setup.py", role=Role.BUILD) == ["TORCH_CUDA_ARCH_LIST"]
    assert names(line) == []
    both = line + "os.environ['PADDLE_CUDA_ARCH_LIST'] = '9.0'\n"
    assert names(both, "setup.py", role=Role.BUILD) == []
    read = "import os\nprint(os.environ['TORCH_CUDA_ARCH_LIST'])\n"
    assert names(read, "setup.py", role=Role.BUILD) == []


def test_files_that_are_no_python_leave_nothing() -> None:
    assert left("import torch\ndef (:\n") == ()
    assert left(b"import torch\x00\n") == ()


def test_latin_1_and_marked_files_are_read() -> None:
    text = "# -*- coding: latin-1 -*-\nimport torch\ns = 'é'; torch.compile(f)\n"
    assert [r.line for r in left(text.encode("latin-1"))] == [3]
    assert [r.line for r in left(b"\xef\xbb\xbfimport torch\r\ntorch.compile(f)\r\n")] == [2]


def test_residue_shares_nothing_with_the_rules() -> None:
    folder = Path(porter.__file__).parent / "residue"
    imported = set()
    for path in folder.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom):
                imported.add(node.module or "")
            elif isinstance(node, ast.Import):
                imported |= {alias.name for alias in node.names}
    ours = {name for name in imported if name.startswith("porter")}
    assert not any(
        n.startswith(("porter.rules", "porter.languages", "porter.migrate.scan")) for n in ours
    )


def test_nothing_in_a_stub_is_left_over() -> None:
    text = "import torch\n\ndef f(x: torch.nothing_such = torch.absolute) -> None: ...\n"
    for name, count in (("m.py", True), ("m.pyi", False)):
        file = SourceFile(name, Language.PYTHON, Role.LIBRARY, len(text))
        left = residue([(file, text.encode())], load("paddle", "3.3.1"), load_torch(), {})
        assert bool(left) is count


def test_what_the_package_answers_is_left_for_scripts_without_it() -> None:
    target = load("paddle", "3.3.1")
    name, call = "torch.autograd.grad", "torch.autograd.grad(y, x, create_graph=True)"
    completed = target.without_facts(read_answered(rules_home() / "paddle", target))

    def find(text: str, role: Role) -> list[str]:
        data = text.encode()
        files = [(SourceFile("a.py", SUFFIX["py"], role, len(data)), data)]
        found = residue(files, target, load_torch(), {}, {}, completed=completed)
        return [one.name for one in found if one.name.startswith(name)]

    text = f"import torch\n{call}\n"
    assert len(completed.python[name].facts) < len(target.python[name].facts)
    assert find(text, Role.LIBRARY) == []
    assert find(text, Role.ENTRY) == [f"{name}(create_graph=)"]
    assert find(f"import porter_compat\n{text}", Role.ENTRY) == []


def test_a_missing_name_that_the_package_has_is_left_for_scripts_without_it() -> None:
    target = load("paddle", "3.3.1")
    completed = target.without_facts(read_answered(rules_home() / "paddle", target))
    text = b"from torch.nn.modules.batchnorm import _BatchNorm\nfrom torch.export import export\n"
    found = {
        role: residue(
            [(SourceFile("a.py", Language.PYTHON, role, len(text)), text)],
            *(target, load_torch(), {}, {}),
            completed=completed,
        )
        for role in (Role.LIBRARY, Role.ENTRY)
    }
    assert [one.name for one in found[Role.LIBRARY]] == ["torch.export.export"]
    assert len(found[Role.ENTRY]) == 2
