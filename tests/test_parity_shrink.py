"""The smallest failing call, of a fault stated here, and of two processes that differ."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from porter.model import ParityCase, ParityResult, Placeholder, TensorSpec
from porter.parity import cases as parity_cases
from porter.parity import written
from porter.parity.inputs import decode, generate
from porter.parity.shrink import smallest
from tests.test_parity_run import OPS, case, judged

WIDE = TensorSpec(shape=(5, 64))
ROW = TensorSpec(shape=(64,), seed=1, dtype="float16", layout="sliced", grad=True)
LINEAR = ParityCase(name="linear", call="ops:linear", args=(WIDE, ROW), kwargs={"width": 64})


def numbers(spec: object) -> list[float]:
    assert isinstance(spec, TensorSpec)
    return [float(each) for each in decode(generate(spec), spec.dtype).reshape(-1)]


def test_sizes_that_belong_together_shrink_together() -> None:
    def fails(case: ParityCase) -> bool:
        one, other = case.args
        assert isinstance(one, TensorSpec) and isinstance(other, TensorSpec)
        return one.shape[-1] == other.shape[0] == case.kwargs["width"] and other.shape[0] > 32

    found = smallest(LINEAR, fails, seconds=60)
    assert found.args[0] == replace(WIDE, shape=(0, 33))
    assert found.args[1] == replace(ROW, shape=(33,), layout="contiguous", grad=False)
    assert found.kwargs == {"width": 33}


def test_what_the_fault_needs_stays() -> None:
    def fails(case: ParityCase) -> bool:
        one, other = case.args
        assert isinstance(one, TensorSpec) and isinstance(other, TensorSpec)
        return one.shape != (0, 0) and other.layout == "sliced" and other.grad

    found = smallest(LINEAR, fails, seconds=60)
    assert isinstance(found.args[1], TensorSpec)
    assert found.args[1].layout == "sliced" and found.args[1].grad


def test_of_few_numbers_those_that_do_not_matter_are_zero() -> None:
    special = ParityCase(
        name="x", call="ops:x", args=(TensorSpec(shape=(7, 33), special=True), "mode")
    )
    found = smallest(special, lambda c: any(map(math.isnan, numbers(c.args[0]))), seconds=60)
    assert sorted(map(str, numbers(found.args[0]))) == ["0.0", "nan"]
    assert found.args[1] == "mode"


def test_a_fault_that_nothing_smaller_has_leaves_the_case_as_it_is() -> None:
    assert smallest(LINEAR, lambda case: False, seconds=60) == LINEAR


def test_no_case_is_asked_about_twice_and_none_after_the_time() -> None:
    asked: list[str] = []

    def fails(case: ParityCase) -> bool:
        asked.append(repr(case))
        return True

    smallest(replace(LINEAR, args=(WIDE,), kwargs={}), fails, seconds=60)
    assert asked and len(asked) == len(set(asked))
    asked.clear()
    assert smallest(LINEAR, fails, seconds=0) == LINEAR
    assert not asked


@pytest.mark.parametrize(
    "written_as",
    [
        LINEAR,
        ParityCase(
            name='of "words"',
            call="torch.ops.ns.op",
            args=(
                (TensorSpec(shape=(2,), dtype="int64", low=-3, high=7), 1.5),
                TensorSpec(shape=(), values=float("inf"), dtype="bfloat16"),
                TensorSpec(shape=(2, 2), values=((1, 2), (3, 4)), dtype="int8", low=0, high=10),
                TensorSpec(shape=(0, 3), dtype="bool", seed=9),
                Placeholder("device"),
                Placeholder("torch", "float32"),
                None,
                True,
            ),
            kwargs={"out of the way": "a\nb"},
            imports=("ops",),
            expect="either",
            waived={"strides": "a view there"},
        ),
    ],
)
def test_a_case_is_written_as_it_is_read(tmp_path: Path, written_as: ParityCase) -> None:
    path = tmp_path / "cases.toml"
    path.write_text(written.block(written.entry(written_as)))
    assert parity_cases.load(path) == (written_as,)


FAULTS = """
def tail(tensor):
    found = tensor.array * 2
    if TARGET and tensor.array.shape[-1] > 32: found[..., 32:] = 0
    return torch.from_numpy(found)
def dies(tensor):
    if TARGET and tensor.array.size > 2: ctypes.string_at(0)
    return tensor
"""


def result(tmp_path: Path, name: str) -> ParityResult:
    spec = TensorSpec(shape=(7, 100), layout="sliced")
    return judged(tmp_path, case(name, spec), ops=OPS + FAULTS, shrink=True)[name]


def test_both_processes_are_asked_about_smaller_calls(tmp_path: Path) -> None:
    found = result(tmp_path, "tail")
    assert found.phase == "values"
    assert found.smallest == "args = [{ shape = [1, 33] }]"


def test_a_call_that_ends_the_process_is_made_smaller_too(tmp_path: Path) -> None:
    found = result(tmp_path, "dies")
    assert "SIGSEGV" in found.message
    assert found.smallest == "args = [{ values = [[0.0, 0.0, 0.0]] }]"


def test_what_agrees_has_no_smaller_call(tmp_path: Path) -> None:
    assert result(tmp_path, "same").smallest == ""


def test_without_being_asked_for_nothing_is_made_smaller(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*_: object) -> Callable[..., object]:
        raise AssertionError

    monkeypatch.setattr("porter.parity.run.smallest", never)
    assert judged(tmp_path, case("wrong"))["wrong"].smallest == ""
