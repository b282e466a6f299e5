"""Gradients of gradients. Apart from others: porter-compat prepares for these where a module has a
word for them."""

from __future__ import annotations

from typing import Any

from tests.operators.calls import direction


def second_gradients(torch: Any, outputs: list[Any], leaves: list[Any]) -> list[Any]:
    """The gradients of the first gradients, with respect to the leaves and to what those were
    taken along."""
    ways = [direction(each, torch).requires_grad_() for each in outputs]
    leaves = [*leaves, *ways]
    first = torch.autograd.grad(outputs, leaves, ways, create_graph=True, allow_unused=True)
    outputs = [each for each in first if each is not None and each.requires_grad]
    ways = [direction(each, torch) for each in outputs]
    return list(torch.autograd.grad(outputs, leaves, ways, allow_unused=True))
