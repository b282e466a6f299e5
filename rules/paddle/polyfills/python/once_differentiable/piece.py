import functools

import paddle

from .autograd_functions import Function


class _OnlyOnce(Function):
    """The same tensors, which no gradient goes through."""

    @staticmethod
    def forward(ctx, *tensors):
        return tensors

    @staticmethod
    def backward(ctx, *gradients):
        raise RuntimeError(
            "trying to differentiate twice a function that was marked with @once_differentiable"
        )


def once_differentiable(fn):
    """A backward pass that is not recorded."""

    @functools.wraps(fn)
    def unrecorded(ctx, *gradients):
        with paddle.no_grad():
            found = fn(ctx, *gradients)
        wanting = any(each is not None and not each.stop_gradient for each in gradients)
        if not wanting or not paddle.is_grad_enabled():
            return found
        outputs = [*found] if isinstance(found, tuple) else [found]
        at = [i for i, each in enumerate(outputs) if isinstance(each, paddle.Tensor)]
        for each in at:
            outputs[each].stop_gradient = False
        for i, each in zip(at, _OnlyOnce.apply(*(outputs[i] for i in at))):
            outputs[i] = each
        return tuple(outputs) if isinstance(found, tuple) else outputs[0]

    return unrecorded
