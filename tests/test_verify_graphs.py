"""verify looks at operators in torchair's graphs: meta functions, converters, graphs that run."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.porting import porter

pytestmark = [pytest.mark.real, pytest.mark.long]
SETUP = """
from setuptools import setup
setup(name="rows_of", packages=["rows_of"], install_requires=["torch", "torch_npu"])
"""
OPERATORS = """
import torch
import torch_npu

library = torch.library.Library("rows_of", "DEF")
library.define("twice(Tensor x) -> Tensor")
library.define("total(Tensor x) -> Tensor")
library.impl("twice", lambda x: x + x, "PrivateUse1")
library.impl("total", lambda x: x.sum(-1), "PrivateUse1")


@torch.library.register_fake("rows_of::twice")
def _(x):
    return torch.empty_like(x)


@torch.library.register_fake("rows_of::total")
def _(x):
    return torch.empty_like(x)
"""
GRAPH = """
import torch
import torchair
from torchair.ge import attr

import rows_of


@torchair.register_fx_node_ge_converter(torch.ops.rows_of.twice.default)
def convert_twice(x, meta_outputs=None):
    return torchair.ge.custom_op(
        "Muls", inputs={"x": x}, attrs={"value": attr.Float(2.0)}, outputs=["y"]
    )
"""
TESTS = """
import rows_of
import torch


def test_rows():
    x = torch.randn(3, 5).npu()
    assert (torch.ops.rows_of.twice(x) == 2 * x).all()
    assert torch.ops.rows_of.total(x).shape == (3,)
"""


def test_meta_functions_and_graphs_are_held_against_eager(own_home: Path, tmp_path: Path) -> None:
    """A converter that no test imports is run, and a wrong meta function told with its place."""
    repository = tmp_path / "rows_of"
    for path, text in {
        "setup.py": SETUP,
        "rows_of/__init__.py": OPERATORS,
        "rows_of/graph.py": GRAPH,
        "tests/test_rows.py": TESTS,
    }.items():
        (repository / path).parent.mkdir(parents=True, exist_ok=True)
        (repository / path).write_text(text)
    _, document = porter(own_home, "port", str(repository), "-t", "torch_npu", "-d", "emulated")
    assert document["tests"]["target"]["passed"] == 1
    found = {case["case"]: case for case in document["parity"]["cases"]}
    line = OPERATORS.splitlines().index('@torch.library.register_fake("rows_of::total")') + 1
    assert {name: case["status"] for name, case in found.items()} == {
        "graph of rows_of.twice.default [float32 3x5]": "ok",
        "graph of rows_of.twice.default [float32 3x5, dynamic sizes]": "ok",
        "meta function of rows_of.total.default [float32 3x5]": "failed",
    }
    wrong = found["meta function of rows_of.total.default [float32 3x5]"]
    assert wrong["phase"] == "meta"
    assert wrong["message"].startswith(f"rows_of/__init__.py:{line}: rows_of.total.default: shape")
    assert {case["evidence"] for case in found.values()} == {"emulated"}
