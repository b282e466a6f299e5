"""Polyfilled checks refuse what is wrong, under real frameworks; scripts and extensions run."""

from __future__ import annotations

import ast
import os
import re
import subprocess
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import pytest

from porter.host.home import rules_home
from porter.targets.paddle import PROXY
from porter.unit import Plane, pieces
from porter.unit.compose import compose

PIECES = pieces(rules_home() / "paddle" / "polyfills")
DATA = Path(__file__).parent / "data"
SCRIPTED = "torch.jit.script"


def unit(folder: Path, *extra: str) -> Path:
    """The module of a unit of every Python piece, and of other pieces by id."""
    chosen = [piece for piece in PIECES if piece.plane is Plane.PYTHON or piece.id in extra]
    parts = [part for piece in chosen for part in piece.parts]
    found = None
    for patch in compose(PROXY, "", "this test uses", chosen, parts):
        assert patch.after is not None
        path = folder / patch.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(patch.after)
        if path.suffix == ".py" and b"\n_register(" in patch.after:
            found = path
    assert found is not None
    return found


def run(python: Path, *arguments: str | Path, **environment: str) -> str:
    done = subprocess.run(
        [python, *arguments],
        capture_output=True,
        text=True,
        env={**os.environ, **environment},
        timeout=500,
    )
    assert done.returncode == 0, f"{done.stdout[-2000:]}\n{done.stderr[-4000:]}"
    return done.stdout


def test_no_name_is_of_two_pieces() -> None:
    names: Counter[str] = Counter()
    for piece in PIECES:
        if piece.plane is Plane.PYTHON:
            nodes = ast.parse(piece.files[0][1]).body
            own = {n.name for n in nodes if isinstance(n, ast.FunctionDef | ast.ClassDef)}
            for node in nodes:
                if isinstance(node, ast.Assign):
                    own |= {target.id for target in node.targets if isinstance(target, ast.Name)}
            names.update(own)
    assert [name for name, count in names.items() if count > 1] == []


@pytest.mark.real
@pytest.mark.parametrize("framework", ["torch", "paddle"])
@pytest.mark.parametrize("noting", [pytest.param(False, marks=pytest.mark.long), True])
def test_checks_take_what_is_right_and_refuse_what_is_wrong(
    framework_pythons: Mapping[str, Path], tmp_path: Path, framework: str, noting: bool
) -> None:
    notes = tmp_path / "noted"
    arguments = [unit(tmp_path)] if framework == "paddle" else []
    environment = {"PORTER_NOTED": str(notes)} if noting else {}
    script = tmp_path / "torch_checks.py"  # what it saves lies beside it, and torch is its unit's
    script.write_text((DATA / "torch_checks.py").read_text())
    told = run(framework_pythons[framework], "-W", "ignore", script, *arguments, **environment)
    lines = [line.rsplit(" = ", 1) for line in told.splitlines()]
    assert len(lines) > 80
    for name, said in lines:
        due = re.match(r"accepts|says False|refuses(: \w+)?", name)
        assert due is not None and said.startswith(due[0]), (name, said)
    used = {line.split()[0] for line in notes.read_text().splitlines()} if notes.exists() else set()
    checks = {"torch.autograd.gradcheck", "torch.autograd.gradgradcheck"}
    checks |= {"torch.testing.assert_close", SCRIPTED}
    assert used == (checks if noting and framework == "paddle" else set())


LOADING = """\
import os, sys, runpy
import paddle
paddle.enable_compat()
runpy.run_path(sys.argv[1])
import torch
from torch.utils.cpp_extension import load, load_inline

folder = sys.argv[2]
OP = '''
#include <torch/extension.h>
#include "factor.h"
at::Tensor scaled(const at::Tensor& x) {
  auto out = at::empty_like(x);
  const float* from = x.data_ptr<float>();
  for (int64_t i = 0; i < x.numel(); ++i) out.data_ptr<float>()[i] = FACTOR * from[i];
  return out;
}
'''
BOUND = 'PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("scaled", &scaled); }'
REGISTERED = '''
#include <torch/library.h>
TORCH_LIBRARY(loaded_here, m) { m.def("scaled(Tensor x) -> Tensor"); }
TORCH_LIBRARY_IMPL(loaded_here, CPU, m) { m.impl("scaled", &scaled); }
'''
x = torch.ones(3)


def put(name, text):
    path = os.path.join(folder, name)
    with open(path, "w") as file:
        file.write(text)
    return path


def refused(what, *words):
    try:
        what()
    except RuntimeError as error:
        assert all(word in str(error) for word in words), error
        return
    raise AssertionError("not refused")


def built(name):
    root = os.environ["TORCH_EXTENSIONS_DIR"]
    (found,) = [os.path.join(at, n) for at, _, names in os.walk(root) for n in names if n == name]
    return os.stat(found).st_mtime_ns


put("factor.h", "#ifndef FACTOR\\n#define FACTOR 2\\n#endif\\n")
source = put("op.cpp", OP + BOUND)
options = {"extra_include_paths": [folder], "extra_cflags": ["-O0"], "with_cuda": False}
options |= {"keep_intermediates": True, "extra_cuda_cflags": []}
assert load("first", [source], **options).scaled(x).tolist() == [2.0] * 3
before = built("first.so")
assert load(name="first", sources=source, **options).scaled(x).tolist() == [2.0] * 3
assert built("first.so") == before, "what did not change is not built again"
module = load_inline("second", ["#define FACTOR 5", OP], functions=["scaled"], **options)
assert module.scaled(x).tolist() == [5.0] * 3 and module.__name__ == "second"
load("third", put("third.cpp", OP + REGISTERED), is_python_module=False, **options)
assert torch.ops.loaded_here.scaled(x).tolist() == [2.0] * 3
refused(lambda: load("bad", put("bad.cpp", "int broken( {"), **options), "bad.cpp", "error:")
refused(lambda: load("gpu", put("gpu.cu", ""), **options), "gpu.cu", "CPU only")
print("loaded")
"""


@pytest.mark.real
@pytest.mark.long
def test_extensions_are_built_and_imported_at_run_time(
    framework_pythons: Mapping[str, Path], tmp_path: Path
) -> None:
    names = unit(tmp_path, "cpp/tensor_caster", "build/header_merger")
    script = tmp_path / "loading.py"
    script.write_text(LOADING)
    python = framework_pythons["paddle"]
    told = run(python, script, names, tmp_path, TORCH_EXTENSIONS_DIR=str(tmp_path / "built"))
    assert told.endswith("loaded\n")
