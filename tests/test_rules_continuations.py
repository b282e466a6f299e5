"""Edits in macros leave the backslashes at the ends of lines where they were."""

from __future__ import annotations

import pytest

from porter.languages.edits import apply
from porter.model import Edit, Finding, Safety, Span
from porter.rules.rule import align


def edited(text: str, *changes: tuple[str, str]) -> str:
    data = text.encode()
    edits = []
    for old, new in changes:
        at = data.index(old.encode())
        edits.append(Edit(Span(at, at + len(old)), new.encode()))
    finding = Finding(
        rule="r",
        path="a.h",
        span=Span(0, len(data)),
        line=1,
        column=1,
        message="",
        safety=Safety.SAFE,
        edits=align(data, edits),
    )
    return apply(data, [finding]).data.decode()


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_the_backslash_keeps_its_column(end: str) -> None:
    text = f"#define F(x)      \\{end}  OLD(x, 'y');    \\{end}  g(x){end}"
    assert edited(text, ("OLD", "NEWER")) == text.replace("OLD(x, 'y');  ", "NEWER(x, 'y');")
    assert edited(text, ("OLD", "N")) == text.replace("OLD(x, 'y');", "N(x, 'y');  ")


def test_a_line_that_becomes_too_long_keeps_one_space() -> None:
    assert edited("  OLD();  \\\n", ("OLD", "MUCH_LONGER")) == "  MUCH_LONGER(); \\\n"


def test_a_backslash_in_no_column_is_left_alone() -> None:
    assert edited("  OLD(); \\\n", ("OLD", "NEWER")) == "  NEWER(); \\\n"


def test_two_edits_of_a_line_count_together() -> None:
    text = "  OLD(a);        \\\n"
    assert edited(text, ("OLD", "NEW1"), ("a", "false, a")) == "  NEW1(false, a); \\\n"


def test_lines_without_a_backslash_are_not_touched() -> None:
    assert edited("  OLD();   // a\nx   \\\n", ("OLD", "NEWER")) == "  NEWER();   // a\nx   \\\n"
