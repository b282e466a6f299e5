"""A use of a variable sees the values that no later assignment hides."""

from __future__ import annotations

import ast

import pytest

from porter.languages.python import parse
from porter.uses.reaching import values_reaching


def values_at_use(body: str) -> list[str | None]:
    """The values of `x` where `use(x)` is, as they are written; None for one that is not seen."""
    text = "def f(a, x=0):\n" if "# passed" in body else "def f(a):\n"
    module = parse((text + "".join(f"    {line}\n" for line in body.split("\n"))).encode(), "a.py")
    call = next(c for c in module.nodes_of(ast.Call) if getattr(c.func, "id", "") == "use")
    assert isinstance(call.args[0], ast.Name)
    values = values_reaching(module, call.args[0])
    return [ast.unparse(value) if value is not None else None for value in values]


@pytest.mark.parametrize(
    ("body", "values"),
    [
        ("x = 1\nx = 2\nuse(x)", ["2"]),
        ("x = 1\nuse(x)\nx = 2", ["1"]),
        ("x = 1\nif a:\n    x = 2\nuse(x)", ["1", "2"]),
        ("x = 1\nif a:\n    x = 2\n    use(x)", ["2"]),
        ("x = 1\nx = use(x)", ["1"]),
        ("x = 1\nx += 1\nuse(x)", ["1"]),
        ("x = 1\nfor _ in a:\n    use(x)\n    x = 2", ["1", "2"]),
        ("x = 1\nfor _ in a:\n    x = 2\n    use(x)\n    x = 3", ["2"]),
        ("x = 1\nfor x in a:\n    use(x)", [None]),
        ("x = 1\nfor x in use(x):\n    pass", ["1"]),
        ("x = 1\nb = [x for x in a]\nuse(x)", ["1"]),
        ("x = 1\nb = [use(x) for x in a]", [None]),
        ("x = 1\nwith a as x:\n    use(x)", ["a"]),
        ("x = 1\ntry:\n    x = 2\nexcept a:\n    use(x)", ["1", "2"]),
        ("use(x)  # passed", [None]),
        ("x = 1  # passed\nuse(x)", ["1"]),
        ("if a:  # passed\n    x = 1\nuse(x)", [None, "1"]),
    ],
)
def test_a_use_sees_what_no_later_assignment_hides(body: str, values: list[str | None]) -> None:
    assert values_at_use(body) == values
