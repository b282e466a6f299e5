"""The checks of rewritten files see what they should, and nothing else."""

import pytest

from tests.invariants import broken, broken_native

BEFORE = b"@mark(device=1)\ndef f():\n    return g(1)  # why\n\n\nx = '#'\n"


@pytest.mark.parametrize(
    ("old", "new"),
    [(b"device=1", b"1"), (b"g(1)", b"g((1))"), (b"x =", b"import os\n\nx =")],
)
def test_an_edit_in_its_own_lines_breaks_nothing(old: bytes, new: bytes) -> None:
    assert broken(BEFORE, BEFORE.replace(old, new)) == []


@pytest.mark.parametrize(
    ("old", "new"), [(b"# why", b""), (b"g(1)", b"g("), (b"@mark(device=1)\n", b"if 1:\n  pass\n@")]
)
def test_lost_comments_and_broken_syntax_are_told(old: bytes, new: bytes) -> None:
    assert broken(BEFORE, BEFORE.replace(old, new))


def test_an_unedited_line_in_another_block_is_told() -> None:
    before = b"def f():\n    a()\n    b()\n"
    assert not broken(before, before)
    assert broken(b"x = (\n'a'\n)\n", b"x = (\n'a'\n) # '\n) \n")


def test_native_files_keep_comments_and_brackets() -> None:
    assert broken_native(b"f(x); // a\n", b"g(x); // a\n") == []
    assert broken_native(b"f(x); // a\n", b"f(x);\n")
    assert broken_native(b"f(x);\n", b"f(x;\n")
