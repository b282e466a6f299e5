"""What the source shows of a tensor rules out what is said of other tensors only."""

from __future__ import annotations

import pytest

from porter.model import Language, Role, SourceFile
from porter.surface.load import load, load_torch
from porter.uses.differences import differences
from porter.uses.guesses import guesses
from porter.uses.lookup import uses

HALF = "does not support half and bfloat16 on CPU"
STRIDES = "does not preserve strides: the result is contiguous"
ITSELF = "makes the tensor itself contiguous"
DATA = "writing to it makes the backward pass"
NO_DIMENSION = "rejects a 0-D tensor"
GRADIENT = "requires a gradient itself"
INT32 = "of int32 gives"
NUMBER = "does not accept a number as the argument"


def said(body: str, about: str) -> bool:
    """Whether something about a use in a function's last line is said, surely or not."""
    head = "import torch\ndef f(x, i, y: torch.Tensor):\n    "
    data = (head + body.replace("\n", "\n    ") + "\n").encode()
    file = SourceFile("a.py", Language.PYTHON, Role.LIBRARY, len(data))
    found, surface = list(uses([(file, data)])), load("paddle", "3.3.1")
    told = differences(found, surface, load_torch())
    last = data.count(b"\n")
    every = [(d.line, d.consequence) for d in told]
    every += [(g.line, g.reason) for g in guesses(found, told, surface, load_torch())]
    return any(line == last and about in reason for line, reason in every)


@pytest.mark.parametrize(
    ("body", "about"),
    [
        ("y.scatter_(0, i, 1)", HALF),
        ("torch.gather(x, 1, i)", HALF),
        ("a = torch.zeros(2, dtype=torch.half)\na.scatter_(0, i, 1)", HALF),
        ("a = torch.zeros(2, dtype=x.dtype)\na.scatter_(0, i, 1)", HALF),
        ("torch.set_default_dtype(torch.half)\ntorch.zeros(2).scatter_(0, i, 1)", HALF),
        ("a = torch.zeros(2)\nif i: a = x\ntorch.gather(a, 0, i)", HALF),
        ("torch.empty_like(x)", STRIDES),
        ("assert y.is_contiguous()\ntorch.empty_like(x)", STRIDES),
        ("if i:\n    assert y.is_contiguous()\ny.contiguous()", ITSELF),
        ("if i:\n    assert y.is_contiguous()\nelse: y.contiguous()", ITSELF),
        ("y.contiguous()", ITSELF),
        ("a = torch.zeros(())\na.index_add_(0, i, x)", NO_DIMENSION),
        ("a = torch.zeros(i)\na.index_add_(0, i, x)", NO_DIMENSION),
        ("y[0].contiguous()", ITSELF),
        ("y.float().contiguous()", ITSELF),
        ("y.data.zero_()", DATA),
        ("y.data[0] = 1", DATA),
        ("y.data += x", DATA),
        ("x.data.mul_(x)", DATA),
        ("w = y.data", DATA),
        ("y.grad.zero_()", GRADIENT),
        ("y.grad[0] = 1", GRADIENT),
        ("y.grad.contiguous().zero_()", GRADIENT),
        ("g = y.grad.to(i)", GRADIENT),
        ("g = y.grad\ny.grad = None", GRADIENT),
        ("g, y.grad = y.grad, None", GRADIENT),
        ("g = y.grad", GRADIENT),
        ("g(y.grad)", GRADIENT),
        ("y.div_(x)", NUMBER),
        ("torch.pow(x, i)", "a number as the base"),
        ("def g(x): torch.abs(x)\ny.div_(x)", NUMBER),
        ("y.div_(x[0])", NUMBER),
        ("y.div_(x[0, 1])", NUMBER),
        ("a = torch.linspace(0, 1, 5)[0]\ntorch.gather(a * x, 0, i)", HALF),
        ("torch.cumprod(x, 0)", INT32),
        ("torch.cumprod(x.int(), 0)", INT32),
    ],
)
def test_what_may_hold_is_said(body: str, about: str) -> None:
    assert said(body, about)


@pytest.mark.parametrize(
    ("body", "about"),
    [
        ("a = torch.zeros(2)\na.scatter_(0, i, 1)", HALF),
        ("a = torch.zeros(2, dtype=torch.float64)\na[0].scatter_(0, i, 1)", HALF),
        ("a = torch.cuda.FloatTensor(2).zero_()\na.scatter_(0, i, 1)", HALF),
        ("torch.gather(x.float(), 1, i)", HALF),
        ("torch.gather(x.to(torch.float32), 1, i)", HALF),
        ("torch.gather(x.argmax(1), 1, i)", HALF),
        ("a = torch.zeros(2)\nif i: a = torch.ones(2)\ntorch.gather(a, 0, i)", HALF),
        ("torch.empty_like(x.contiguous())", STRIDES),
        ("torch.empty_like(torch.rand(2, 3))", STRIDES),
        ("assert x.is_contiguous() and y.is_contiguous()\ntorch.empty_like(y)", STRIDES),
        ("torch.empty_like(x)[0]; assert x.is_contiguous()", STRIDES),
        ("torch.empty_like(x[:0])", STRIDES),
        ("torch.empty_like(x).view(-1)", STRIDES),
        ("assert y.is_contiguous()\nif i: y.contiguous()", ITSELF),
        ("a = torch.zeros((2, 3))\na.index_add_(0, i, x)", NO_DIMENSION),
        ("a = torch.zeros(2, 3)\na.index_add_(0, i, x)", NO_DIMENSION),
        ("x.transpose(1, 2).contiguous()", ITSELF),
        ("(x + y).contiguous()", ITSELF),
        ("torch.cat([x, y]).contiguous()", ITSELF),
        ("y.data.copy_(x)", DATA),
        ("y.data.shape", DATA),
        ("print(y.data)", DATA),
        ("y.grad = x", GRADIENT),
        ("y.grad = None", GRADIENT),
        ("g, y.grad = y.grad.clone(), None", GRADIENT),
        ("y.grad.clone()", GRADIENT),
        ("g = y.grad.cpu().numpy()", GRADIENT),
        ("y.grad.data.zero_()", GRADIENT),
        ("y.grad is None", GRADIENT),
        ("torch.allclose(y.grad, x)", GRADIENT),
        ("torch.testing.assert_close(actual=y.grad, expected=x)", GRADIENT),
        ("y.div_(x[:, None])", NUMBER),
        ("torch.abs(x)\ny.div_(x)", NUMBER),
        ("a = x * i\nb = torch.exp(a)\ntorch.pow(a, 2)", "a number as the base"),
        ("y.div_(x[..., 0])", NUMBER),
        ("y.div_(x[1:, 0])", NUMBER),
        ("a = torch.eye(3)\nif i: a = torch.zeros(3)\ny.div_(a)", NUMBER),
        ("a = torch.zeros(2)\na = a.abs() + 1\ntorch.gather(a, 0, i)", HALF),
        ("a = torch.linspace(0, 1, 5)\ntorch.gather((a / x).cos() ** 2, 0, i)", HALF),
        ("a = torch.cumprod(1.0 - torch.rand(4), dim=0)\ntorch.gather(a, 0, i)", HALF),
        ("a = y > 4\nb = ~a\ny.div_(b)", NUMBER),
        ("a = x.view(2, i)\na.index_add_(0, i, x)", NO_DIMENSION),
        ("y.div_(x.grad); y.div_(x.detach())", NUMBER),
        ("torch.pow(x + i, 2)", "a number as the base"),
        ("torch.cumprod(x / 2, 0)", INT32),
        ("torch.cumprod(torch.exp(x), 0)", INT32),
        ("torch.cumprod(x.to(torch.float64), 0)", INT32),
    ],
)
def test_what_the_source_rules_out_is_not_said(body: str, about: str) -> None:
    assert not said(body, about)


def test_a_dimension_that_a_number_has_not_is_of_no_number() -> None:
    about = "rejects a 0-D tensor"
    first = "a = x.float()\ntorch.gather(a, {}, i)"
    assert [said(first.format(dim), about) for dim in ("0", "-1", "i", "1")] == [1, 1, 1, 0]


@pytest.mark.parametrize(
    ("returned", "told"),
    [
        ("torch.zeros(n)", False),
        ("torch.zeros(n) if n else n", True),
        ("made(n - 1) if n else x", True),
    ],
)
def test_what_a_function_of_the_file_returns_is_seen(returned: str, told: bool) -> None:
    data = f"import torch\ndef made(n):\n    return {returned}\ntorch.gather(made(2), 0, i)\n"
    file = SourceFile("a.py", Language.PYTHON, Role.LIBRARY, len(data))
    found, surface = list(uses([(file, data.encode())])), load("paddle", "3.3.1")
    about = [d.consequence for d in differences(found, surface, load_torch()) if d.line == 4]
    assert (HALF in about) == told
