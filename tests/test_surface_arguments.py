"""What is said of a name is judged by the arguments of a call."""

from __future__ import annotations

import ast

import pytest

from porter.model import Given, Symbol
from porter.surface.arguments import Holds, describe, holds, read_arguments
from porter.surface.facts import parse
from porter.surface.load import load, load_torch

RESIZED = "torch.nn.functional.interpolate"


def call(text: str) -> Given:
    node = ast.parse(text, mode="eval").body
    assert isinstance(node, ast.Call)
    return read_arguments(node, lambda value: "tensor" if ast.unparse(value) in ("a", "b") else "")


def answer(name: str, text: str, about: str) -> Holds:
    """Whether the one fact about a name that has these words holds of a call."""
    facts = load("paddle", "3.3.1").python[name].facts
    (fact,) = [f for f in facts if about in f.sentence and " raises " not in f.sentence]
    return holds(fact, call(text), load_torch().python[name])


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("-1", "number whole -1"),
        ("1e-5", "number fraction 1e-05"),
        ("True", "number truth True"),
        ("float('nan')", "number nan"),
        ("-float('inf')", "number infinite"),
        ("math.nan", "number nan"),
        ("'mean'", "text 'mean'"),
        ("None", "none"),
        ("[2, 2]", "sequence list plural"),
        ("()", "sequence list empty"),
        ("(*sizes,)", "sequence list ?"),
        ("[n for n in x]", "sequence list ?"),
        ("list(x.shape)[2:]", "sequence list ?"),
        ("range(3)", "sequence range ?"),
        ("x.shape", "sequence size ?"),
        ("x.size()", "sequence size ?"),
        ("x.shape[0]", "number whole ?"),
        ("x.size(0) // 2", "number whole ?"),
        ("len(x) / 2", "number fraction ?"),
        ("something", ""),
        ("something + 1", ""),
    ],
)
def test_what_an_expression_is_as_far_as_it_says(text: str, what: str) -> None:
    assert describe(ast.parse(text, mode="eval").body, lambda _: "") == what


# Each was run under Paddle 3.3.1.
@pytest.mark.parametrize(
    ("name", "text", "about", "expected"),
    [
        ("torch.Tensor.stride", "x.stride(-1)", "list", Holds.NO),
        ("torch.Tensor.stride", "x.stride()", "list", Holds.PERHAPS),
        ("torch.Tensor.squeeze", "x.squeeze(0)", "a.squeeze", Holds.NO),
        ("torch.Tensor.squeeze", "x.squeeze()", "a.squeeze", Holds.NO),
        ("torch.Tensor.squeeze", "x.squeeze(dim)", "a.squeeze", Holds.PERHAPS),
        ("torch.Tensor.squeeze", "x.squeeze(())", "a.squeeze", Holds.PERHAPS),
        ("torch.split", "torch.split(x, [2, 2], dim=0)", "number of parts", Holds.NO),
        ("torch.split", "torch.split(x, 2)", "number of parts", Holds.YES),
        ("torch.split", "torch.split(x, size)", "number of parts", Holds.PERHAPS),
        ("torch.split", "torch.split(*given)", "number of parts", Holds.PERHAPS),
        ("torch.Tensor.split", "x.split(split_size=2)", "number of parts", Holds.YES),
        ("torch.Tensor.flip", "x.flip(1)", "several dimensions", Holds.NO),
        ("torch.Tensor.flip", "x.flip((0, 1))", "several dimensions", Holds.NO),
        ("torch.Tensor.flip", "x.flip(0, 1)", "several dimensions", Holds.YES),
        ("torch.Tensor.flip", "x.flip(*dims)", "several dimensions", Holds.PERHAPS),
        ("torch.searchsorted", "torch.searchsorted(a, b)", "number", Holds.NO),
        ("torch.searchsorted", "torch.searchsorted(a, 1.5)", "number", Holds.YES),
        ("torch.add", "torch.add(a, b)", "number", Holds.NO),
        ("torch.add", "torch.add(a, 1)", "number", Holds.YES),
        ("torch.add", "torch.add(a, c)", "number", Holds.PERHAPS),
        ("torch.pow", "torch.pow(a, 2)", "base", Holds.NO),
        ("torch.pow", "torch.pow(2, a)", "base", Holds.YES),
        ("torch.Tensor.fill_", "x.fill_(0)", "NaN", Holds.NO),
        ("torch.Tensor.fill_", "x.fill_(float('nan'))", "NaN", Holds.YES),
        ("torch.full", "torch.full((2,), 1)", "not int64", Holds.YES),
        ("torch.full", "torch.full((2,), 1, dtype=d)", "not int64", Holds.PERHAPS),
        ("torch.full", "torch.full((2,), 1.0)", "not int64", Holds.NO),
        ("torch.median", "torch.median(a)", "torch returns the lower", Holds.YES),
        ("torch.median", "torch.median(a, dim=1)", "torch returns the lower", Holds.NO),
        ("torch.Tensor.resize_", "x.resize_((2, 2))", "one list", Holds.NO),
        ("torch.Tensor.resize_", "x.resize_(2, 2)", "one list", Holds.YES),
        ("torch.clamp", "torch.clamp(a, min=0)", "bounds", Holds.NO),
        ("torch.clamp", "torch.clamp(a, max=b)", "bounds", Holds.YES),
        ("torch.clamp", "torch.clamp(a, 0, b)", "bounds", Holds.NO),
        ("torch.Tensor.fill_", "x.fill_(c)", "NaN", Holds.NO),
        (RESIZED, "f(a, scale_factor=2, mode='nearest')", "nearest-exact", Holds.PERHAPS),
        ("torch.nn.functional.grid_sample", "f(a, b, align_corners=False)", "corners", Holds.NO),
        ("torch.nn.functional.grid_sample", "f(a, b)", "corners", Holds.YES),
        ("torch.nn.functional.avg_pool2d", "f(a, 2, 2)", "excludes the padding", Holds.NO),
        ("torch.nn.functional.avg_pool2d", "f(a, 3, 1, 1)", "excludes the padding", Holds.YES),
        (
            "torch.nn.functional.avg_pool2d",
            "f(a, 3, padding=p)",
            "excludes the padding",
            Holds.PERHAPS,
        ),
        ("torch.Tensor.as_strided", "x.as_strided(s, t, 0)", "bytes", Holds.NO),
        (RESIZED, "f(a, (3, 3), mode='bilinear', align_corners=False)", "nearest-exact", Holds.NO),
        (RESIZED, "f(a, scale_factor=2, mode='bicubic')", "nearest-exact", Holds.NO),
        (RESIZED, "f(a, scale_factor=2, mode='area')", "nearest-exact", Holds.PERHAPS),
        (RESIZED, "f(a, scale_factor=0.3)", "nearest-exact", Holds.PERHAPS),
        (RESIZED, "f(a, 3)", "nearest-exact", Holds.PERHAPS),
        (RESIZED, "f(a, (3, 3), align_corners=None)", "nearest-exact", Holds.PERHAPS),
        ("torch.pow", "torch.pow(c, 2)", "base", Holds.NO),
        ("torch.pow", "torch.pow(2, c)", "base", Holds.YES),
        ("torch.pow", "torch.pow(c, d)", "base", Holds.PERHAPS),
        ("torch.Tensor.as_strided", "x.as_strided(s, t, 3)", "bytes", Holds.YES),
    ],
)
def test_a_condition_is_judged_by_what_a_call_passes(
    name: str, text: str, about: str, expected: Holds
) -> None:
    assert answer(name, text, about) is expected


def test_a_measured_call_says_nothing_of_calls_of_another_kind() -> None:
    fact = parse("measured 2: `torch.argmax(a, dim=0, keepdim=True)` gives x (2 of 11 calls)")
    torch = Symbol(kind="function", signatures=("(input, dim=None, keepdim=False) -> Tensor",))
    assert holds(fact, call("torch.argmax(a, dim=1)"), torch) is Holds.NO
    assert holds(fact, call("torch.argmax(a, 1, keep)"), torch) is Holds.PERHAPS
    assert holds(fact, call("torch.argmax(a, 1, True)"), torch) is Holds.PERHAPS


def test_half_of_the_measured_calls_do_not_make_it_sure() -> None:
    some, every = (parse(f"call: `f(a)` gives x ({n} of 5 calls)") for n in (3, 5))
    assert holds(some, call("f(a)"), None) is Holds.PERHAPS
    assert holds(every, call("f(a)"), None) is Holds.YES
