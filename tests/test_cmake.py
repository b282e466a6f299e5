"""The CMake reader: commands, arguments, spans; comments and brackets never confuse it."""

from __future__ import annotations

import pytest

from porter.languages.cmake import parse
from porter.languages.python import Unreadable

TEXT = b"""\
# find_package(Not)
#[[ find_package(Nor)
this ]]
Find_Package(Torch REQUIRED COMPONENTS "a b" ${X}/lib) # why
if((A AND "B)") OR C)
  set(FLAGS "-Wall;\\"quoted\\"" [==[raw ] ]] text]==] -DX="y z")
endif()
"""


def test_commands_and_their_arguments() -> None:
    document = parse(TEXT, "CMakeLists.txt")
    assert [command.name for command in document.commands] == ["find_package", "if", "set", "endif"]
    found = next(document.calls_to("FIND_PACKAGE"))
    values = [argument.value for argument in found.arguments]
    assert values == ["Torch", "REQUIRED", "COMPONENTS", "a b", "${X}/lib"]


def test_spans_are_bytes_of_the_file() -> None:
    document = parse(TEXT, "CMakeLists.txt")
    found = next(document.calls_to("find_package"))
    assert TEXT[found.span.start : found.span.end].startswith(b"Find_Package(Torch")
    assert TEXT[found.span.start : found.span.end].endswith(b"lib)")
    quoted = found.arguments[3].span
    assert TEXT[quoted.start : quoted.end] == b'"a b"'
    assert document.position(found.span.start) == (4, 1)


def test_bracket_arguments_keep_their_text() -> None:
    command = next(parse(TEXT, "CMakeLists.txt").calls_to("set"))
    assert command.arguments[2].value == "raw ] ]] text"
    assert command.arguments[3].value == '-DX="y z"'


def test_windows_line_ends_and_a_byte_order_mark() -> None:
    data = b"\xef\xbb\xbf" + TEXT.replace(b"\n", b"\r\n")
    assert len(parse(data, "CMakeLists.txt").commands) == 4


@pytest.mark.parametrize("data", [b"set(A", b"set A)", b'set("a)', b"set(a)\0", b"()"])
def test_what_does_not_close_is_unreadable(data: bytes) -> None:
    with pytest.raises(Unreadable):
        parse(data, "CMakeLists.txt")
