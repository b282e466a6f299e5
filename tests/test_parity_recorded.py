"""Cases from calls of tests: what the worker writes, and the file of cases that is made of it."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from porter.model import Placeholder, TensorSpec
from porter.parity import cases, written
from porter.parity.written import RECORDER, read_recorded

PACKAGE = """
import torch
torch.library.define("recorded::twice", "(Tensor x) -> Tensor")
torch.library.impl("recorded::twice", "cpu", lambda x: x * 2)
def inner(x): return x + 1
def outer(x, *, scale=1.0): return inner(torch.ops.recorded.twice(x)) * scale
def kinds(x, **more): return x.sum()
def detached(x): return x.detach() + 1
def refuses(x): raise ValueError("no")
def takes(x, state): return x
def scripted(x): return helper(x)
def helper(x): return x + 2
"""
TESTS = """
import pytest, torch
import ops
from ops import inner, outer
def test_calls():
    for size in (3, 5, 0):
        outer(torch.ones(size), scale=0.5)
    outer(torch.ones(2, requires_grad=True))
    inner(torch.arange(6).reshape(2, 3).t())
    with pytest.raises(ValueError): ops.refuses(torch.ones(2))
    ops.detached(torch.ones(2, requires_grad=True))
    ops.takes(torch.ones(2), object())
    more = {"size": (1, 2), "dtype": torch.float16, "out": None, "far": float("inf")}
    ops.kinds(torch.zeros(2, 4)[:, ::2], **more)
    assert torch.jit.script(ops.scripted)(torch.ones(1)).item() == 3
    ops.kinds(torch.arange(1000))
    ops.kinds(torch.arange(1000).flip(0).clone())
"""


@pytest.fixture(scope="module")
def lines(
    tmp_path_factory: pytest.TempPathFactory, framework_pythons: Mapping[str, Path]
) -> list[dict[str, Any]]:
    folder = tmp_path_factory.mktemp("recorded")
    (folder / "ops.py").write_text(PACKAGE)
    (folder / "test_ops.py").write_text(TESTS)
    out = folder / "calls.jsonl"
    subprocess.run(
        [framework_pythons["torch"], "-m", "pytest", "-q", "-p", RECORDER.stem, "test_ops.py"],
        cwd=folder,
        check=True,
        env={
            **os.environ,
            "PYTHONPATH": f"{RECORDER.parent}:{folder}",
            "PORTER_CALLS": str(out),
            "PORTER_INSTALLED": '["ops"]',
        },
    )
    return [json.loads(line) for line in out.read_text().splitlines()]


def of(lines: list[dict[str, Any]], call: str) -> list[dict[str, Any]]:
    return [line for line in lines if line["call"] == call]


@pytest.mark.real
def test_a_kind_of_call_is_written_once(lines: list[dict[str, Any]]) -> None:
    assert [line["args"][0]["shape"] for line in of(lines, "ops:outer")] == [[3], [0], [2]]
    assert [line["kwargs"] for line in of(lines, "ops:outer")] == [{"scale": 0.5}] * 2 + [{}]
    assert len(of(lines, "torch.ops.recorded.twice")) == 3


@pytest.mark.real
def test_what_a_recorded_function_calls_is_not_a_call_of_the_tests(
    lines: list[dict[str, Any]],
) -> None:
    (inner,) = of(lines, "ops:inner")
    values = [[0, 3], [1, 4], [2, 5]]
    assert inner["args"] == [{"dtype": "int64", "layout": "transposed", "values": values}]


@pytest.mark.real
def test_gradients_are_asked_of_what_has_them(lines: list[dict[str, Any]]) -> None:
    assert [line["args"][0].get("grad") for line in of(lines, "ops:outer")] == [None, None, True]
    assert [line["args"][0].get("grad") for line in of(lines, "ops:detached")] == [None]


@pytest.mark.real
def test_what_raises_and_what_no_case_can_say_are_left_out(lines: list[dict[str, Any]]) -> None:
    assert of(lines, "ops:refuses") == []
    (takes,) = of(lines, "ops:takes")
    assert "object" in takes["left_out"]
    assert ["left_out" in line for line in of(lines, "ops:kinds")] == [False, True, False]


@pytest.mark.real
def test_the_calls_are_cases(lines: list[dict[str, Any]], tmp_path: Path) -> None:
    (tmp_path / "calls.jsonl").write_text("\n".join(map(json.dumps, lines)))
    found = read_recorded(tmp_path / "calls.jsonl", ["ops"])
    assert found.left_out.keys() == {"ops:takes"}
    path = tmp_path / "porter.parity.toml"
    path.write_text("\n".join(map(written.block, found.entries)))
    loaded = {case.name: case for case in cases.load(path)}
    kinds = loaded["ops:kinds 1"]
    assert kinds.args == (TensorSpec(shape=(2, 2), layout="sliced", low=0.0, high=0.0),)
    assert kinds.kwargs == {
        "size": (1, 2),
        "dtype": Placeholder("torch", "float16"),
        "out": None,
        "far": float("inf"),
    }
    assert loaded["ops:kinds 2"].args == (
        TensorSpec(shape=(1000,), dtype="int64", low=0, high=1000),
    )
    assert loaded["recorded.twice 1"].imports == ("ops",)


def test_where_nothing_was_recorded_there_is_no_case(tmp_path: Path) -> None:
    assert read_recorded(tmp_path / "absent.jsonl", []).entries == []
