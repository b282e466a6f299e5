"""Trees that are not one neat package: small repositories, each laid out in its own way."""

from __future__ import annotations

from pathlib import Path

SOURCE = """\
#include <torch/extension.h>

at::Tensor twice(const at::Tensor& x) { return x + x; }

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("twice", &twice); }
"""
SETUP = """\
from setuptools import setup
from torch.utils.cpp_extension import BuildExtension, CppExtension

setup(
    name="{name}",
    version="1.0",
    packages=["{name}"],
    ext_modules=[CppExtension("{name}._C", ["csrc/twice.cpp"])],
    cmdclass={{"build_ext": BuildExtension}},
)
"""
# torch.equal gives a bool, Paddle's a Tensor; Paddle has no inference_mode.
USES = """\
import torch


def same(x, y):
    with torch.inference_mode():
        return torch.equal(x, y)
"""
COMPILED = """\
import torch

from . import _C


def doubled(x, y):
    with torch.inference_mode():
        return torch.equal(_C.twice(x), y)
"""
PROJECT = """\
[build-system]
requires = ["setuptools"]
build-backend = "setuptools.build_meta"

[project]
name = "{name}"
version = "1.0"
"""
TEST = """\
import torch

from {module} import {function}


def test_what_is_equal():
    x = torch.arange(4.0)
    assert {function}(x, x{by}) is True


def test_what_differs():
    x = torch.arange(4.0)
    assert {function}(x, x + 1) is False
"""


def _test(module: str, function: str) -> str:
    by = " * 2" if function == "doubled" else ""
    return TEST.format(module=module, function=function, by=by)


def _extension(name: str) -> dict[str, str]:
    return {
        f"{name}/setup.py": SETUP.format(name=name),
        f"{name}/csrc/twice.cpp": SOURCE,
        f"{name}/{name}/__init__.py": COMPILED,
        f"tests/test_{name}.py": _test(name, "doubled"),
    }


TREES: dict[str, dict[str, str]] = {
    # three projects, each with a package that is imported by itself
    "several": {
        **_extension("alpha"),
        **_extension("beta"),
        "gamma/pyproject.toml": PROJECT.format(name="gamma"),
        "gamma/gamma/__init__.py": USES,
        "tests/test_gamma.py": _test("gamma", "same"),
    },
    "two packages in one project": {
        "pyproject.toml": PROJECT.format(name="pairs")
        + '\n[tool.setuptools]\npackages = ["first", "second"]\n',
        "first/__init__.py": USES,
        "second/__init__.py": '"""Imported alone."""\n\nfrom .inner import same as same\n',
        "second/inner.py": USES,
        "tests/test_first.py": _test("first", "same"),
        "tests/test_second.py": _test("second", "same"),
    },
    "packages computed, below src": {
        "setup.py": SETUP.replace(
            "\nsetup(", '\n\nclass metadata:\n    project = "{name}"\n\n\nsetup('
        )
        .replace(
            'packages=["{name}"]', 'package_dir={{"": "src"}},\n    packages=[metadata.project]'
        )
        .replace('"{name}._C"', 'f"{{metadata.project}}._C"')
        .format(name="computed"),
        "csrc/twice.cpp": SOURCE,
        "src/computed/__init__.py": COMPILED,
        "tests/test_computed.py": _test("computed", "doubled"),
    },
    "a single module": {
        "setup.py": SETUP.replace('packages=["{name}"]', 'py_modules=["{name}"]')
        .replace("{name}._C", "{name}_C")
        .format(name="single"),
        "csrc/twice.cpp": SOURCE,
        "single.py": COMPILED.replace("from . import _C\n", "import single_C as _C\n"),
        "tests/test_single.py": _test("single", "doubled"),
    },
    "a namespace": {
        "pyproject.toml": PROJECT.format(name="spaces")
        + '\n[tool.setuptools.packages.find]\ninclude = ["spaces*"]\n',
        "spaces/a.py": USES,
        "spaces/deep/b.py": USES,
        "tests/test_a.py": _test("spaces.a", "same"),
        "tests/test_b.py": _test("spaces.deep.b", "same"),
    },
    "a build script that is run from elsewhere": {
        "setup.py": SETUP.replace("from setuptools", "import os\n\nfrom setuptools")
        .replace("\nsetup(", "\nos.chdir(os.path.dirname(os.path.abspath(__file__)))\n\nsetup(")
        .format(name="moved"),
        "csrc/twice.cpp": SOURCE,
        "moved/__init__.py": COMPILED,
        "tests/test_moved.py": _test("moved", "doubled"),
    },
}


def write(root: Path, name: str) -> Path:
    """A tree on disk."""
    for path, text in TREES[name].items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    return root
