"""Which uses are of names that mean something else on a target."""

from __future__ import annotations

import pytest

from porter.model import Difference, Language, Role, SourceFile, State, Surface, Symbol
from porter.surface.facts import parse
from porter.surface.load import load, load_torch
from porter.uses.differences import differences
from porter.uses.lookup import select_relevant, uses


def found(text: str, role: Role = Role.LIBRARY, paddle: Surface | None = None) -> list[Difference]:
    data = f"import torch\n{text}\n".encode()
    file = SourceFile("a.py", Language.PYTHON, role, len(data))
    used = [*uses([(file, data)])]
    surface = select_relevant(paddle or load("paddle", "3.3.1"), used)
    return list(differences(used, surface, load_torch()))


def test_a_call_that_always_differs_is_told_with_its_place_and_consequence() -> None:
    (item,) = found("if torch.equal(a, b): pass")
    assert (item.path, item.line, item.column, item.name) == ("a.py", 2, 4, "torch.equal")
    assert "elementwise" in item.consequence
    assert item.sure


@pytest.mark.parametrize(
    ("call", "sure"),
    [
        ("torch.max(x, 0)", True),
        ("torch.max(x, dim=0)", True),
        ("torch.sum(x)", False),  # uint8 gives uint8
        ("torch.meshgrid(a, indexing='ij')", False),
        ("x.view(torch.int32)", False),  # right where x is no part
    ],
)
def test_the_form_of_a_call_says_whether_it_surely_differs(call: str, sure: bool) -> None:
    assert [item.sure for item in found(call)] == [sure]


@pytest.mark.parametrize(
    "text", ["torch.max(x)", "torch.abs(x)", "torch.argmax(x)", "torch.compile(f)", "y.sum()"]
)
def test_forms_that_agreed_and_names_that_are_missing_are_no_differences(text: str) -> None:
    assert not found(text)


def test_a_keyword_that_is_refused_goes_before_what_the_call_would_give() -> None:
    (item,) = found("torch.split(x, 1, dim=1)")
    assert (item.name, item.consequence) == ("torch.split", "does not accept dim=")


def test_methods_count_where_the_receiver_is_a_tensor() -> None:
    text = "def f(x: torch.Tensor):\n    return x.max(), x.max(0), x.sort()"
    assert [(d.name, d.line, d.sure) for d in found(text)] == [
        ("torch.Tensor.max", 3, True),
        ("torch.Tensor.sort", 3, True),
    ]


def test_vendored_files_do_not_count() -> None:
    assert not found("torch.equal(a, b)", Role.VENDORED)


def test_what_is_refused_is_seen_when_it_runs_and_no_silent_difference() -> None:
    said = "measured: `torch.f(a)` of int32 raises RuntimeError: no kernel (2 of 9 calls)"
    symbols = {"torch.abs": Symbol(kind="function", state=State.PRESENT, facts=(parse(said),))}
    paddle = Surface(package="paddle", version="3.3.1", build="cpu", python=symbols, cpp={})
    assert not found("torch.abs(x)", paddle=paddle)


@pytest.mark.parametrize(
    ("text", "sure"),
    [
        ("import torch.nn.functional as F\nF.unfold(x, 2, padding=1)", []),
        ("from torch.nn import functional as F\nF.unfold(x, 2, padding=1)", []),
        ("from torch import nn\nnn.functional.unfold(x, 2, padding=1)", [False]),
        ("torch.nn.functional.unfold(x, 2, padding=1)", [False]),
    ],
)
def test_what_importing_torch_nn_changes_is_a_guess_where_it_is_not_imported(
    text: str, sure: list[bool]
) -> None:
    assert [item.sure for item in found(text)] == sure


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("loss.backward(retain_graph=True)", 0),
        ("class F(torch.autograd.Function): ...\nloss.backward(retain_graph=True)", 1),
        ("class F(torch.autograd.Function): ...\nloss.backward(retain_graph=False)", 0),
    ],
)
def test_a_fact_that_needs_another_name_is_told_where_the_repository_uses_that(
    text: str, count: int
) -> None:
    text = f"loss = torch.exp(x)\n{text}"
    assert [item.name for item in found(text)] == ["torch.Tensor.backward"] * count


def test_a_class_that_is_not_called_is_told_by_what_is_true_of_all_its_uses() -> None:
    (item,) = found("isinstance(d, torch.device)")
    assert "is not a class" in item.consequence
