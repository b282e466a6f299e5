"""The edit engine: whole findings, identical edits once, overlaps wait."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from porter.languages.edits import apply
from porter.model import Edit, Finding, Safety, Span


def finding(*edits: Edit, rule: str = "r") -> Finding:
    start = min(edit.span.start for edit in edits)
    end = max(edit.span.end for edit in edits)
    return Finding(
        rule=rule,
        path="a.py",
        span=Span(start, end),
        line=1,
        column=1,
        message="",
        safety=Safety.SAFE,
        edits=edits,
    )


def test_an_overlapping_finding_waits_for_the_next_pass() -> None:
    outer = finding(Edit(Span(0, 10), b"x"))
    inner = finding(Edit(Span(2, 6), b"y"))
    result = apply(b"f(g(x), y)", [inner, outer])
    assert result.data == b"x"
    assert result.deferred == (inner,), "the later start waits"


def test_identical_edits_of_two_findings_are_made_once() -> None:
    both = Edit(Span(0, 0), b"import os\n")
    first = finding(both, Edit(Span(4, 5), b"X"), rule="a")
    second = finding(both, Edit(Span(6, 7), b"Y"), rule="b")
    result = apply(b"a = b, c", [second, first])
    assert result.data == b"import os\na = X,Yc"
    assert result.applied == (first, second)


def test_two_texts_at_one_place_do_not_both_go_in() -> None:
    first = finding(Edit(Span(3, 3), b"1"), rule="a")
    second = finding(Edit(Span(3, 3), b"2"), rule="b")
    result = apply(b"abcdef", [second, first])
    assert result.data == b"abc1def"
    assert result.deferred == (second,)


def test_a_finding_is_applied_whole_or_not_at_all() -> None:
    taken = finding(Edit(Span(0, 3), b"-"), rule="a")
    torn = finding(Edit(Span(2, 4), b"+"), Edit(Span(8, 9), b"+"), rule="b")
    assert apply(b"0123456789", [taken, torn]).data == b"-3456789"


def test_an_insertion_beside_a_replacement_is_no_overlap() -> None:
    before = finding(Edit(Span(2, 2), b"<"), rule="a")
    after = finding(Edit(Span(4, 4), b">"), rule="b")
    middle = finding(Edit(Span(2, 4), b"__"), rule="c")
    assert apply(b"abcdef", [before, middle, after]).data == b"ab<__>ef"


@st.composite
def edited(draw: st.DrawFn) -> tuple[bytes, list[Finding]]:
    data = draw(st.binary(min_size=1, max_size=60))
    place = st.integers(0, len(data))
    edits = st.builds(
        lambda a, b, text: Edit(Span(min(a, b), max(a, b)), text),
        place,
        place,
        st.binary(max_size=4),
    )
    groups = draw(st.lists(st.lists(edits, min_size=1, max_size=3, unique=True), max_size=6))
    findings = [finding(*group, rule=str(n)) for n, group in enumerate(groups) if apart(group)]
    return data, findings


def apart(group: list[Edit]) -> bool:
    return not any(a.span.overlaps(b.span) for i, a in enumerate(group) for b in group[:i])


@given(edited())
def test_every_finding_is_applied_or_deferred_and_the_order_given_does_not_matter(
    case: tuple[bytes, list[Finding]],
) -> None:
    data, findings = case
    result = apply(data, findings)
    assert sorted([*result.applied, *result.deferred], key=lambda f: f.rule) == sorted(
        findings, key=lambda f: f.rule
    )
    assert apply(data, reversed(findings)).data == result.data
    assert not findings or result.applied, "each pass gets on"


@given(edited())
def test_bytes_outside_of_the_edits_stay(case: tuple[bytes, list[Finding]]) -> None:
    data, findings = case
    result = apply(data, findings)
    edits = sorted({edit for f in result.applied for edit in f.edits})
    grown = len(result.data) - sum(len(e.text) for e in edits)
    assert grown == len(data) - sum(e.span.end - e.span.start for e in edits)
    at = shift = 0
    for edit in edits:
        assert result.data[at + shift : edit.span.start + shift] == data[at : edit.span.start]
        shift += len(edit.text) - (edit.span.end - edit.span.start)
        at = edit.span.end
    assert result.data[at + shift :] == data[at:]
