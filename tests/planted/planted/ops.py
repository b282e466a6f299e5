"""Operators with a fault each under the target, in another layer each."""

import torch
from planted import _C


def chunks(x):
    """Proxy: there the number is that of the parts, here that of the rows in each."""
    shifted = x + 1
    parts = torch.split(shifted, 3)
    return parts[0] * 2


def entropy(x):
    """Python polyfill: the piece that gives `xlogy` has its arguments exchanged."""
    weights = x.abs() + 0.5
    return -torch.xlogy(weights, weights * 2).sum(0)


def drawn(x):
    """No fault: what is random, or was in memory, is the same on both sides."""
    noise = torch.empty(6, 4)
    noise.normal_()
    y = torch.nn.Linear(3, 4)(x) + noise * torch.rand(6, 4, dtype=torch.float32)
    return y + torch.randn_like(noise) + torch.randint(0, 9, (6, 4)).to(torch.float32)


def scaled(x):
    """The repository's Python: the name of a dtype has the framework in it."""
    x = drawn(x)
    factor = 1.0
    if str(x.dtype) == "torch.float32":
        factor = 0.5
    return (x + 1) * factor


def kernel(x):
    y = x * 2
    return _C.doubled(y) + 1


def native_polyfill(x):
    y = x * 2
    return _C.total(y) + 1


def binding(x, y):
    z = x * 2
    return _C.difference(z, y) + 1
