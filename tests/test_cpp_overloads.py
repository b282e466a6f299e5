"""The functions of torch that compile in C++ under Paddle: no fewer than the page says."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.conftest import CACHE
from tests.cpp_pieces.overloads import PAGE, calls, measured, named, rewritten

DECLARED = """\
- func: thing.over(Tensor self, SymInt[2] size=[0, 1], *, Scalar alpha=1) -> Tensor
  variants: function, method
- func: thing.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
- func: made(int[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor
- func: _thing(Tensor self) -> Tensor
- func: other(Tensor self, Dimname dim) -> Tensor
"""  # noqa: E501


def test_each_overload_is_called_with_all_arguments_and_with_those_it_requires() -> None:
    assert calls(DECLARED) == [
        "at::thing(t, is, s)",
        "t.thing(is, s)",
        "at::thing(t)",
        "t.thing()",
        "at::thing_out(t, t)",
        "at::made(is, op)",
        "at::made(is)",
    ]


def test_the_page_names_what_lacks() -> None:
    page = "1 of 1 calls compile (2026-01-01).\n```text\n```\n```text\n```\n"
    right = ["at::a(t)", "at::b(t, i)", "at::b(t)"]
    text = rewritten(page, right, ["at::a(t)", "at::b(t, i)"])
    assert named(text) == {"at::a", "at::b(t, i)"}
    assert text.startswith("1 of 3 calls compile (20")


@pytest.mark.real
@pytest.mark.long
def test_what_compiles_is_not_less_than_the_page_says(
    framework_pythons: Mapping[str, Path],
) -> None:
    known = named(PAGE.read_text(encoding="utf-8"))
    _, lacking = measured(framework_pythons, CACHE / "cpp-pieces")
    new = [call for call in lacking if not {call, call.partition("(")[0]} & known]
    assert not new, "these calls do not compile any more"
