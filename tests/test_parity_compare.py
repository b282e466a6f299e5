"""Two answers judged: the first broken contract names the phase."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from porter.model import ParityCase, TensorSpec, Tolerance
from porter.parity.answers import Answer, TensorAnswer
from porter.parity.compare import More, compare
from porter.parity.inputs import encode

CASE = ParityCase(name="c", call="ops:f")


def tensor(numbers: Any, dtype: str = "float32", role: str = "result") -> TensorAnswer:
    data = encode(np.array(numbers), dtype)
    return TensorAnswer(role=role, place=role, dtype=dtype, shape=data.shape, strides=(), data=data)


def answer(*tensors: TensorAnswer, tree: dict[str, Any] | None = None, **more: Any) -> Answer:
    return Answer(tree=tree or {"kind": "tensor", "index": 0}, tensors=tensors, **more)


def scalar(value: Any) -> Answer:
    return answer(tree={"kind": "scalar", "type": type(value).__name__, "value": value})


def sequence(*kinds: str) -> dict[str, Any]:
    return {"kind": "sequence", "items": [{"kind": kind} for kind in kinds]}


def phase(source: Answer, target: Answer, case: ParityCase = CASE) -> str:
    return compare(case, source, target).phase


def test_equal_answers_agree() -> None:
    judgement = compare(CASE, answer(tensor([1, 2])), answer(tensor([1, 2])))
    assert (judgement.phase, judgement.max_abs) == ("", 0)


def test_a_name_that_is_not_there_is_an_import_failure() -> None:
    gone = Answer(raised="AttributeError: no f", phase="import")
    judgement = compare(CASE, answer(tensor([1])), gone)
    assert judgement.phase == "import"
    assert judgement.message.startswith("target: AttributeError")


def test_a_call_that_raises_on_either_side_is_a_call_failure() -> None:
    raised = Answer(raised="ValueError: no", phase="call")
    assert phase(answer(tensor([1])), raised) == "call"
    assert phase(raised, answer(tensor([1]))) == "call"
    assert phase(raised, raised) == "call"


def test_an_expected_error_must_come_on_both_sides_and_is_no_crash() -> None:
    case = ParityCase(name="c", call="ops:f", expect="error")
    raised = Answer(raised="ValueError: no", phase="call")
    crashed = Answer(raised="crashed: SIGSEGV", phase="crash")
    missing = Answer(raised="ModuleNotFoundError: ops", phase="import")
    assert phase(raised, raised, case) == ""
    assert phase(raised, answer(tensor([1])), case) == "call"
    assert phase(crashed, crashed, case) == "call"
    assert phase(raised, crashed, case) == "call"
    assert phase(missing, missing, case) == "import"


def test_another_nesting_is_a_structure_failure() -> None:
    pair, triple = sequence("tensor", "tensor"), sequence("tensor", "tensor", "tensor")
    assert phase(answer(tree=pair), answer(tree=triple)) == "structure"
    assert phase(answer(tree=pair), answer(tensor([1]))) == "structure"
    assert phase(scalar(1), scalar(1.0)) == "structure"
    one = {"kind": "dict", "keys": ["'a'"], "items": [{"kind": "tensor"}]}
    other = {"kind": "dict", "keys": ["'b'"], "items": [{"kind": "tensor"}]}
    assert phase(answer(tree=one), answer(tree=other)) == "structure"


def test_an_object_that_cannot_be_taken_apart_is_never_a_pass() -> None:
    thing = {"kind": "other", "type": "Plan"}
    assert phase(answer(tree=thing), answer(tree=thing)) == "structure"


def test_dtype_is_judged_before_shape_and_shape_before_values() -> None:
    assert phase(answer(tensor([1.0])), answer(tensor([1, 2], "int32"))) == "dtype"
    assert phase(answer(tensor([1.0])), answer(tensor([9.0, 9.0]))) == "shape"
    assert phase(answer(tensor([1.0])), answer(tensor([[1.0]]))) == "shape"


@pytest.mark.parametrize(
    ("dtype", "near", "far"),
    [
        ("float64", 1 + 1e-10, 1 + 3e-8),  # what float32 rounds off is too much
        ("float32", 1 + 5e-6, 1 + 1e-4),
        ("float16", 1.001, 1.01),
        ("bfloat16", 1.008, 1.05),
        ("complex64", 1 + 5e-6j, 1 + 1e-3j),
        ("float8_e4m3fn", 1.0, 1.125),
        ("int32", 1, 2),
        ("bool", True, False),
    ],
)
def test_values_may_differ_by_what_their_dtype_allows(dtype: str, near: Any, far: Any) -> None:
    source = answer(tensor([1], dtype))
    assert phase(source, answer(tensor([near], dtype))) == ""
    assert phase(source, answer(tensor([far], dtype))) == "values"


def test_large_integers_are_compared_exactly() -> None:
    source, target = answer(tensor([2**62], "int64")), answer(tensor([2**62 + 1], "int64"))
    assert phase(source, target) == "values"


def test_a_tolerance_of_the_case_is_for_floating_numbers_only() -> None:
    case = ParityCase(
        name="c", call="ops:f", tolerance=Tolerance(rtol=0.5, atol=0.5, reason="rough")
    )
    assert phase(answer(tensor([1.0])), answer(tensor([1.4])), case) == ""
    one, two = answer(tensor([10], "int32")), answer(tensor([11], "int32"))
    assert phase(one, two, case) == "values"


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ([np.nan, 1], [1, 1]),
        ([1, 1], [np.nan, 1]),
        ([np.inf, 1], [-np.inf, 1]),
        ([np.inf, 1], [3e38, 1]),
        ([1, 1], [np.inf, 1]),
    ],
)
def test_nan_and_infinities_stand_at_the_same_places(source: Any, target: Any) -> None:
    assert phase(answer(tensor(source)), answer(tensor(target))) == "values"
    assert phase(answer(tensor(source)), answer(tensor(source))) == ""


def test_the_message_says_how_many_differ_where_and_what_was_allowed() -> None:
    judgement = compare(CASE, answer(tensor([[1, 2], [3, 4]])), answer(tensor([[1, 2.5], [3, 5]])))
    assert "2 of 4" in judgement.message
    assert "50.0 %" in judgement.message
    assert "(1, 1)" in judgement.message  # the greatest absolute difference
    assert "1.3e-06" in judgement.message
    assert judgement.max_abs == 1
    assert judgement.max_rel == pytest.approx(0.25)


def test_an_argument_written_to_differently_is_a_value_failure() -> None:
    source = answer(tensor([1]), tensor([1], role="argument"))
    target = answer(tensor([1]), tensor([2], role="argument"))
    judgement = compare(CASE, source, target)
    assert judgement.phase == "values"
    assert "after the call" in judgement.message


def test_scalars_are_compared_by_value() -> None:
    assert phase(scalar(1.0), scalar(1.0 + 1e-7)) == ""
    assert phase(scalar(1.0), scalar(1.1)) == "values"
    assert phase(scalar(float("nan")), scalar(float("nan"))) == ""
    assert phase(scalar(float("inf")), scalar(1.0)) == "values"
    assert phase(scalar(3), scalar(4)) == "values"
    assert phase(scalar(None), scalar(None)) == ""


def test_gradients_are_judged_last() -> None:
    source = answer(tensor([1]), tensor([1], role="gradient"))
    other = answer(tensor([1]), tensor([2], role="gradient"))
    assert phase(source, other) == "gradient"
    assert phase(source, answer(tensor([1]))) == "gradient"
    assert phase(source, answer(tensor([1]), gradient_error="RuntimeError: no")) == "gradient"
    assert phase(source, source) == ""


def test_empty_tensors_agree() -> None:
    assert phase(answer(tensor(np.zeros((0, 2)))), answer(tensor(np.zeros((0, 2))))) == ""


# ------------------------------------------------- what the source is off by itself


def second(source: Any, target: Any, case: ParityCase = CASE, **more: Any) -> str:
    return compare(case, answer(tensor(source)), answer(tensor(target)), More(**more)).phase


def test_a_target_as_near_to_a_reference_as_the_source_agrees() -> None:
    exact = answer(tensor([1.0, 2.0], "float64"))
    assert second([1.0001, 2], [0.9999, 2]) == "values"
    assert second([1.0001, 2], [0.9999, 2], reference=exact) == ""
    assert second([1.0001, 2], [0.999, 2], reference=exact) == "values"


def test_a_source_that_is_exact_excuses_nothing() -> None:
    exact = answer(tensor([1.0, 2.0], "float64"))
    assert second([1.0, 2], [1.001, 2], reference=exact) == "values"


def test_a_reference_of_another_shape_or_that_raised_excuses_nothing() -> None:
    assert second([1.0001], [0.9999], reference=answer(tensor([[1.0]], "float64"))) == "values"
    raised = Answer(raised="RuntimeError: no Double", phase="call")
    assert second([1.0001], [0.9999], reference=raised) == "values"


def test_a_source_that_varies_allows_as_much() -> None:
    again = [answer(tensor([1.0002])), answer(tensor([0.9999]))]
    assert second([1.0], [1.0003], repeats=again) == ""
    assert second([1.0], [1.01], repeats=again) == "values"
    assert second([1.0], [1.0003], repeats=[answer(tensor([1.0]))] * 3) == "values"


def test_random_numbers_are_no_noise() -> None:
    assert second([0.1], [0.7], repeats=[answer(tensor([0.9])), answer(tensor([0.4]))]) == "values"


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16", "bfloat16"])
def test_a_source_that_is_something_else_in_higher_precision_excuses_nothing(dtype: str) -> None:
    source, target = (answer(tensor([number, 0.5], dtype)) for number in (0.9, 0.2))
    exact = answer(tensor([0.4, 0.5], "float64"))  # as random numbers are
    assert compare(CASE, source, target, More(reference=exact)).phase == "values"


def test_a_reference_of_the_case_holds_the_source_too() -> None:
    case = replace(CASE, reference="torch:sum")
    exact = answer(tensor([1.0], "float64"))
    assert second([1.0], [1.0], case, reference=exact) == ""
    judgement = compare(case, answer(tensor([2.0])), answer(tensor([2.0])), More(reference=exact))
    assert judgement.phase == "values"
    assert "the source differs from the reference" in judgement.message


def test_a_reference_that_does_not_come_is_a_failure() -> None:
    case = replace(CASE, reference="torch:summ")
    raised = Answer(raised="AttributeError: summ", phase="import")
    assert second([1.0], [1.0], case, reference=raised) == "reference"
    assert second([1.0], [1.0], case, reference=answer(tensor([[1.0]], "float64"))) == "values"


def test_integers_are_held_to_a_reference_exactly() -> None:
    case = replace(CASE, reference="torch:sum")
    mine, exact = answer(tensor([5], "int32")), answer(tensor([6], "int64"))
    assert compare(case, mine, mine, More(reference=exact)).phase == "values"
    assert compare(case, mine, mine, More(reference=mine)).phase == ""


def test_distances_are_told_in_units_in_the_last_place_and_as_an_angle() -> None:
    near = float(np.nextafter(np.float32(1), np.float32(2)))
    judgement = compare(CASE, answer(tensor([1.0, -3.0])), answer(tensor([near, -3.0])))
    assert (judgement.phase, judgement.max_ulp) == ("", 1)
    assert judgement.cosine == pytest.approx(1)
    assert judgement.units is not None and 0 < judgement.units < 1
    across = compare(CASE, answer(tensor([1.0, -1e-45])), answer(tensor([1.0, 1e-45])))
    assert across.max_ulp == 0  # about zero they say nothing


# ------------------------------------------------------- contracts besides numbers


def placed(**more: Any) -> Answer:
    return answer(replace(tensor([[1, 2], [3, 4]]), **more))


def test_strides_memory_and_device_are_contracts() -> None:
    assert phase(placed(strides=(2, 1)), placed(strides=(1, 2))) == "strides"
    assert phase(placed(alias="args[0]"), placed()) == "alias"
    assert phase(placed(), placed(device="cuda")) == "device"


def test_a_waiver_lifts_one_contract_only() -> None:
    case = replace(CASE, waived={"alias": "a copy is as good"})
    assert phase(placed(alias="args[0]"), placed(), case) == ""
    assert phase(placed(strides=(2, 1)), placed(strides=(1, 2)), case) == "strides"


def test_strides_of_lengths_one_and_of_nothing_mean_nothing() -> None:
    one = answer(replace(tensor([[1, 2]]), strides=(2, 1)))
    other = answer(replace(tensor([[1, 2]]), strides=(7, 1)))
    assert phase(one, other) == ""


def test_strides_are_free_where_an_argument_is_not_contiguous() -> None:
    case = replace(CASE, args=(TensorSpec(shape=(2, 2), layout="transposed"),))
    assert phase(placed(strides=(2, 1)), placed(strides=(1, 2)), case) == ""


def test_refusals_are_of_one_type() -> None:
    case = replace(CASE, expect="error")
    one, other = (Answer(raised=f"{kind}: no", phase="call") for kind in ("ValueError", "OSError"))
    assert phase(one, one, case) == ""
    assert phase(one, other, case) == "error type"
    assert phase(one, other, replace(case, waived={"error type": "Paddle's own check"})) == ""


def test_either_is_both_return_or_both_raise() -> None:
    case = replace(CASE, expect="either")
    raised = Answer(raised="ValueError: no", phase="call")
    assert phase(answer(tensor([1])), answer(tensor([1])), case) == ""
    assert phase(raised, raised, case) == ""
    assert phase(answer(tensor([1])), raised, case) == "call"
    assert phase(raised, answer(tensor([1])), case) == "call"
