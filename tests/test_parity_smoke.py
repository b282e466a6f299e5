"""A repository without tests: what its operators take is read off, and they are called."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from porter.model import Device, ParityResult, Placeholder, TensorSpec
from porter.parity.side import Side
from porter.parity.signatures import TRIALS, arguments, parameters
from porter.parity.smoke import smoke

HERE = Path(__file__).parent
OPS = """
import os
import torch
TARGET = os.environ.get("SIDE") == "target"
__file__ = "ops.so"
class Handle: pass
def twice(x): return torch.from_numpy(x.array * 2)
def differs(x): return torch.from_numpy(x.array + TARGET)
def random(x): return torch.from_numpy(x.array + int.from_bytes(os.urandom(2), "little"))
def rows(x, at): return torch.from_numpy(x.array[at.array])
def never(x): raise ValueError("no")
def crashes(x): os.abort()
def version(): return 1
def strange(x, thing): return x
texts = {
    "twice": "(arg0: torch.Tensor) -> torch.Tensor", "differs": "(x: at::Tensor) -> at::Tensor",
    "random": "(x: torch.Tensor) -> torch.Tensor", "never": "(x: torch.Tensor) -> torch.Tensor",
    "rows": "(x: torch.Tensor, at: torch.Tensor, n: int = 3) -> torch.Tensor", 
    "version": "() -> int",
    "crashes": "(x: torch.Tensor) -> None", "strange": "(x: torch.Tensor, thing: Handle) -> None",
}
for name, text in texts.items(): globals()[name].__doc__ = name + text
"""


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> dict[str, ParityResult]:
    tmp_path = tmp_path_factory.mktemp("smoke")
    modules = tmp_path / "modules"
    modules.mkdir()
    (modules / "ops.py").write_text(OPS)
    (modules / "torch.py").write_text((HERE / "faketorch.py").read_text())
    env = {"PYTHONPATH": str(modules)}
    source = Side(
        name="source", python=Path(sys.executable), work=tmp_path / "smoke", environment=env
    )
    target = replace(source, prelude="import os\nos.environ['SIDE'] = 'target'\n")
    found = smoke(["ops", "absent"], source, target, Device.CPU)
    return {result.case.partition(":")[2]: result for result in found}


def test_operators_are_called_and_compared(results: dict[str, ParityResult]) -> None:
    assert {name: str(result.status) for name, result in results.items()} == {
        "twice": "ok", "rows": "ok", "differs": "failed", "random": "skipped",
        "never": "skipped", "crashes": "skipped", "version": "skipped", "strange": "skipped",
        "Handle": "skipped",
    }  # fmt: skip
    assert results["differs"].phase == "values"
    assert all(result.made for result in results.values())


def test_a_process_that_ends_before_it_lists_the_operators_is_said(tmp_path: Path) -> None:
    prelude = "import os\nos.abort()\n"
    side = Side(name="source", python=Path(sys.executable), work=tmp_path, prelude=prelude)
    (result,) = smoke(["ops"], side, side, Device.CPU)
    assert str(result.status) == "skipped" and "could not be listed" in result.message


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("version", "accepts no tensors"),
        ("strange", "porter knows no value for Handle"),
        ("never", "none of the inputs"),
        ("Handle", "a class"),
    ],
)
def test_what_was_not_called_says_why(
    name: str, why: str, results: dict[str, ParityResult]
) -> None:
    assert why in results[name].message


@pytest.mark.parametrize(
    ("written", "types"),
    [
        ("n::op(Tensor x, Tensor? y=None, *, int[2] k) -> Tensor", ("Tensor", "k=int[2]")),
        ("n::op(Tensor(a!) x, Tensor[] y) -> ()", ("Tensor(a!)", "Tensor[]")),
        ("op(x: torch.Tensor, y: Optional[torch.Tensor] = None) -> int", ("torch.Tensor",)),
        ("op(x: at::Tensor, n: typing.SupportsInt) -> int", ("at::Tensor", "typing.SupportsInt")),
        ("op(*args, **kwargs)", ("*args", "**kwargs")),
        ("Overloaded function.", None),
    ],
)
def test_parameters_without_a_default_are_read(written: str, types: tuple[str, ...] | None) -> None:
    assert parameters(written) == types


def test_arguments_have_the_types_asked_for() -> None:
    types = ("torch.Tensor", "list[torch.Tensor]", "int", "List[int]", "bool", "k=ScalarType?")
    made = arguments(types, TRIALS[0])
    assert not isinstance(made, str)
    (tensor, tensors, *plain), named = made
    assert isinstance(tensor, TensorSpec) and isinstance(tensors, tuple) and len(tensors) == 2
    assert (plain, named) == ([1, (1, 1), False], {"k": None})
    device = arguments(("Device",), TRIALS[0])
    assert device == ((Placeholder("device"),), {})


@pytest.mark.real
def test_operators_that_torch_itself_registers_late_are_not_the_repositorys(
    framework_pythons: Mapping[str, Path], tmp_path: Path
) -> None:
    (tmp_path / "own_operators.py").write_text(
        "import torch, torch.distributed.fsdp\n"
        "@torch.library.custom_op('own::twice', mutates_args=())\n"
        "def twice(x: torch.Tensor) -> torch.Tensor:\n    return x * 2\n"
        "library = torch.library.Library('other', 'DEF')\nlibrary.define('f(Tensor x) -> Tensor')\n"
    )
    worker = HERE.parent / "porter" / "workers" / "list_operators.py"
    prelude, answer = f"import sys; sys.path.insert(0, {str(tmp_path)!r})", tmp_path / "answer.json"
    command = [framework_pythons["torch"], worker, prelude, answer, "own_operators"]
    subprocess.run(command, check=True, cwd=tmp_path)
    listed = json.loads(answer.read_text())["operators"]
    assert [one["name"] for one in listed] == ["torch.ops.other.f", "torch.ops.own.twice"]
