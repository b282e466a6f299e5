"""Lost tests are grouped by cause, each with what is known to answer it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from porter import unit
from porter.host.home import rules_home
from porter.model import (
    Cell,
    Device,
    Evidence,
    Failure,
    Outcome,
    Status,
    SuiteResult,
    Surface,
    Tree,
)
from porter.stages.lost import Known, failure_of, group_by_answer
from porter.suite import compare
from porter.suite.session import NOTHING
from porter.surface.errors import normalise, signature
from porter.surface.load import dumps, load, load_torch, read
from porter.surface.quirks import read_quirks

PADDLE = rules_home() / "paddle"


@pytest.fixture(scope="module")
def known() -> Known:
    pieces = unit.pieces(PADDLE / "polyfills")
    return Known(pieces, read_quirks(PADDLE), load("paddle", "3.3.1"), load_torch())


def failure(said: str, source: str = "", path: str = "ops/a.py", line: int = 1) -> Failure:
    exception, _, message = said.partition(": ")
    return Failure(exception=exception, message=message, path=path, line=line, source=source)


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("not close\nMismatched elements: 1 / 4", "not close"),
        (
            "\n---\nShapes [2, 3], [4] of 1.5e-03 in int32",
            "Shapes [N], [N] of N in int32",
        ),
        (
            "C++ Traceback\n0  f()\n-----\nError Message Summary:\n----\n"
            "InvalidArgumentError: The axis is 3.\n  [Hint: Expected 3 < 2.] (at /a/b.cc:12)",
            "The axis is N.",
        ),
        ("(InvalidArgument) got -1 (at /a/b.cc:12)", "(InvalidArgument) got N"),
        ("", ""),
    ],
)
def test_a_message_is_its_telling_line_without_numbers(message: str, expected: str) -> None:
    assert normalise(message) == expected


def test_tests_with_one_cause_are_one_group_and_most_tests_come_first(known: Known) -> None:
    """Assertions are one cause in one place only; other errors wherever they say the same."""
    raised = {
        "t::a": failure("AssertionError: not close", line=4),
        "t::b": failure("AssertionError: not close", line=9),
        "t::c": failure("ValueError: 3 is too small", line=4),
        "t::d": failure("ValueError: 5 is too small", line=9),
        "t::e": failure("ValueError: 5 is too small", line=9),
    }
    first, *others = group_by_answer(raised, known)
    assert first.tests == ("t::c", "t::d", "t::e")
    assert (first.message, first.line) == ("N is too small", 9)
    assert [one.tests for one in others] == [("t::a",), ("t::b",)]
    assert {one.answer for one in (first, *others)} == {""}


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        (
            "AttributeError: 'Tensor' object has no attribute 'nelement'",
            "polyfill python/nelement",
        ),
        (
            "AttributeError: module 'paddle' has no attribute 'sspaddmm'",
            "missing torch.sspaddmm",
        ),
        (
            "TypeError: histogramdd() got an unexpected keyword argument 'weight'",
            "polyfill python/histograms",
        ),
        (
            "NotImplementedError: Paddle lacks torch.ao.nn, which this code imports and now uses",
            "missing torch.ao.nn",
        ),
        (
            "ModuleNotFoundError: No module named 'paddle.autograd.functional'",
            "polyfill python/derivatives_of_functions",
        ),
        ("ModuleNotFoundError: No module named 'testing'", ""),
        ("TypeError: forward() got an unexpected keyword argument 'frob'", ""),
        ("AttributeError: 'Frobber' object has no attribute 'nelement'", ""),
        ("AttributeError: module 'ops' has no attribute 'sspaddmm'", ""),
    ],
)
def test_a_name_that_an_error_says_is_missing_is_the_answer(
    known: Known, said: str, answer: str
) -> None:
    assert known.answer(failure(said)) == answer


def test_what_stops_pytest_before_any_test_is_the_cause_of_all(known: Known) -> None:
    cell = Cell(Tree.PATCHED, "paddle", Device.CPU, Evidence.NATIVE)
    source = SuiteResult(
        cell=cell, status=Status.OK, outcomes=dict.fromkeys(("t::a", "t::b"), Outcome.PASSED)
    )
    said = "conftest.py:1\nE   ModuleNotFoundError: No module frob"
    reason = f"pytest did not finish: {said}; {NOTHING}"
    stopped = SuiteResult(cell=cell, status=Status.FAILED, command="pytest", reason=reason)
    found = compare(source, None, stopped)
    (group,) = group_by_answer({name: failure_of(found, name) for name in found.lost}, known)
    assert (group.exception, group.message) == ("ModuleNotFoundError", "No module frob")
    assert group.tests == ("t::a", "t::b")


def with_error(known: Known, text: str) -> Known:
    errors = {"strides_are_a_list": (signature(*text.split(": ", 1)),)}
    return replace(known, surface=replace(known.surface, errors=errors))


def test_an_error_of_a_quirks_probe_is_known_where_the_line_has_its_name(known: Known) -> None:
    known = with_error(known, "TypeError: unhashable type: 'list'")
    said = "TypeError: unhashable type: 'list'"
    assert "strides_are_a_list" in known.quirks
    found = known.answer(failure(said, "cache[x.stride()] = x"))
    assert found.partition(" ")[0] in ("quirk", "polyfill")
    assert known.answer(failure(said, "cache[sizes] = x")) == ""
    assert known.answer(failure(said.replace("list", "set"), "cache[x.stride()]")) == ""
    as_torchs = said.replace("TypeError", "RuntimeError")  # where a polyfill gives it the type
    assert known.answer(failure(as_torchs, "cache[x.stride()] = x")) == found


def test_what_provides_a_name_answers_a_quirk_that_no_polyfill_claims(known: Known) -> None:
    (said,) = known.surface.errors["chunk_refuses_a_rest"]
    assert not any("chunk_refuses_a_rest" in piece.quirks for piece in known.pieces)
    assert known.answer(failure(said, "a, b = x.chunk(2, 1)")) == "polyfill python/split_by_size"


def test_errors_are_kept_with_a_surface(tmp_path: Path) -> None:
    path = tmp_path / "1.json"
    surface = Surface(package="x", version="1", build="cpu", errors={"a": ("E: b", "E: c")})
    path.write_text(dumps(surface))
    assert read(path) == surface
