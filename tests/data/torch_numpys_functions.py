"""NumPy's functions and operators of tensors; one line of output each.

Run by tests/test_compat_methods.py under torch, and under Paddle by `python -m porter_compat`.
"""

import numpy as np
import torch


def show(what, function):
    try:
        given = function()
        for each in given if isinstance(given, tuple) else (given,):
            kind = type(each).__name__
            print("=", what, kind, each.dtype, np.asarray(each).round(5).tolist())
    except Exception as error:
        print("=", what, "raised", type(error).__name__, str(error)[:40])


x = torch.tensor([1.0, float("nan"), -2.5])
n = torch.tensor([1, 2, 3])
a = np.array([1.0, 2.0, 4.0])
out = np.zeros(3)
for name in "exp abs sqrt square sign isnan isfinite floor negative tanh modf frexp".split():
    show(name, lambda name=name: getattr(np, name)(x))
    show(name, lambda name=name: getattr(np, name)(n))
show("log of a number", lambda: np.log(torch.tensor(2.0)))
show("multiply", lambda: np.multiply(a, x))
show("multiply", lambda: np.multiply(x, a))
show("multiply", lambda: np.multiply(x, x))
show("maximum", lambda: np.maximum(x, 2.0))
show("power", lambda: np.power(2, n))
show("logical_and", lambda: np.logical_and(x > 0, n > 1))
show("divmod", lambda: np.divmod(n, 2))
show("reduce", lambda: np.add.reduce(x))
show("accumulate", lambda: np.add.accumulate(n))
show("outer", lambda: np.multiply.outer(n, n))
show("out", lambda: np.exp(n, out=out) is out and out)
show("where", lambda: np.where(x > 0, x, 0))
show("clip", lambda: np.clip(x, 0, 1))
show("round", lambda: np.round(x))
show("dtype", lambda: np.add(n, 1, dtype="float64"))
show("bfloat16", lambda: np.exp(x.bfloat16()))
show("bfloat16", lambda: x.bfloat16().numpy())
show("bfloat16", lambda: np.asarray(x.bfloat16()))
show("float64 * x", lambda: np.float64(2) * x)
show("float32 - x", lambda: np.float32(2) - x)
show("int64 + n", lambda: np.int64(2) + n)
show("float64 / n", lambda: np.float64(2) / n)
show("float64 > x", lambda: np.float64(2) > x)
show("float64 ** x", lambda: np.float64(2) ** n)
show("int64 // n", lambda: np.int64(7) // n)
show("int64 % n", lambda: np.int64(7) % n)
show("x * float64", lambda: x * np.float64(2))
show("n + array", lambda: n + a)
number = np.float64(1)
number += x
show("+=", lambda: number)
