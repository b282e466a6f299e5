"""A plugin that porter makes of a torch extension, built with MindSpore, gives torch's numbers."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

import numpy
import pytest

from porter.build import environment
from porter.model import Device
from porter.targets.mindspore import TARGET
from tests.conftest import CACHE, ROOT

pytestmark = [pytest.mark.real, pytest.mark.long]

OWN = "PORTER_MINDSPORE_PYTHON"  # an interpreter with mindspore and numpy < 2
INPUTS = """
import sys
import numpy

random = numpy.random.default_rng(0)
shapes = [(1, 1), (3, 5), (64, 128), (7, 0), (0, 4), (1000, 33)]
matrices = [random.standard_normal(shape).astype(numpy.float32) for shape in shapes]
factors = [random.standard_normal(shape[0]).astype(numpy.float32) for shape in shapes]
given = {}
for at, (x, by) in enumerate(zip(matrices, factors)):
    given[f"sum{at}"] = row_sum(tensor(x))
    given[f"plus{at}"] = row_sum(tensor(x)) + 1
    given[f"double{at}"] = row_sum(tensor(x.astype(numpy.float64)))
    given[f"transposed{at}"] = row_sum(transposed(tensor(x)))
    given[f"sliced{at}"] = row_sum(tensor(x)[:, ::2])
    changed = tensor(x)
    given[f"scaled{at}"] = scale_rows_(changed, tensor(by))
    given[f"in_place{at}"] = changed
numpy.savez(sys.argv[1], **{name: array(value) for name, value in given.items()})
try:
    array(row_sum(tensor(matrices[1][0])))
except RuntimeError as error:
    assert "x is not a matrix but has 1 dimensions" in str(error), error
else:
    raise AssertionError("a vector was taken")
"""
UNDER_TORCH = """
import torch
from row_ops import _C

row_sum, scale_rows_ = _C.row_sum, torch.ops.row_ops.scale_rows_
tensor, array = lambda x: torch.from_numpy(x.copy()), lambda x: x.numpy()
transposed = lambda x: x.t()
"""
UNDER_MINDSPORE = """
import mindspore
from row_ops_ms import row_sum, scale_rows_

tensor, array = mindspore.Tensor, lambda x: x.asnumpy()
transposed = lambda x: x.T
"""


@pytest.fixture(scope="module")
def python() -> Path:
    """Of the environment that porter would make; 2.8 GB, so that no test makes it."""
    spec = TARGET.environment(TARGET.default_version, Device.CPU)
    cached = environment.find_cached(spec, CACHE)
    given = os.environ.get(OWN)
    if cached is None and given is None:
        pytest.skip(
            f"MindSpore is not installed: pip install {' '.join(spec.requirements[:2])}, "
            f"and name that interpreter in {OWN}"
        )
    return Path(given) if given else cached.python  # type: ignore[union-attr]


def run(python: Path, folder: Path, *arguments: str) -> None:
    variables = {**os.environ, "PATH": f"{python.parent}:{os.environ['PATH']}", "PYTHONPATH": "."}
    done = subprocess.run(
        [str(python), *arguments], cwd=folder, env=variables, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]


def test_row_ops_give_what_torch_gives(
    framework_pythons: Mapping[str, Path], python: Path, tmp_path: Path
) -> None:
    tree = tmp_path / "row_ops"
    shutil.copytree(ROOT / "fixtures" / "row_ops", tree)
    files = {p.relative_to(tree).as_posix(): p.read_bytes() for p in tree.rglob("*.[cp]*")}
    for path, data in TARGET.convert(files, lambda _: None, "plugin").files.items():
        (tree / path).parent.mkdir(parents=True, exist_ok=True)
        (tree / path).write_bytes(data or b"")
    sides = {
        "torch": (framework_pythons["torch"], tree, UNDER_TORCH),
        "mindspore": (python, tree / "mindspore_plugin", UNDER_MINDSPORE),
    }
    for name, (interpreter, folder, prelude) in sides.items():
        run(interpreter, folder, "setup.py", "build_ext", "--inplace")
        (folder / "answers.py").write_text(prelude + INPUTS)
        run(interpreter, folder, "answers.py", str(tmp_path / f"{name}.npz"))
    want, got = (numpy.load(tmp_path / f"{name}.npz") for name in sides)
    assert want.files == got.files and len(want.files) == 42
    for name in want.files:
        assert got[name].dtype == want[name].dtype and got[name].shape == want[name].shape, name
        assert (got[name] == want[name]).all(), name  # the same loops: the same sums
