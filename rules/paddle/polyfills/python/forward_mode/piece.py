from typing import NamedTuple

import paddle

from .autograd_functions import _dual_levels
from .errors_in_backward import grad
from .jacobians import _source


class UnpackedDualTensor(NamedTuple):
    """What unpack_dual gives; tangent is None for a tensor that no dual tensor led to."""

    primal: paddle.Tensor
    tangent: paddle.Tensor | None


class _DualLevel:
    """The dual tensors between enter_dual_level and exit_dual_level, and their tangents."""

    def __init__(self):
        self.sources, self.tangents = [], []

    def add(self, source, tangent):
        self.sources.append(source)
        self.tangents.append(tangent)
        return source

    def tangent_of(self, value):
        """The derivative of a tensor in the direction of all tangents."""
        if not isinstance(value, paddle.Tensor) or value.stop_gradient or not self.sources:
            return None
        for source, tangent in zip(self.sources, self.tangents, strict=True):
            if source is value:
                return tangent
        with paddle.enable_grad():
            dummy = paddle.zeros_like(value)
            dummy.stop_gradient = False
            pulled = grad(
                [value], self.sources, [dummy], retain_graph=True, create_graph=True, allow_unused=True
            )
            pairs = [(p, t) for p, t in zip(pulled, self.tangents, strict=True) if p is not None]
            if not pairs:
                return None
            pairs = [(p, t) for p, t in pairs if not p.stop_gradient]
            if not pairs:
                return paddle.zeros_like(value)
            steps, tangents = map(list, zip(*pairs, strict=True))
            # of the sources too: some kernels of Paddle's fail where they are not asked for
            asked = [dummy, *self.sources]
            found = grad(steps, asked, tangents, retain_graph=True, create_graph=True, allow_unused=True)
            return paddle.zeros_like(value) if found[0] is None else found[0]

    def through(self, function, ctx, tangents, outputs, into):
        """The outputs of a Function as dual tensors, with the tangents that its jvp gives."""
        kept = ctx.saved_tensors
        ctx.saved_tensors = kept if ctx._for_forward is None else ctx._for_forward
        with paddle.no_grad():
            found = function.jvp(ctx, *tangents)
        ctx.saved_tensors = kept
        found = found if isinstance(found, tuple) else (found,)
        if len(found) != len(outputs):
            raise RuntimeError(
                f"{function.__name__}.jvp returned {len(found)} tangents for {len(outputs)} outputs"
            )
        for at in into:
            if found[at] is not None:
                if [*found[at].shape] != [*outputs[at].shape]:
                    raise RuntimeError(f"{function.__name__}.jvp returned a tangent of another shape")
                outputs[at] = self.add(_source(outputs[at], False), found[at].detach())
        return outputs


def enter_dual_level():
    """Begin to compute tangents: gives the number of the level, 0."""
    if _dual_levels:
        raise RuntimeError("Nested forward mode AD is not supported at the moment")
    _dual_levels.append(_DualLevel())
    return 0


def exit_dual_level(*, level=None):
    """Forget all tangents."""
    if not _dual_levels or level not in (None, 0):
        raise RuntimeError("Trying to exit a forward AD level that was not the last one that was created")
    _dual_levels.pop()


class dual_level:
    """A context in which dual tensors have tangents."""

    def __enter__(self):
        return enter_dual_level()

    def __exit__(self, *error):
        exit_dual_level()


def make_dual(tensor, tangent, *, level=None):
    """A tensor with a direction in which it moves."""
    if not _dual_levels:
        raise RuntimeError("Trying to create a dual Tensor for forward AD but no level exists, enter_dual_level() first")
    for name, each in (("primal", tensor), ("tangent", tangent)):
        if not each.is_floating_point() and not each.is_complex():
            raise ValueError(f"Expected {name} to be floating point or complex, but got: {each.dtype}")
    if [*tensor.shape] != [*tangent.shape]:
        raise RuntimeError(f"Expected tangent to have the shape {[*tensor.shape]}, not {[*tangent.shape]}")
    if not paddle.is_grad_enabled():
        raise NotImplementedError("forward mode under Paddle computes tangents where gradients are enabled only")
    return _dual_levels[0].add(_source(tensor, True), tangent)


def unpack_dual(tensor, *, level=None):
    """A tensor and its tangent, if it depends on a dual tensor."""
    tangent = _dual_levels[0].tangent_of(tensor) if _dual_levels else None
    return UnpackedDualTensor(tensor if tangent is None else tensor.detach(), tangent)
