"""Torch's database of operators under Paddle: what counts as the same, and the way of a call."""

from __future__ import annotations

import ast
import dataclasses
import json
import re
from pathlib import Path

import numpy as np
import pytest

from porter.host.home import rules_home
from porter.stages.explain import explain
from porter.surface.quirks import read_quirks
from porter.targets import TARGETS
from porter.unit import pieces
from tests.operators import __main__ as command
from tests.operators import pages, planted
from tests.operators.calls import DTYPES, Answer, Array, Named, contiguous
from tests.operators.comparison import Outcome, compare
from tests.operators.table import GOOD, MOST_USED, total

POLYFILLS = rules_home() / "paddle" / "polyfills"
PIECES = POLYFILLS / "python"


def array(values: object, dtype: str = "float32", **changes: object) -> Array:
    made = np.array(values, "float32" if dtype == "bfloat16" else dtype)
    found = Array(dtype, made.shape, contiguous(made.shape), False, made)
    return dataclasses.replace(found, **changes)  # type: ignore[arg-type]


RIGHT = array([[1.0, 2.0], [np.nan, np.inf]])


@pytest.mark.parametrize(
    ("expected", "got", "outcome", "why"),
    [
        (RIGHT, RIGHT, Outcome.SAME, ""),
        (RIGHT, array([[1.000001, 2.0], [np.nan, np.inf]]), Outcome.SAME, ""),
        (RIGHT, array([[1.0001, 2.0], [np.nan, np.inf]]), Outcome.DIFFERENT, "value 1.0001, not 1"),
        (RIGHT, array([[1.0, 2.0], [0.0, np.inf]]), Outcome.DIFFERENT, "value 0, not nan"),
        (RIGHT, array([[1.0, 2.0], [np.nan, -np.inf]]), Outcome.DIFFERENT, "value -inf, not inf"),
        (RIGHT, array(RIGHT.values, "float64"), Outcome.DIFFERENT, "dtype float64, not float32"),
        (RIGHT, array(RIGHT.values.ravel()), Outcome.DIFFERENT, "shape [4], not [2, 2]"),
        (RIGHT, array(RIGHT.values, strides=(1, 2)), Outcome.STRIDES, ""),
        (array([[1.0]]), array([[1.0]], strides=(7, 9)), Outcome.SAME, ""),
        (array([1.0], "bfloat16"), array([1.01], "bfloat16"), Outcome.SAME, ""),
        (array([1], "int64"), array([2], "int64"), Outcome.DIFFERENT, "value 2, not 1"),
        (array([1j], "complex64"), array([-1j], "complex64"), Outcome.DIFFERENT, "value -0-1j"),
        ((RIGHT, RIGHT), [RIGHT, RIGHT], Outcome.DIFFERENT, "is list, not tuple"),
        ((RIGHT, RIGHT), (RIGHT,), Outcome.DIFFERENT, "has 1 parts, not 2"),
        (1, 1.0, Outcome.DIFFERENT, "is float, not int"),
        (Named("dtype", "int64"), Named("dtype", "int32"), Outcome.DIFFERENT, "int32"),
        (float("nan"), float("nan"), Outcome.SAME, ""),
    ],
)
def test_an_answer_is_torchs_or_it_is_said_why_not(
    expected: object, got: object, outcome: Outcome, why: str
) -> None:
    found, said = compare("torch.f", Answer(expected), Answer(got))
    assert found is outcome and why in said, said


def test_of_what_is_drawn_only_the_kind_is_compared() -> None:
    drawn = Answer(array([1.0, 2.0]), free=True)
    assert compare("torch.rand", drawn, Answer(array([3.0, 4.0])))[0] is Outcome.SAME
    assert compare("torch.rand", drawn, Answer(array([3.0])))[0] is Outcome.DIFFERENT


def test_vectors_are_compared_up_to_their_sign() -> None:
    found = Answer((array([-1.0]),))
    assert compare("torch.linalg.qr", Answer((array([1.0]),)), found)[0] is Outcome.SAME
    assert compare("torch.neg", Answer((array([1.0]),)), found)[0] is Outcome.DIFFERENT


def test_gradients_count() -> None:
    right = Answer(RIGHT, grads=[array([1.0]), None])
    assert compare("torch.f", right, right)[0] is Outcome.SAME
    zeros = Answer(RIGHT, grads=[array([1.0]), array([0.0])])
    assert compare("torch.f", right, zeros)[0] is compare("torch.f", zeros, right)[0]
    assert compare("torch.f", right, zeros)[0] is Outcome.SAME
    for grads in ([array([2.0]), None], [array([1.0]), array([1.0])], None):
        outcome, said = compare("torch.f", right, Answer(RIGHT, grads=grads))
        assert outcome is Outcome.DIFFERENT and said.startswith("gradient: ")
    outcome, said = compare("torch.f", right, Answer(RIGHT, error="gradient: RuntimeError: no"))
    assert (outcome, said) == (Outcome.RAISES, "gradient: RuntimeError: no")


def test_errors_are_the_same_by_their_type() -> None:
    refused = Answer(error="IndexError")
    assert compare("torch.f", refused, Answer(error="IndexError: here"))[0] is Outcome.SAME
    assert compare("torch.f", refused, Answer(error="ValueError: here"))[0] is Outcome.DIFFERENT
    assert compare("torch.f", refused, Answer(RIGHT)) == (
        Outcome.DIFFERENT,
        "no error, not IndexError",
    )
    assert compare("torch.f", Answer(RIGHT), Answer(error="ValueError: x"))[0] is Outcome.RAISES


def test_the_pages_say_what_the_data_say() -> None:
    for path, text in pages.texts().items():
        assert path.read_text(encoding="utf-8") == text, f"python -m tests.operators table: {path}"
        assert text.count("\n") < 1000


def test_each_fault_can_be_planted_once() -> None:
    faults = planted.load()
    assert len(faults) >= 30 and len({(each.piece, each.wrong) for each in faults}) == len(faults)
    for fault in faults:
        source = (PIECES / fault.piece / "piece.py").read_text(encoding="utf-8")
        ast.parse(planted.with_fault(source, fault))
    with pytest.raises(planted.PlantError, match="not exactly once"):
        planted.with_fault("", faults[0])


def test_a_fault_is_found_by_a_call_that_was_as_under_torch() -> None:
    before = [["float32", "0", "torch.f", each, ""] for each in ("different", "strides")]
    after = [["float32", "0", "torch.f", each, "why"] for each in ("raises", "different")]
    assert planted.found_by(before, before) == "" == planted.found_by(before[:1], after[:1])
    assert planted.found_by(before, after) == "torch.f of float32, sample 0: why"


@pytest.mark.real
@pytest.mark.long
def test_calls_are_recorded_under_torch_and_made_under_paddle(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    recorded, replayed = tmp_path / "recorded", tmp_path / "replayed"
    monkeypatch.setattr(command, "HOME", tmp_path)
    monkeypatch.setattr(command, "RECORDED", recorded)
    monkeypatch.setattr(command, "REPLAYED", replayed)
    command.record(["add", "normal"], recorded)
    command.replay(["add", "normal"], command.package(), recorded, replayed)
    known = {row.name: row for row in pages.load()[0]}
    for name in ("add", "normal"):
        calls = json.loads((replayed / f"{name}.json").read_text())
        assert command.table.row_of(name, calls) == known[name]


def test_every_function_of_a_family_of_pieces_is_compared_with_torchs() -> None:
    scripts = (
        Path(__file__).parent / f"data/torch_{name}.py"
        for name in ("functions", "distributed", "probabilistic", "random")
    )
    words = {word for script in scripts for word in re.findall(r"\w+", script.read_text("utf-8"))}
    rows, _, _ = pages.load()
    compared = {name for row in rows for name in row.names}
    provided = {
        name for piece in pieces(POLYFILLS) if "." in piece.id for name in piece.provides
    } - compared
    assert not [name for name in provided if name.rpartition(".")[2] not in words]


OTHER_DIGITS, OTHER_STEPS = "summed_in_another_order", "half_is_rounded_at_other_steps"
CAUSES = {
    **dict.fromkeys(("float32", "float64", "complex64"), OTHER_DIGITS),
    **dict.fromkeys(("float16", "bfloat16"), OTHER_STEPS),
    "int64": "places_of_equal_values",
}


def test_porter_explain_says_why_calls_of_the_most_used_operators_differ() -> None:
    paddle, quirks = TARGETS["paddle"], read_quirks(rules_home() / "paddle")
    for operator in [each for each in pages.load()[1] if each.uses][:MOST_USED]:
        differing = {
            CAUSES.get(dtype, f"none of {dtype}")
            for dtype in DTYPES
            if total(operator.rows, dtypes=[dtype]) > total(operator.rows, *GOOD, dtypes=[dtype])
        }
        if differing:
            found = explain(operator.name, paddle, paddle.surface_versions()[-1:]).versions[0].facts
            unsaid = [id for id in differing if str(quirks[id].fact) not in found]
            assert not unsaid, operator.name
