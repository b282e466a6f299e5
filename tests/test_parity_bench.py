"""What a call costs on both sides; a few lines stand for torch."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from porter.model import Cost, Device, ParityCase, TensorSpec
from porter.parity.bench import bench
from porter.parity.side import Side
from porter.report.parity import encode_costs, render_costs

HERE = Path(__file__).parent
OPS = """
import os, time
import torch
SLOW = os.environ.get("SIDE") == "target"
def waits(tensor): time.sleep(0.004 if SLOW else 0.001)
def raises_there(tensor):
    if SLOW: raise ValueError("no kernel")
def leaves_there(tensor):
    if SLOW: os._exit(3)
"""


@pytest.fixture(scope="module")
def costs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Cost]:
    folder = tmp_path_factory.mktemp("bench")
    (folder / "ops.py").write_text(OPS)
    (folder / "torch.py").write_text((HERE / "faketorch.py").read_text())

    def side(name: str) -> Side:
        return Side(
            name=name,
            python=Path(sys.executable),
            prelude=f"import os\nos.environ['SIDE'] = '{name}'\n",
            work=folder,
            environment={"PYTHONPATH": str(folder)},
            timeout=20,
        )

    spec = TensorSpec(shape=(2,))
    names = ("waits", "raises_there", "leaves_there", "waits")
    cases = [
        ParityCase(name=f"{name} [{n}]", call=f"ops:{name}", args=(spec,), group=name)
        for n, name in enumerate(names)
    ]
    found = bench(cases, Device.CPU, side("source"), side("target"), turns=3)
    return {cost.case: cost for cost in found}


def test_the_ratio_is_that_of_the_calls(costs: dict[str, Cost]) -> None:
    waits = costs["waits [0]"]
    assert 0.001 < waits.source < waits.target
    assert 1.5 < waits.ratio < 6 and waits.low <= waits.ratio <= waits.high
    assert waits.kernel_ratio is None  # nothing runs on after a call on a CPU


def test_a_call_that_does_not_return_has_its_reason_and_the_others_their_numbers(
    costs: dict[str, Cost],
) -> None:
    assert "target: ValueError: no kernel" in costs["raises_there [1]"].problem
    assert "exit status 3" in costs["leaves_there [2]"].problem


def test_of_a_grid_the_first_point_is_timed(costs: dict[str, Cost]) -> None:
    assert list(costs) == ["waits [0]", "raises_there [1]", "leaves_there [2]"]


def test_costs_are_shown_and_written(costs: dict[str, Cost]) -> None:
    assert render_costs(list(costs.values()))
    first = json.loads(encode_costs(list(costs.values())))[0]
    assert first["case"] == "waits [0]" and first["device"] == "cpu" and first["ratio"] > 1
