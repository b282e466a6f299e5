"""Tests for torch as tests of a plugin of MindSpore: what is rewritten, and what is named."""

from __future__ import annotations

import ast
import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy
import pytest

from porter.build import environment
from porter.model import Device
from porter.targets import framework as framework_named
from porter.targets.conversion import Conversion
from porter.targets.mindspore import TARGET
from porter.targets.mindspore.plugin.counterparts import COUNTERPARTS
from porter.targets.mindspore.workers import emulated_mindspore
from tests.conftest import CACHE
from tests.porting import porter

SOURCE = """
#include <torch/extension.h>
at::Tensor f(const at::Tensor &x) { return x; }
at::Tensor g_(at::Tensor &x) { return x; }
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("f", &f); m.def("g_", &g_); }
"""
PACKAGE = """
import torch
from ops import _C

def call(x):
    return _C.f(x)

def of_gpu(x):
    return torch.cuda.current_stream(), _C.f(x)
"""
HEAD = "import pytest\nimport torch\n\nimport ops\n\n\n"


def convert(**files: str) -> Conversion:
    """What becomes of tests, by their names without `.py`."""
    tree = {"csrc/op.cpp": SOURCE.encode(), "ops/__init__.py": PACKAGE.encode()}
    tree |= {f"tests/{name}.py": text.encode() for name, text in files.items()}
    return TARGET.convert(tree, lambda tree: None, "plugin")


def text_of(done: Conversion, name: str = "test_f") -> str:
    text = (done.files[f"mindspore_plugin/tests/{name}.py"] or b"").decode()
    ast.parse(text)
    return text


def left_of(done: Conversion) -> dict[str, str]:
    """Why tests are not converted, by their names."""
    return {left.name: left.reason for left in done.left if left.path.startswith("tests/")}


def body_of(*lines: str) -> str:
    """The statements of a test as the plugin has them."""
    source = HEAD + "def test_f(device, data):\n" + "".join(f"    {line}\n" for line in lines)
    done = convert(test_f=source)
    assert left_of(done) == {}
    text = text_of(done)
    return "\n".join(line[4:] for line in text.partition("data):\n")[2].splitlines())


def reason_of(*lines: str) -> str:
    """Why a test with these statements is not converted."""
    source = HEAD + "def test_f(device):\n" + "".join(f"    {line}\n" for line in lines)
    done = convert(test_f=source)
    assert list(left_of(done)) == ["test_f"]
    text = text_of(done)
    assert "@pytest.mark.skip(reason=" in text and "import torch" not in text
    assert all(f"    # {line}" in text for line in lines), "its code stays"
    return left_of(done)["test_f"]


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        (
            "x = torch.randn(3, 4, dtype=torch.half)",
            "x = _testing.randn(3, 4, dtype=mindspore.float16)",
        ),
        ("x = torch.zeros((2,), device=device, requires_grad=True)", "x = _testing.zeros((2,))"),
        (
            "x = torch.ones(2, device='cuda:0', dtype=torch.long)",
            "x = _testing.ones(2, dtype=mindspore.int64)",
        ),
        (
            "torch.testing.assert_close(ops.call(data), data)",
            "_testing.assert_close(ops_ms.call(data), data)",
        ),
        (
            "assert torch.equal(torch.ops.ops.f(data), data)",
            "assert _testing.equal(_custom_ops.f(data), data)",
        ),
        (
            "y = torch.where(data > 0, data, torch.exp(data))",
            "y = mindspore.mint.where(data > 0, data, mindspore.mint.exp(data))",
        ),
        ("y = torch.nn.functional.relu(data)", "y = mindspore.mint.nn.functional.relu(data)"),
        ("torch.npu.synchronize()", "pass"),
        ("here = torch.npu.is_available()", "here = True"),
        ("y = data.size(0), data.size()", "y = data.shape[0], data.shape"),
        ("y = (data + 1).clone().detach()", "y = (data + 1).copy()"),
        ("assert isinstance(data, torch.Tensor)", "assert isinstance(data, mindspore.Tensor)"),
        (
            "d = torch.device('cuda' if torch.cuda.is_available() else 'cpu')",
            "d = str('cuda' if False else 'cpu')",
        ),
    ],
)
def test_what_has_a_counterpart_is_rewritten(written: str, expected: str) -> None:
    assert body_of(written) == expected


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("x = data.npu()", "x = data.copy()"),
        ("ops.call(data.to(device))", "ops_ms.call(data.copy())"),
        ("ops.call(data.t().cuda())", "ops_ms.call(data.t())"),
        ("before = data.cpu()", "before = data.copy()"),
        (
            "assert (data.cpu() == ops.call(data).cpu()).all()",
            "assert (data == ops_ms.call(data)).all()",
        ),
    ],
)
def test_a_move_stays_a_copy_of_what_may_be_written_to(written: str, expected: str) -> None:
    assert body_of(written) == expected


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("assert data.device.type == 'npu' and data.dim() == 2", "assert data.dim() == 2"),
        (
            "assert data.dim() == 2 and data.is_cuda, data.shape",
            "assert data.dim() == 2, data.shape",
        ),
        ("assert (data.dim() == 2) and (data.device == device)", "assert (data.dim() == 2)"),
        ("assert (data.device == device) and (data.dim() == 2)", "assert (data.dim() == 2)"),
        ("assert data.device == device", "pass  # MindSpore moves tensors itself"),
    ],
)
def test_assertions_say_nothing_of_devices(written: str, expected: str) -> None:
    assert body_of(written) == expected


def test_gradients_are_those_of_functions() -> None:
    lines = body_of(
        "x = torch.randn(3, requires_grad=True)",
        "w = torch.randn(3).requires_grad_()",
        "(ops.call(x) * w).sum().backward()",
        "assert x.grad.dtype == w.grad.dtype",
    ).splitlines()
    assert lines[2:] == [
        "x_grad, w_grad = _testing.gradients(lambda x, w: (ops_ms.call(x) * w).sum(), (x, w))",
        "assert x_grad.dtype == w_grad.dtype",
    ]


def test_what_is_computed_before_a_backward_is_part_of_the_function() -> None:
    lines = body_of(
        "x = torch.randn(3, requires_grad=True)",
        "scale = torch.ones(3)",
        "y = ops.call(x)",
        "z = y * scale",
        "assert z.shape == x.shape",
        "z.backward(torch.ones(3))",
        "assert torch.equal(x.grad, scale)",
    ).splitlines()
    assert lines[5:] == [
        "def differentiated(x):",
        "    y = ops_ms.call(x)",
        "    z = y * scale",
        "    return z",
        "",
        "(x_grad,) = _testing.gradients(differentiated, (x,), _testing.ones(3))",
        "assert _testing.equal(x_grad, scale)",
    ]


def test_gradients_are_asked_for_again_after_a_reset() -> None:
    lines = body_of(
        "x = torch.randn(3, requires_grad=True)",
        "ops.call(x).sum().backward()",
        "first, x.grad = x.grad, None",
        "ops.call(x).sum().backward()",
        "assert torch.equal(first, x.grad)",
    ).splitlines()
    assert lines[2] == "first, x_grad = x_grad, None" and "lambda x:" in lines[3]
    again = ["x.sum().backward()", "y = x.grad", "x.sum().backward()", "assert (x.grad == 2 * y)"]
    assert "add up" in reason_of("x = torch.randn(3, requires_grad=True)", *again)


def test_gradients_need_not_be_looked_at() -> None:
    lines = body_of(
        "x = torch.randn(3)",
        "x.requires_grad_()",
        "y = ops.call(x)",
        "y.backward(torch.ones(3))",
    ).splitlines()
    assert lines[-1] == "_testing.gradients(differentiated, (x,), _testing.ones(3))"


def test_gradients_may_be_asked_for_by_grad() -> None:
    lines = body_of(
        "x, grad = torch.randn(3, requires_grad=True), torch.ones(3)",
        "(slope,) = torch.autograd.grad(ops.call(x), x, grad)",
        "assert torch.autograd.gradcheck(ops.call, (x,))",
    ).splitlines()
    assert lines[1] == "(slope,) = _testing.gradients(lambda x: ops_ms.call(x), (x,), grad)"
    assert lines[2] == "assert _testing.gradcheck(ops_ms.call, (x,))"


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        (["y = torch.compile(ops.call)"], "`torch.compile` has no counterpart"),
        (["y = ops.of_gpu(torch.ones(3))"], "`ops.of_gpu` is not in the plugin"),
        (["y = torch.ones(3, device='meta')"], "meta"),
        (["x = torch.ones(3)", "x.retain_grad()"], "retain_grad"),
        (
            ["x = torch.ones(3)", "x.sum().backward()"],
            "without a variable that requires a gradient",
        ),
        (["x = torch.ones(3)", "x.sum().backward(create_graph=True)", "x.grad"], "create_graph"),
        (["m = torch.ones(3)", "m.sum().backward()", "assert [t.grad for t in [m]]"], "variable"),
        (
            ["x = torch.ones(3)", "y = x * 2", "ops._C.g_(y)", "y.sum().backward()", "x.grad"],
            "more than assignments",
        ),
        (["s = f'{torch.float32}'"], "f-string"),
    ],
)
def test_what_is_not_mechanical_is_skipped_with_its_reason(lines: list[str], reason: str) -> None:
    assert reason in reason_of(*lines)


def test_a_skipped_test_keeps_its_cases() -> None:
    """So that each of them is compared with torch's by name."""
    done = convert(
        test_f=HEAD
        + "@pytest.mark.parametrize('dtype', [torch.float32, torch.int8])\n"
        + "def test_f(dtype):\n    torch.compile(ops.call)\n"
        + "def test_g():\n    ops.call(torch.ones(3))\n"
    )
    assert left_of(done) == {"test_f": "`torch.compile` has no counterpart"}
    text = text_of(done)
    assert "parametrize('dtype', [mindspore.float32, mindspore.int8])" in text
    assert text.count("pytest.mark.skip(") == 1 and "ops_ms.call(_testing.ones(3))" in text


def test_what_uses_code_that_is_not_converted_is_not_either() -> None:
    done = convert(
        conftest="import pytest\nimport torch\n\n@pytest.fixture\n"
        "def stream():\n    return torch.cuda.Stream()\n",
        helpers="import torch\n\ndef compiled(f):\n    return torch.compile(f)\n\n"
        "def ones():\n    return torch.ones(3)\n",
        test_f=HEAD
        + "from helpers import compiled, ones\n\n"
        + "def test_a():\n    compiled(ops.call)(ones())\n\n"
        + "def test_b(stream):\n    ops.call(ones())\n\n"
        + "def test_c():\n    ops.call(ones())\n",
    )
    assert left_of(done) == {
        "test_a": "it uses `compiled`: `torch.compile` has no counterpart",
        "test_b": "it uses `stream`: `torch.cuda.Stream` has no counterpart",
    }
    assert "from helpers import ones\n" in text_of(done)
    assert "# def compiled(f):" in text_of(done, "helpers")


def test_what_no_name_leads_to_is_named_by_its_line() -> None:
    done = convert(
        test_f=HEAD
        + "torch.set_default_dtype(torch.float64)\n"
        + "pytestmark = pytest.mark.skipif(torch.version.cuda is None, reason='')\n"
        + "if torch.version.hip:\n    KIND = 1\nelse:\n    KIND = 2\n\n"
        + "def test_a():\n    assert KIND\n\n"
        + "def test_b():\n    ops.call(torch.ones(3))\n"
    )
    assert left_of(done) == {
        "line 7": "`torch.set_default_dtype` has no counterpart",
        "pytestmark": "`torch.version.cuda` has no counterpart",
        "test_a": "it uses `KIND`: `torch.version.hip` has no counterpart",
    }


def test_methods_are_converted_one_by_one() -> None:
    done = convert(
        test_f=HEAD
        + "class TestF:\n    def test_a(self):\n        ops.call(torch.ones(3))\n\n"
        + "    def test_b(self):\n        torch.compile(ops.call)\n\n"
        + "class TestG:\n    def setup_method(self):\n        torch.compile(ops.call)\n\n"
        + "    def test_c(self):\n        ops.call(torch.ones(3))\n"
    )
    assert set(left_of(done)) == {"TestF.test_b", "TestG.test_c"}
    assert "setup_method" in left_of(done)["TestG.test_c"]
    assert "        ops_ms.call(_testing.ones(3))" in text_of(done)


CLASS = (
    "import pytest\nimport torch\nfrom torch_npu.testing.testcase import TestCase, run_tests\n\n"
    "import ops\n\n\nMARK\nclass Rows(TestCase):\n"
    "    def test_a(self):\n        self.assertEqual(ops.call(torch.ones(3)), torch.ones(3))\n\n\n"
    'if __name__ == "__main__":\n    run_tests()\n'
)


def test_classes_of_torchs_are_those_of_the_helper() -> None:
    """And what runs a file as a program is not missed."""
    done = convert(test_f=CLASS.replace("MARK", "@pytest.mark.slow"))
    text = text_of(done)
    assert left_of(done) == {} and "class Rows(_testing.TestCase):" in text
    assert "self.assertEqual(ops_ms.call(_testing.ones(3)), _testing.ones(3))" in text
    assert "\nrun_tests" not in text and "@pytest.mark.slow" in text


def test_a_class_is_skipped_whose_head_has_no_counterpart() -> None:
    mark = '@pytest.mark.skipif(torch.backends.mps.is_available(), reason="")'
    done = convert(test_f=CLASS.replace("MARK", mark))
    (reason,) = left_of(done).values()
    assert "its class: `torch.backends.mps" in reason
    text = text_of(done)
    assert "class Rows:\n" in text and "pytest.mark.skip(" in text and "mps.is" in text
    assert "@pytest.mark.skipif" not in text


def test_imports_are_those_of_the_plugin() -> None:
    done = convert(
        test_f="import numpy as np\nimport torch\nimport torch.nn.functional as F\n"
        "from torch.testing import assert_close\nimport ops as o\nfrom ops import call, of_gpu\n\n"
        "def test_a():\n    assert_close(call(torch.ones(3)), F.relu(o.call(torch.ones(3))))\n"
    )
    assert left_of(done) == {}
    head = text_of(done).partition("\n\n")[0].splitlines()
    assert head == [
        "import numpy as np",
        "import mindspore",
        "from ops_ms import _testing",
        "import ops_ms as o",
        "from ops_ms import call",
    ]


def test_no_tests_need_no_module_for_them() -> None:
    assert not any("_testing" in path for path in convert().files)
    done = convert(test_f="def test_nothing():\n    assert 1 + 1 == 2\n")
    assert text_of(done).startswith("def test_nothing") and left_of(done) == {}
    assert not any("_testing" in path for path in done.files)


MARKED = "[pytest]\nmarkers =\n    slow: takes long\n    gpu: needs one\nxfail_strict = true\n"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("pytest.ini", MARKED),
        ("tox.ini", f"[tox]\nenvlist = py\n\n{MARKED}"),
        ("setup.cfg", MARKED.replace("[pytest]", "[tool:pytest]")),
        (
            "pyproject.toml",
            '[project]\nname = "ops"\n\n[tool.pytest.ini_options]\n'
            'markers = ["slow: takes long", "gpu: needs one"]\nxfail_strict = true\n'
            'filterwarnings = ["ignore::torch.jit.TracerWarning"]\n',
        ),
    ],
)
def test_the_configuration_of_pytest_is_that_of_the_plugin(name: str, text: str) -> None:
    done = convert_with({name: text.encode()})
    assert (done.files["mindspore_plugin/pytest.ini"] or b"").decode() == MARKED


@pytest.mark.parametrize("text", ["", "[tool]\npytest = 3\n", "[tool", 'tool = "pytest"\n'])
def test_without_a_configuration_of_pytest_there_is_none(text: str) -> None:
    assert (
        "mindspore_plugin/pytest.ini" not in convert_with({"pyproject.toml": text.encode()}).files
    )


def convert_with(files: dict[str, bytes]) -> Conversion:
    """What becomes of a test that reads `data/rows.npy` and `*.csv`, and of these files."""
    source = HEAD + (
        "HERE = __file__\n\n\ndef test_f():\n"
        "    assert ops.call(torch.ones(3)) is not None and 'rows.npy' and '*.csv'\n"
    )
    tree = {"csrc/op.cpp": SOURCE.encode(), "ops/__init__.py": PACKAGE.encode()}
    tree |= {"tests/test_f.py": source.encode(), **files}
    return TARGET.convert(tree, lambda tree: None, "plugin")


def test_files_that_tests_name_are_copied() -> None:
    named = {"tests/data/rows.npy": b"\x93NUMPY\0", "tests/a.csv": b"1", "tests/more/b.csv": b"2"}
    others = {"tests/README.md": b"x", "tests/helper.cpp": b"x", "data/rows.npy": b"x"}
    files = convert_with(named | others).files
    assert {p: files[f"mindspore_plugin/{p}"] for p in named} == named
    assert not any(f"mindspore_plugin/{path}" in files for path in others)


def test_migrate_copies_what_tests_need(own_home: Path, tmp_path: Path) -> None:
    """Also what is no text, and nothing that is not beside tests."""
    source = HEAD + "DATA = 'rows.npy'\n\n\ndef test_f():\n    ops.call(torch.ones(3))\n"
    files = {
        "csrc/op.cpp": SOURCE.encode(),
        "ops/__init__.py": PACKAGE.encode(),
        "setup.py": b"from setuptools import setup\n\nsetup(name='ops')\n",
        "tests/test_f.py": source.encode(),
        "tests/rows.npy": b"\x93NUMPY\0\xff\xfe",
        "pytest.ini": MARKED.encode(),
    }
    for path, data in files.items():
        (tmp_path / "ops" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "ops" / path).write_bytes(data)
    arguments = ("migrate", str(tmp_path / "ops"), "-t", "mindspore", "--no-compiler")
    _, document = porter(own_home, *arguments)
    plugin = tmp_path / "there" / "mindspore_plugin"
    shutil.copytree(tmp_path / "ops", plugin.parent)
    apply = ["git", "apply", document["patch"]["path"]]
    alone = {**os.environ, "GIT_CEILING_DIRECTORIES": "/"}
    subprocess.run(apply, cwd=plugin.parent, check=True, env=alone)
    assert (plugin / "tests" / "rows.npy").read_bytes() == files["tests/rows.npy"]
    assert (plugin / "pytest.ini").read_bytes() == files["pytest.ini"]
    assert not (plugin / "tests" / "setup.py").exists()


RUN = (
    HEAD
    + """
@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32, torch.float64])
@pytest.mark.parametrize("shape", [(), (3,), (2, 3), (0, 2)])
def test_squares(shape, dtype):
    x = torch.randn(shape).to(dtype)
    torch.testing.assert_close(ops.call(x).float(), (x.float() * x.float()), rtol=2e-2, atol=1e-3)
    assert ops.call(x).dtype == dtype and x.shape == shape


@pytest.mark.parametrize("off", [1e-3, 0.0])
def test_what_differs_is_seen(off):
    x, grad = torch.rand(4, dtype=torch.float64, requires_grad=True), torch.ones(4)
    ops.call(x).backward(grad.double())
    for check in (
        lambda: torch.testing.assert_close(ops.call(x), x * x + off),
        lambda: torch.testing.assert_close(x.grad, 2 * x + off),
        lambda: torch.testing.assert_close(ops.call(x).float(), (x * x)),
        lambda: torch.testing.assert_close(ops.call(x)[:3], (x * x)),
    )[: 4 if off else 2]:
        if off:
            with pytest.raises(AssertionError):
                check()
        else:
            check()
    assert torch.equal(ops.call(x), x * x + off) == (not off)
    assert torch.allclose(ops.call(x), x * x + off) == (not off)
    assert not torch.equal(x, x.float())


def test_gradients():
    x = torch.randn(2, 3, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(ops.call, (x,))
    assert torch.autograd.gradcheck(lambda x, n: (ops.call(x) * n, x + 1), (x, 3))


def test_factories():
    assert torch.arange(3).dtype == torch.int64 and torch.arange(0, 1, 0.5).dtype == torch.float32
    assert torch.tensor([1, 2]).dtype == torch.int64 and torch.tensor(1.5).dtype == torch.float32
    assert torch.tensor([True]).dtype == torch.bool and torch.full((2,), 1).dtype == torch.int64
    drawn = torch.randint(3, 5, (100,))
    assert drawn.min() == 3 and drawn.max() == 4 and drawn.dtype == torch.int64
    assert torch.full_like(torch.ones(2), 3).tolist() == [3.0, 3.0] and torch.eye(2).sum() == 2
    assert torch.full((2,), fill_value=1.5).tolist() == [1.5, 1.5]
    drawn = torch.randint(low=1, high=2, size=[2, 3], dtype=torch.int32)
    assert drawn.shape == (2, 3) and drawn.sum() == 6 and drawn.dtype == torch.int32
    assert torch.randint(high=1, size=(2,)).tolist() == [0, 0]
    assert torch.finfo(torch.bfloat16).max > 3e38 and torch.iinfo(torch.int8).max == 127
    assert torch.stack([torch.ones(2), torch.zeros(2)], dim=1).tolist() == [[1.0, 0.0]] * 2
    torch.manual_seed(1)
    first = torch.randn(5)
    torch.manual_seed(1)
    assert torch.equal(first, torch.randn_like(first))
"""
)


@pytest.mark.parametrize("name", ["torch", "mindspore"])
def test_converted_tests_pass_as_those_for_torch_do(name: str, tmp_path: Path) -> None:
    """With the operator in Python, so that nothing is compiled."""
    files = {path: data or b"" for path, data in convert(test_f=RUN).files.items()}
    files |= {"ops/__init__.py": PACKAGE.encode(), "tests/test_f.py": RUN.encode()}
    for path in ("ops/_C.py", "mindspore_plugin/ops_ms/_C_ops.py"):
        files[path] = b"def f(x):\n    return x * x\n"
    for path, data in files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(data)
    project = tmp_path / ("mindspore_plugin" if name == "mindspore" else "")
    said = run_in(name, project, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/test_f.py")
    assert "20 passed" in said


NARROW = (
    HEAD
    + """
def test_narrow():
    x = torch.tensor([1.5, -2.0, 0.25]).to(torch.bfloat16)
    assert x.abs().tolist() == [1.5, 2.0, 0.25] and x.abs().dtype == torch.bfloat16
    assert (x > 0).tolist() == [True, False, True] and x.isfinite().all() and (x != 1).all()
    assert x.sum().item() == -0.25 and x.sum().dtype == torch.bfloat16
    assert torch.sum(x, dtype=torch.float32).dtype == torch.float32
    assert (x + x.float()).dtype == torch.float32 and (x + x).dtype == torch.bfloat16
    assert torch.exp(x).tolist() == [4.46875, 0.1357421875, 1.28125]
    assert torch.max(x, dim=0)[0].dtype == torch.bfloat16 and torch.max(x, dim=0)[1] == 0
    assert x[x > 0].tolist() == [1.5, 0.25] and torch.where(x > 0, x, x * 2)[1] == -4


def test_slopes():
    x = torch.tensor([1.5, -2.0]).to(torch.bfloat16).requires_grad_()
    (torch.exp(x) * 2).sum().backward()
    assert x.grad.tolist() == [8.9375, 0.271484375] and x.grad.dtype == torch.bfloat16
"""
)
WIDENED = """
import mindspore
from emulated_mindspore import widen

widen(mindspore)
"""


@pytest.mark.parametrize("name", ["torch", "mindspore"])
def test_mindspore_on_the_emulated_npu_takes_bfloat16_as_torch_does(
    name: str, tmp_path: Path
) -> None:
    done = convert(test_f=NARROW)
    assert left_of(done) == {}
    (tmp_path / "ops.py").write_text("")
    (tmp_path / "test_f.py").write_text(NARROW if name == "torch" else text_of(done))
    if name == "mindspore":
        (tmp_path / "conftest.py").write_text(WIDENED)
        shutil.copy(Path(emulated_mindspore.__file__), tmp_path)
        for path, data in done.files.items():
            if "/ops_ms/" in path:
                (tmp_path / "ops_ms").mkdir(exist_ok=True)
                (tmp_path / path.removeprefix("mindspore_plugin/")).write_bytes(data or b"")
    said = run_in(name, tmp_path, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_f.py")
    assert "2 passed" in said


OF_TORCH = "from torch.testing._internal.common_utils import TestCase\n"
CASES = (
    HEAD.replace("import ops", f"{OF_TORCH}\nimport ops")
    + """class TestRows(TestCase):
    def test_equal(self):
        x = torch.tensor([1.0, float("nan"), 3.0])
        self.assertEqual(x, x)
        self.assertEqual((x, 2), (x, 2))
        self.assertEqual(x[:1], x[:1] + 1e-3, atol=1e-2, rtol=0)
        for other in (x + 1e-3, x[:2], x.double()):
            with self.assertRaises(AssertionError):
                self.assertEqual(x, other)
        self.assertEqual(x, x.double(), exact_dtype=False)
        with self.assertRaises(AssertionError):
            self.assertEqual(2, 3)


class TestNear(torch_npu.testing.testcase.TestCase):
    def test_near(self):
        x = torch.tensor([1.0, 1e-6, 1e4])
        self.assertRtolEqual(x, x * (1 + 5e-5))
        self.assertRtolEqual(x.half(), x.half() * 1.0005)
        for off in (x * 1.001 + 1e-3, x[:2]):
            with self.assertRaises(AssertionError):
                self.assertRtolEqual(x, off)
"""
).replace("import torch\n", "import torch\nimport torch_npu.testing.testcase\n")


def test_the_helpers_class_compares_as_those_of_torch_do(tmp_path: Path) -> None:
    """Whose own need more than torch: expecttest, and an NPU."""
    done = convert(test_f=CASES)
    assert left_of(done) == {}
    for path, data in done.files.items():
        if "/ops_ms/" in path or "/tests/" in path:
            own = tmp_path / path.removeprefix("mindspore_plugin/")
            own.parent.mkdir(exist_ok=True)
            own.write_bytes(data or b"")
    (tmp_path / "ops_ms" / "_C_ops.py").touch()
    said = run_in("mindspore", tmp_path, "-m", "pytest", "-q", "tests/test_f.py")
    assert "2 passed" in said


TIMES = """
#include <torch/extension.h>
at::Tensor times(const at::Tensor &x, double factor) { return x; }
TORCH_LIBRARY(ops, m) { m.def("times(Tensor x, float factor=3.0) -> Tensor", &times); }
"""
REGISTERED = """
import torch


def _keep(context, inputs, output):
    context.factor = inputs[1]


def _backward(context, grad):
    return grad * context.factor, None


torch.library.register_autograd("ops::times", _backward, setup_context=_keep)
times = torch.ops.ops.times
"""


def test_gradients_of_operators_with_defaults_have_them(tmp_path: Path) -> None:
    tree = {"csrc/op.cpp": TIMES.encode(), "ops/__init__.py": REGISTERED.encode()}
    done = TARGET.convert(tree, lambda tree: None, "plugin")
    assert done.left == []
    for path, data in done.files.items():
        if "/ops_ms/" in path:
            (tmp_path / "ops_ms").mkdir(exist_ok=True)
            (tmp_path / path.removeprefix("mindspore_plugin/")).write_bytes(data or b"")
    (tmp_path / "ops_ms" / "_C_ops.py").write_text("def times(x, factor):\n    return x * factor\n")
    (tmp_path / "run.py").write_text(
        "import mindspore\nimport ops_ms\n\nx = mindspore.Tensor([1.0, 2.0])\n"
        "derive = mindspore.ops.GradOperation(get_all=True)\n"
        "for call in (lambda x: ops_ms.times(x), lambda x: ops_ms.times(x, factor=5.0)):\n"
        "    print(ops_ms.times(x).asnumpy().tolist(), derive(call)(x)[0].asnumpy().tolist())\n"
    )
    lines = run_in("mindspore", tmp_path, "run.py").splitlines()
    assert lines[-2:] == ["[3.0, 6.0] [3.0, 3.0]", "[3.0, 6.0] [5.0, 5.0]"]


def run_in(name: str, folder: Path, *arguments: str) -> str:
    """What Python with a framework prints, in a folder that it can import from."""
    framework = framework_named(name)
    spec = framework.environment(framework.default_version, Device.CPU)
    cached = environment.find_cached(spec, CACHE)
    if cached is None:
        pytest.skip(f"porter has made no environment for {name} {framework.default_version} yet")
    done = subprocess.run(
        [cached.python, *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(folder)},
    )
    assert done.returncode == 0, (done.stdout + done.stderr)[-3000:]
    return done.stdout


# What tests may call of mindspore.mint, each with arguments of torch's; `x` if it is the only one.
CALLS = {
    "add": "x, y", "all": "m", "amax": "x, -1", "amin": "x, (0, 1)", "any": "m, dim=0",
    "atanh": "p / 9", "bitwise_and": "n, n + 1", "bmm": "q, q.transpose(1, 2)",
    "broadcast_to": "x, (2, 3, 4)", "cat": "(x, y), dim=-1", "cdist": "x, y", "chunk": "x, 2",
    "clamp": "x, min=0", "clip": "x, -1, 1", "concat": "(x, y)",
    "cross": "x[:, :3], y[:, :3], dim=1",
    "cumprod": "x, dim=-1", "div": "x, y", "eq": "n, 2", "erfinv": "p / 9", "flatten": "q, 1",
    "flip": "x, (0,)", "fmod": "x, 2", "gather": "x, 1, torch.tensor([[0], [1], [2]])",
    "ge": "x, y", "gt": "x, y", "hstack": "(x, y)", "isclose": "x, x + 1e-9", "le": "x, y",
    "lerp": "x, y, 0.5", "log": "p", "log1p": "p", "logical_and": "m, x > y", "logical_not": "m",
    "logical_or": "m, x > y", "logical_xor": "m, x > y", "lt": "x, 0", "masked_select": "x, m",
    "matmul": "x, y.t()", "max": "x, dim=-1", "maximum": "x, y", "mean": "x, -1, keepdim=True",
    "meshgrid": "x[0], y[0], indexing='ij'", "min": "x", "minimum": "x, y", "mul": "x, y",
    "nan_to_num": "torch.log(x)", "narrow": "x, 1, 1, 2", "ne": "n, 2", "nonzero": "m",
    "permute": "q, (2, 0, 1)", "pow": "p, 2.5", "prod": "x, dim=0", "reciprocal": "p",
    "remainder": "x, 2", "reshape": "x, (-1, 6)", "rsqrt": "p", "softmax": "x, dim=-1",
    "split": "x, 2, dim=1", "sqrt": "p", "sub": "x, y", "sum": "n", "swapaxes": "q, 0, 2",
    "tile": "x, (2, 1)", "transpose": "x, 0, 1", "unbind": "x", "unsqueeze": "x, 1",
    "where": "m, x, 0.0",
    "nn.functional.binary_cross_entropy_with_logits": "x, p / 9", "nn.functional.glu": "x",
    "nn.functional.linear": "x, y, y[:, 0]", "nn.functional.prelu": "x, p[0, :1]",
    "nn.functional.smooth_l1_loss": "x, y", "nn.functional.softmax": "x, dim=-1",
}  # fmt: skip
CALLED = """
import json
import sys

import torch

import ops

x, y = (torch.tensor(each) for each in json.loads(sys.argv[1]))
m, p, n = x > 0, x * x + 0.1, torch.arange(6).reshape(2, 3).int()
q = torch.stack((x, y))
RESULTS = [
    CALLS
]


def plain(value):
    if isinstance(value, (tuple, list)):
        return [plain(each) for each in value]
    kind = str(value.dtype).lower().rpartition(".")[2].removesuffix("_")
    return [kind, list(value.shape), value.tolist()]


print(json.dumps([plain(each) for each in RESULTS]))
"""


def test_functions_give_what_those_of_torch_give(tmp_path: Path) -> None:
    own = [n for n, o in COUNTERPARTS.items() if o.startswith("mindspore.mint.")]
    names = [name.removeprefix("torch.") for name in own]
    assert {*CALLS} <= {*names}
    calls = [f"torch.{name}({CALLS.get(name, 'x')})" for name in names]
    source = CALLED.replace("CALLS", ",\n    ".join(calls))
    done = convert(test_f=source)
    assert left_of(done) == {}
    numbers = numpy.random.RandomState(3).uniform(-2, 2, (2, 3, 4)).round(3).tolist()
    found = {}
    for name in ("torch", "mindspore"):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "test_f.py").write_text(source if name == "torch" else text_of(done))
        (folder / "ops.py").touch()
        for path, data in done.files.items():
            if "/ops_ms/" in path:
                (folder / "ops_ms").mkdir(exist_ok=True)
                (folder / path.removeprefix("mindspore_plugin/")).write_bytes(data or b"")
        found[name] = run_in(name, folder, "test_f.py", json.dumps(numbers))
    theirs, ours = (json.loads(found[n].splitlines()[-1]) for n in ("torch", "mindspore"))
    for call, left, right in zip(calls, theirs, ours, strict=True):
        assert_same(call, left, right)


def assert_same(call: str, left: Any, right: Any) -> None:
    if isinstance(left[0], str):
        assert left[:2] == right[:2], call
        numpy.testing.assert_allclose(right[2], left[2], rtol=1e-5, atol=1e-6, err_msg=call)
    else:
        for one, other in zip(left, right, strict=True):
            assert_same(call, one, other)
