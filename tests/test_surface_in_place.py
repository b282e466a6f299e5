"""`x += y` is asked for where x is a tensor that is seen elsewhere, and nowhere else."""

from __future__ import annotations

import pytest

from porter.languages.python import parse
from porter.uses.in_place import find_in_place

SEEN = """
def f(x: torch.Tensor): x += 1
def f(x: Optional['torch.Tensor'] = None): x += 1
def f(x: float | torch.Tensor): x += 1
def f(x): x = x or torch.empty(2); x -= 1
x = torch.zeros(4); v = x[1:]; v *= 2
def f(x): v = x[:3, :3]; v /= 2
def f(x): v = x.unsqueeze(0)[0]; v = v.t(); v //= 2
def f(m): w = m.weight.data; w = w.detach(); w **= 2
x = torch.zeros(4); y = x; y &= 2
def f(x: torch.Tensor, c): y = x.float() if c else x + 1; y |= 2
def f(x: torch.Tensor): [y := x]; y <<= 2
xs = [torch.zeros(4)] * 2; xs[0] += 2
def f(xs: list[torch.Tensor]): xs[0] += 2
def f(xs: dict[str, torch.Tensor]): xs["a"] += 2
def f(self): self.x = torch.ones(2); self.x += y
def f(self): self.register_buffer("x", torch.ones(2)); self.x += y
def f(a, y): a.x += 2 * torch.exp(y)
"""
BLOCKS = [
    "x = torch.zeros(4, 2)\nfor row in x:\n    row += 2",
    "xs = [torch.zeros(4) for _ in r]\nfor x in xs:\n    x >>= 2",
    "x = torch.zeros(4)\ny = x + 1\nfor i in r:\n    y += 2\n    y = x.t()",
    "def f(x):\n    if c:\n        x = torch.empty(2)\n    x -= 1",
]
UNSEEN = """
i = 0; i += 1
def f(n: int, y, z=1.0): n += 1; y += 1; z *= 2
n = x.shape[0]; n += 1
xs = [1]; xs += [torch.ones(2)]; ys = [0] * 3; ys[1] += 2
def f(x: torch.Tensor): y = torch.exp(x); y += 1; z = x * 2; z += 1
def f(x: torch.Tensor): y = x; y = y * 2; x = g(x); y += x; x += 1
x = torch.zeros(4)[1:]; x += 1; y = (x * 2).view(2, 2); y += 1
x = torch.zeros(4); x = x.view(2, 2); x = x[0]; x += 1
x = torch.zeros(4); x[1] += 2
def f(x: torch.Tensor): x[0] += 1
def f(self, y): self.n = 0; self.n += y.item(); self.sum = 0.0; self.sum += torch.sum(y)
import numpy as np; x = np.zeros((2, 2)); y = x[:, 0]; y += 1
def f(x: torch.Tensor): x @= x
def f(xs: list[int]): n = xs[0]; n += 1; xs[0] += 1
"""
KERNEL = "import triton\n@triton.jit\ndef f(x: torch.Tensor):\n    x += 1"
OPERATORS = {
    **{"+": "add", "-": "sub", "*": "mul", "/": "truediv", "//": "floordiv", "%": "mod"},
    **{"**": "pow", "&": "and", "|": "or", "^": "xor", "<<": "lshift", ">>": "rshift"},
}


def found(text: str) -> list[str]:
    data = f"import torch\nfrom typing import Optional\n{text}\n".encode()
    return [name.rpartition(".")[2] for name, _ in find_in_place(parse(data, "a.py"))]


@pytest.mark.parametrize("text", [*SEEN.strip().splitlines(), *BLOCKS])
def test_what_others_see_is_asked_for(text: str) -> None:
    assert len(found(text)) == 1


@pytest.mark.parametrize("text", [*UNSEEN.strip().splitlines(), KERNEL])
def test_what_may_be_bound_anew_is_not(text: str) -> None:
    assert found(text) == []


def test_each_operator_has_its_name() -> None:
    lines = [f"    x {operator}= y" for operator in OPERATORS]
    text = "\n".join(["def f(x: torch.Tensor, y):", *lines])
    assert found(text) == [f"__i{name}__" for name in OPERATORS.values()]
