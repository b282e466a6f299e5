"""Parity cases by themselves: which are chosen, and how they are shown."""

from __future__ import annotations

import json
from xml.etree import ElementTree

import pytest

from porter.errors import UsageError
from porter.model import Device, Evidence, ParityCase, ParityResult, Status
from porter.parity.choice import choose
from porter.report.junit import junit_of_parity
from porter.report.parity import bar, encode

CASES = [ParityCase(name=n, call="o:f") for n in ("norm [float16]", "norm [float32]", "add")]


@pytest.mark.parametrize(
    ("expression", "names"),
    [
        ("", {"norm [float16]", "norm [float32]", "add"}),
        ("norm", {"norm [float16]", "norm [float32]"}),
        ("norm and not float16", {"norm [float32]"}),
        ("(float16 or add)", {"norm [float16]", "add"}),
        ("nothing", set()),
    ],
)
def test_names_that_hold_the_words_are_chosen(expression: str, names: set[str]) -> None:
    assert {case.name for case in choose(CASES, expression)} == names


@pytest.mark.parametrize("expression", ["and", "norm add", "(norm", "not"])
def test_what_is_no_expression_is_told(expression: str) -> None:
    with pytest.raises(UsageError):
        choose(CASES, expression)


def test_a_bar_is_full_at_the_tolerance_and_empty_at_nothing() -> None:
    assert bar(None) == ""
    empty, tenth, full, beyond = (bar(units) for units in (0.0, 0.1, 1.0, 1e9))
    assert len({len(each) for each in (empty, tenth, full, beyond)}) == 1
    assert empty.count("█") == 0 < tenth.count("█") < full.count("█") == len(full)
    assert beyond == full
    assert bar(float("inf")) == full


def result(name: str, status: Status, **more: object) -> ParityResult:
    return ParityResult(
        case=name,
        device=Device.CPU,
        evidence=Evidence.NATIVE,
        status=status,
        **more,  # type: ignore[arg-type]
    )


RESULTS = [
    result("good", Status.OK, units=0.5, max_abs=1e-7),
    result("bad", Status.FAILED, phase="values", message="a <b> & \x1b[0m", units=float("inf")),
    result("left", Status.SKIPPED, message="no cuda"),
]


def test_junit_counts_and_names_every_case() -> None:
    suite = ElementTree.fromstring(junit_of_parity(RESULTS))
    assert [suite.get(key) for key in ("tests", "failures", "skipped")] == ["3", "1", "1"]
    assert [case.get("name") for case in suite] == ["good", "bad", "left"]
    failure = suite.find("testcase/failure")
    assert failure is not None
    assert failure.get("type") == "values"
    assert "a <b> &" in str(failure.get("message"))


def test_json_has_every_number_and_is_json() -> None:
    found = json.loads(encode(RESULTS))
    assert (found["passed"], found["failed"], found["skipped"]) == (1, 1, 1)
    assert [case["units"] for case in found["cases"]] == [0.5, None, None]
