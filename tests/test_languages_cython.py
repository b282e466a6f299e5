"""Cython by its tokens: names of imports, wherever they stand but in text."""

from __future__ import annotations

from pathlib import Path

import pytest

from porter.languages import cython
from porter.model import Language, State
from porter.residue import residue
from porter.surface.load import load, load_torch
from porter.survey.discover import discover
from porter.uses.lookup import uses
from tests.test_cli import document, write

PYX = '''\
# cython: language_level=3
"""torch.absolute in a text"""
import torch as th, numpy as np
from torch import (absolute,
    equal as same)
cimport numpy as cnp
from libc.math cimport sqrt
cdef extern from "torch/extension.h":
    cdef int thing "torch::thing" (int*) except? -1

cdef class A:
    def g(self, x):  # th.absolute
        cdef int* n = <int*> &x
        if same(x, x): return 'th.absolute', self.th.absolute
        return th . cuda.Event, absolute(x), other.absolute
'''


def names(text: str) -> list[tuple[str, int]]:
    document = cython.parse(text.encode(), "ops/fast.pyx")
    return [(n.qualified, document.position(n.start)[0]) for n in document.names]


def test_names_are_resolved_through_imports() -> None:
    assert [found for found in names(PYX) if found[0].startswith("torch")] == [
        ("torch", 3),
        ("torch.absolute", 4),
        ("torch.equal", 5),
        ("torch.equal", 14),
        ("torch.cuda.Event", 15),
        ("torch.absolute", 15),
    ]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("import torch.nn.functional\ntorch.nn.functional.pad(x)", "torch.nn.functional.pad"),
        ("import torch.nn.functional as F\nF.pad(x)", "torch.nn.functional.pad"),
        ("from torch.nn import functional as F\r\nF.pad(x)\r\n", "torch.nn.functional.pad"),
        ("from torch import zeros, \\\n  ones as o\no(2)", "torch.ones"),
        ("def f():\n    import torch\n    torch.ones(2)", "torch.ones"),
    ],
)
def test_each_form_of_import_binds(text: str, found: str) -> None:
    assert names(text)[-1][0] == found


@pytest.mark.parametrize(
    "text", ["", '"""', "import", "from torch import (", "\xff\x00", "import ("]
)
def test_nothing_is_too_odd(text: str) -> None:
    assert all(name.startswith("torch") for name, _ in names(text))


def test_uses_are_those_of_python_and_leftovers_are_said(tmp_path: Path) -> None:
    write(tmp_path, {"ops/fast.pyx": PYX, "ops/fast.pxd": "import torch\n"})
    files = discover(tmp_path).files
    assert {f.language for f in files} == {Language.CYTHON}
    read = [(f, (tmp_path / f.path).read_bytes()) for f in files]
    assert {use.language for use in uses(read)} == {Language.PYTHON}
    offered = {"torch.absolute": "python/x", "torch.equal": "python/y"}
    left = residue(read, load("paddle", "3.3.1"), load_torch(), offered)
    assert [(r.name, r.line, r.state) for r in left] == [
        ("torch.equal", 5, State.DIFFERENT),
        ("torch.equal", 14, State.DIFFERENT),
    ]
    assert left[0].reason.endswith("by the file that calls, and compiled code has none")
    bare = residue(read, load("paddle", "3.3.1"), load_torch(), {})
    assert {(r.name, r.reason) for r in bare} >= {("torch.absolute", "paddle 3.3.1 lacks it")}


def test_cython_is_reported_and_never_edited(tmp_path: Path) -> None:
    files = {"ops/__init__.py": "", "ops/fast.pyx": PYX, "ops/core.py": "import torch\n"}
    write(tmp_path / "ops", {**files, "ops/more.pyx": "import torch\nev = torch.absolute\n"})
    found = document("migrate", "ops", "--no-compiler", cwd=tmp_path, code=1)
    assert {(r["path"], r["name"]) for r in found["residue"]} == {("ops/fast.pyx", "torch.equal")}
    absolute = next(m for m in found["missing"] if m["name"] == "torch.absolute")
    assert (absolute["language"], absolute["uses"]) == ("python", 3)
    patch = Path(found["patch"]["path"]).read_text()
    assert "pointwise" in absolute["answer"] and ".pyx" not in patch
