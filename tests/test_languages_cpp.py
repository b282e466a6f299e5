"""Tokens of C-family files: places, names, and what is no code."""

import gc
import weakref

import pytest

from porter.languages.cpp import Kind, parse
from porter.languages.cpp_tokens import skip_angles, tokens


def texts(data: bytes) -> list[str]:
    return [token.text for token in parse(data, "a.cu").tokens]


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"a // at::b \\\n c\nd", ["a", "d"]),
        (b"a /* at::b * / */ d", ["a", "d"]),
        (b"a /* never closed", ["a"]),
        (b'R"x(")x" b', ['R"x(")x"', "b"]),
        (b"f<<<g, 1'000>>>(x);", ["f", "<<<", "g", ",", "1'000", ">>>", "(", "x", ")", ";"]),
        (b"\"open\nb 'c", ['"open', "b", "'", "c"]),
        (b"\xef\xbb\xbfint \xc3\xa9;", ["\ufeffint", "é", ";"]),
        (b"", []),
    ],
)
def test_comments_and_strings_hide_nothing_and_show_nothing(
    data: bytes, expected: list[str]
) -> None:
    assert texts(data) == expected


def test_a_hash_within_a_continued_macro_begins_no_directive() -> None:
    tokens = parse(b"#define S(x) \\\n#x\n  # include <a.h>\n", "a.h").tokens
    directives = [t.text for t in tokens if t.kind is Kind.DIRECTIVE]
    assert directives == ["#define", "#include"]
    assert [t.text for t in tokens if t.kind is Kind.HEADER] == ["<a.h>"]


def test_offsets_are_bytes_of_the_file() -> None:
    data = "/* é */ at::Tensor t;".encode()
    unit = parse(data, "a.cpp")
    ((name, first, last),) = unit.full_names()
    assert name == "at::Tensor"
    assert data[unit.tokens[first].start : unit.tokens[last].end] == b"at::Tensor"
    assert unit.tokens[first].span.start == unit.tokens[first].start == data.index(b"at::")


def test_a_name_is_as_long_as_it_can_be_and_is_found_wherever_it_stands() -> None:
    unit = parse(b"::at::x; a::b::c d::(e) at::x", "a.cpp")
    assert [name for name, _, _ in unit.full_names()] == ["at::x", "a::b::c", "at::x"]
    assert len(list(unit.find("at", "::"))) == 2
    assert unit.places("x", "c", "x") == [k for k, t in enumerate(unit.tokens) if t.text in "xc"]


@pytest.mark.parametrize(
    ("text", "after"),
    [
        (b"<int> x", "x"),
        (b"<std::map<int, std::set<std::set<int>>>> x", "x"),
        (b"<decltype(a > b), (1 > 0)> x", "x"),
        (b"< b; x", ";"),
    ],
)
def test_the_end_of_template_arguments_is_found(text: bytes, after: str) -> None:
    found = list(tokens(text))
    assert found[skip_angles(found, 0)].text == after


def test_the_tokens_of_a_file_go_with_it() -> None:
    unit = parse(b"int f() { return 1; }", "a.cpp")
    assert [function.name for function in unit.code.functions] == ["f"]
    gone = weakref.ref(unit)
    gc.disable()  # as it is while files are read
    try:
        del unit
        assert gone() is None
    finally:
        gc.enable()
