import functools

import paddle

from .computing import _HALVES, _applied, _as_dtype
from .half_on_cpu import _is_recorded


def _takes_half(function):
    """A function that rounds half itself: nothing is to be cast for it."""
    function.takes_half = True
    return function


def _unrounded(x):
    return x


def _rounding(dtype):
    """What rounds float32 to a dtype and leaves it float32; its gradient too."""
    return lambda x: x.astype(dtype).astype(paddle.float32)


def _in_steps(function, dtype, *values):
    """As _applied, of a function that is handed what rounds a step of it: torch composes it of others."""
    place = next(value.place for value in values if isinstance(value, paddle.Tensor))
    rounded = _rounding(dtype) if dtype in _HALVES and place.is_cpu_place() else _unrounded
    return _applied(functools.partial(function, rounded), dtype, *values)


def _summed_to(x, shape):
    """The sum over what a shape was spread over."""
    more = x.ndim - len(shape)
    spread = [more + at for at, n in enumerate(shape) if n == 1 != x.shape[more + at]]
    dims = [*range(more), *spread]
    return x.sum(dims, keepdim=True).reshape(shape) if dims else x


class _Sloped(paddle.autograd.PyLayer):
    """A call whose gradients a formula gives: see _by_formula.

    What needs a gradient comes as one list: where only some are asked for, Paddle refuses what a
    PyLayer gives for its other inputs, but not for others of a list.
    """

    @staticmethod
    def forward(ctx, wanted, function, slopes, arguments):
        args = arguments()
        out = function(*args)
        tensors = [each for each in args if isinstance(each, paddle.Tensor)]
        ctx.save_for_backward(out, *tensors)
        ctx.slopes, ctx.wanted = slopes, [not each.stop_gradient for each in tensors]
        ctx.args = [paddle.Tensor if isinstance(each, paddle.Tensor) else each for each in args]
        return out

    @staticmethod
    def backward(ctx, grad):
        saved = ctx.saved_tensor()
        half = saved[0].dtype in _HALVES
        wide = [each.astype(paddle.float32) if half else each for each in (grad, *saved)]
        tensors = iter(wide[2:])
        args = [next(tensors) if each is paddle.Tensor else each for each in ctx.args]
        made = ctx.slopes(_rounding(saved[0].dtype) if half else _unrounded, *wide[:2], *args)
        made = [slope for slope, each in zip(made, ctx.args, strict=False) if each is paddle.Tensor]
        return [
            _summed_to(slope, tensor.shape).astype(tensor.dtype)
            for slope, tensor, wanted in zip(made, saved[1:], ctx.wanted, strict=True)
            if wanted
        ]


@functools.lru_cache(None)
def _layer_of(node):
    return type(f"Torchs{node}", (_Sloped,), {}) if node else _Sloped


def _by_formula(function, slopes, *args, node=""):
    """A function with torch's formula of its gradients, whose steps round half, and torch's name of its node.

    The formula gets what rounds a step, the gradient, the result and the arguments, and gives the
    gradients of the arguments that are tensors, each at the place of its argument.
    """
    if not _is_recorded(*args):
        return function(*args)
    wanted = [each for each in args if isinstance(each, paddle.Tensor) and not each.stop_gradient]
    return _layer_of(node).apply(wanted, function, slopes, lambda: args)


def _sloped(function, slopes, dtype, *values):
    """As _applied; half on a CPU with torch's formula of its gradients."""
    place = next(value.place for value in values if isinstance(value, paddle.Tensor))
    if dtype in _HALVES and place.is_cpu_place() and _is_recorded(*values):
        values = [_as_dtype(x, dtype, place) if isinstance(x, paddle.Tensor) else x for x in values]
        return _by_formula(functools.partial(_applied, function, dtype), slopes, *values)
    return _applied(function, dtype, *values)


def _sloped_steps(function, slopes, dtype, *values):
    """As _in_steps; half on a CPU with torch's formula of its gradients."""
    return _sloped(functools.partial(_in_steps, function, dtype), slopes, dtype, *values)
