"""What must hold for any file and any edits, by Hypothesis."""

from __future__ import annotations

import ast
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from porter.languages.edits import apply, splice
from porter.languages.read import read
from porter.migrate.intact import find_harm
from porter.model import Edit, Finding, Language, Safety, Span
from tests.fuzz.targets import TARGETS
from tests.hostile.differential import check_pass

CALM = settings(deadline=None, suppress_health_check=list(HealthCheck))

names = st.sampled_from(["a", "b", "torch", "x_1", "é"])
calls = st.sampled_from(
    ["torch.equal", "x.numel", "x.size", "torch.cuda.current_stream().cuda_stream"]
)
values = st.recursive(
    names | calls | st.sampled_from(["1", "'s'", '"""t\n  u"""', "b'\\n'", "f'{a}'"]),
    lambda inner: st.one_of(
        st.tuples(inner, inner).map(lambda p: f"{p[0]}({p[1]})"),
        st.tuples(inner, inner).map(lambda p: f"({p[0]} + {p[1]})"),
        st.lists(inner, max_size=3).map(lambda items: f"[{', '.join(items)}]"),
        st.tuples(inner, inner).map(lambda p: f"(  # why\n    {p[0]},\n{p[1]})"),
    ),
    max_leaves=5,
)
comments = st.sampled_from(["", "", "  # kept", "  # é 'quoted\""])
simple = st.tuples(names, values, comments).map(lambda s: [f"{s[0]} = {s[1]}{s[2]}"])


def _block(parts: tuple[str, list[list[str]], str]) -> list[str]:
    head, body, comment = parts
    return [head + comment, *(f"    {line}" for lines in body for line in lines)]


heads = st.sampled_from(["if a:", "def f(x, *y):", "class A(b):", "for a in b:", "with a as b:"])
statements = st.recursive(
    simple | st.sampled_from([["import torch"], ["pass"], ["# alone"]]),
    lambda inner: st.tuples(heads, st.lists(inner, min_size=1, max_size=3), comments).map(_block),
    max_leaves=6,
)
endings = st.sampled_from(["\n", "\r\n"])


@st.composite
def sources(draw: st.DrawFn) -> bytes:
    """Python that parses, with comments, blocks, both line ends and other characters."""
    lines = [line for lines in draw(st.lists(statements, max_size=5)) for line in lines]
    text = draw(endings).join([*lines, ""])
    data = draw(st.sampled_from([b"", b"\xef\xbb\xbf"])) + text.encode()
    try:
        ast.parse(data)
    except SyntaxError:  # a block of comments alone
        assume(False)
    return data


def _finding(rule: str, edits: tuple[Edit, ...]) -> Finding:
    return Finding(
        rule=rule,
        path="a.py",
        span=edits[0].span,
        line=1,
        column=1,
        message="m",
        safety=Safety.SAFE,
        edits=edits,
    )


@st.composite
def findings(draw: st.DrawFn, data: bytes) -> list[Finding]:
    """Findings with one to three edits each, anywhere, of which some overlap."""
    places = st.integers(0, len(data))
    texts = st.sampled_from(
        [b"", b"x", b"(", b")", b"\n", b"# c", b"'", b"    ", b"y = 2\n", b"\xff"]
    )
    found = []
    for number in range(draw(st.integers(0, 5))):
        spans = draw(st.lists(st.tuples(places, places), min_size=1, max_size=3))
        edits = tuple(Edit(Span(min(p), max(p)), draw(texts)) for p in spans)
        clash = any(a.span.overlaps(b.span) for i, a in enumerate(edits) for b in edits[:i])
        if not clash:
            found.append(_finding(f"r{number}", edits))
    return found


@CALM
@given(st.binary(max_size=200).flatmap(lambda d: st.tuples(st.just(d), findings(d))))
def test_edits_never_overlap_and_leave_the_rest_byte_for_byte(
    case: tuple[bytes, list[Finding]],
) -> None:
    data, found = case
    result = apply(data, found)
    edits = sorted({edit for finding in result.applied for edit in finding.edits})
    for one, other in pairwise(edits):
        assert one.span.end <= other.span.start
    at = end = 0
    for edit in edits:  # what follows each edit is what followed it before
        before = data[at : edit.span.start]
        assert result.data[end : end + len(before)] == before
        end += len(before)
        assert result.data[end : end + len(edit.text)] == edit.text
        at, end = edit.span.end, end + len(edit.text)
    assert result.data[end:] == data[at:]
    assert sorted([*result.applied, *result.deferred], key=id) == sorted(found, key=id)


@CALM
@given(st.binary(max_size=200).flatmap(lambda d: st.tuples(st.just(d), findings(d))))
def test_the_order_of_findings_does_not_matter(case: tuple[bytes, list[Finding]]) -> None:
    data, found = case
    assert apply(data, found) == apply(data, found[::-1])


@CALM
@given(sources().flatmap(lambda d: st.tuples(st.just(d), findings(d))))
def test_what_is_let_through_parses_and_harms_nothing_else(
    case: tuple[bytes, list[Finding]],
) -> None:
    data, found = case
    result = apply(data, found)
    edits = [edit for finding in result.applied for edit in finding.edits]
    if edits and find_harm(data, edits, "a.py", Language.PYTHON) is None:
        assert check_pass(data, result) == []


@CALM
@given(sources())
def test_migrated_files_keep_the_rest_and_a_second_run_is_empty(data: bytes) -> None:
    TARGETS["migrate python"].run(data)


@pytest.mark.parametrize("language", [Language.CPP, Language.CMAKE, Language.TOML])
@CALM
@given(
    st.text(alphabet="ab(){}[]\"'#/*\n =\\", max_size=60).flatmap(
        lambda text: st.tuples(st.just(text.encode()), findings(text.encode()))
    )
)
def test_what_is_let_through_in_other_languages_reads_as_before(
    language: Language, case: tuple[bytes, list[Finding]]
) -> None:
    data, found = case
    edits = {edit for finding in apply(data, found).applied for edit in finding.edits}
    if find_harm(data, edits, "a", language) is None:
        read(splice(data, edits), "a", language)
