"""Calls of torch's functions: what is another answer, and that torch's own are those kept."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from porter.errors import RuleError
from porter.host.home import PACKAGE, rules_home
from porter.surface.calls import (
    Call,
    differences,
    find_answered,
    read_calls,
    silent_difference,
)

CALLS = rules_home() / "torch" / "calls.json"


def tensor(values: list[Any], **other: Any) -> dict[str, Any]:
    plain = {"is": "Tensor", "dtype": "float32", "shape": [len(values)], "strides": [1]}
    return {**plain, "values": values, "memory of": [], "changes": {}, **other}


ONE = tensor([1.0, 2.0])


@pytest.mark.parametrize(
    ("got", "how"),
    [
        (ONE, ""),
        (tensor([1.0, 2.0004]), ""),
        (tensor([1.0, 2.1]), "other values"),
        (tensor([1.0, "nan"]), "other values"),
        (tensor([1.0, 2.0], dtype="float64"), "dtype float64, torch float32"),
        (tensor([1.0, 2.0], shape=[1, 2]), "shape [1, 2], torch [2]"),
        (tensor([1.0, 2.0], **{"memory of": ["a"]}), "the memory of its argument, torch a copy"),
        (tensor([1.0, 2.0], changes={"a": [0.0]}), "writes to an argument"),
        ({"is": "float", "value": 1.0}, "a float, torch a Tensor"),
        ({"error": "TypeError", "said": "no"}, ""),
        ({"unmade": "no such dtype"}, ""),
    ],
)
def test_answers_that_differ(got: dict[str, Any], how: str) -> None:
    found = silent_difference(ONE, got)
    assert how in found
    assert bool(found) is bool(how)


def test_a_difference_inside_of_a_tuple_counts() -> None:
    both, other = ({"is": "tuple", "of": [ONE, t]} for t in (ONE, tensor([3.0, 2.0])))
    assert "other values" in silent_difference(both, other)
    assert "1 results" in silent_difference(both, {"is": "tuple", "of": [ONE]})


def test_what_half_of_the_calls_show_holds_of_every_call() -> None:
    calls = [
        Call("torch.f", f"torch.f(a, {n})", {"a": ["int32", [2], [1, 2]]}, ONE) for n in range(4)
    ]
    wrong, refused = tensor([5.0, 5.0]), {"error": "RuntimeError", "said": "no kernel"}
    (fact,) = differences(calls, [wrong, ONE, ONE, ONE])["torch.f"]
    assert str(fact).startswith("measured 2: `torch.f(a, 0)` of int32")
    silent, raised = differences(calls, [wrong, wrong, refused, ONE])["torch.f"]
    assert str(silent).startswith("call: ")
    assert "no kernel" in str(raised)
    assert not differences(calls, [ONE] * 4)


def test_a_list_where_torch_gives_a_tuple_is_told_and_holds_of_no_call() -> None:
    calls = [Call("torch.f", "torch.f(a)", {}, {"is": "tuple", "of": [ONE]})]
    (fact,) = differences(calls, [{"is": "list", "of": [ONE]}])["torch.f"]
    assert str(fact).startswith("measured 1: ")


def test_a_damaged_file_of_calls_is_named(tmp_path: Path) -> None:
    (tmp_path / "calls.json").write_text("[1]")
    with pytest.raises(RuleError, match=r"calls\.json"):
        read_calls(tmp_path / "calls.json")


@pytest.mark.real
def test_torch_answers_as_it_did_when_the_calls_were_written(
    framework_pythons: Mapping[str, Path], tmp_path: Path
) -> None:
    calls = read_calls(CALLS)
    assert len({call.name for call in calls}) > 800
    asked = {"enable": "", "calls": [[call.code, call.inputs] for call in calls]}
    (tmp_path / "asked.json").write_text(json.dumps(asked))
    worker = PACKAGE / "workers" / "surface_calls.py"
    argv = [framework_pythons["torch"], worker, tmp_path / "asked.json", tmp_path / "said.json"]
    subprocess.run(argv, check=True)
    found = differences(calls, json.loads((tmp_path / "said.json").read_text()))
    assert not found


def test_a_fact_is_answered_where_each_call_that_shows_it_is_right_with_the_package() -> None:
    calls = [
        Call("torch.f", f"torch.f(a, {n})", {"a": ["int32", [2], [1, 2]]}, ONE) for n in range(4)
    ]
    wrong, refused = tensor([5.0, 5.0]), {"error": "RuntimeError", "said": "no kernel"}
    plain = [wrong, ONE, refused, ONE]
    silent, raised = (str(fact) for fact in differences(calls, plain)["torch.f"])
    assert find_answered(calls, plain, [ONE] * 4) == {"torch.f": (silent, raised)}
    assert find_answered(calls, plain, [ONE, ONE, refused, ONE]) == {"torch.f": (silent,)}
    assert find_answered(calls, plain, [wrong, ONE, ONE, ONE]) == {"torch.f": (raised,)}
    assert find_answered(calls, plain, [refused, ONE, wrong, wrong]) == {}
