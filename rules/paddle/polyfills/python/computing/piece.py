import math

import paddle

from .promotion import _default_dtype, _kind, _result_dtype

_HALVES = frozenset({paddle.float16, paddle.bfloat16})
_COMPARED_BY_DISTANCE = frozenset({paddle.float32, paddle.float64})


def _is_zero(x):
    """Exactly: for Paddle's ==, which the pieces have, numbers below 1e-15 are equal to 0."""
    return paddle.logical_not(x) if x.dtype in _COMPARED_BY_DISTANCE else x == 0


def _is_equal(x, y):
    """Exactly, where Paddle's == holds for what is less than 1e-15 apart; both are of one dtype."""
    return (x <= y) & (x >= y) if x.dtype in _COMPARED_BY_DISTANCE else x == y


def _as_dtype(value, dtype, place):
    if not isinstance(value, paddle.Tensor):
        return paddle.to_tensor(value, dtype=dtype, place=place)
    return value if value.dtype == dtype else value.astype(dtype)


def _deviation_of(x):
    """The square root, which has a gradient of 0 at 0, as a deviation in torch."""
    zero = _is_zero(x)
    return paddle.where(zero, paddle.zeros_like(x), paddle.where(zero, paddle.ones_like(x), x).sqrt())


def _in_double_on_cpu(x):
    """float32 as float64 where torch computes in it."""
    return x.astype(paddle.float64) if x.dtype == paddle.float32 and x.place.is_cpu_place() else x


def _applied(function, dtype, *values):
    """What a function gives of these, as tensors of a dtype; of half on a CPU as float32."""
    place = next(value.place for value in values if isinstance(value, paddle.Tensor))
    large = paddle.float32 if dtype in _HALVES and place.is_cpu_place() else dtype
    return _narrowed(function(*(_as_dtype(value, large, place) for value in values)), large, dtype)


def _narrowed(made, large, dtype):
    if isinstance(made, (tuple, list)):
        return type(made)(_narrowed(each, large, dtype) for each in made)
    return made.astype(dtype) if made.dtype == large != dtype else made


def _of_itself(function, input):
    return _applied(function, input.dtype, input)


def _float_of(function, input):
    """As _of_itself, of integers in the default dtype."""
    real = input.is_floating_point() or input.is_complex()
    return _applied(function, input.dtype if real else _default_dtype(), input)


def _computed(function, *values):
    """As _applied, in the dtype that torch computes in."""
    return _applied(function, _result_dtype(*values), *values)


def _inverse_erf(x):
    """NaN outside of -1 to 1, where Paddle's is infinite; by another step of Newton's, as Paddle's has few digits."""
    wide = x.astype(paddle.float64)
    found = paddle.erfinv(wide)
    step = (paddle.erf(found) - wide) * paddle.exp(found * found) * (math.sqrt(math.pi) / 2)
    found = paddle.where(wide.abs() < 1, found - step, found).astype(x.dtype)
    return paddle.where(x.abs() <= 1, found, paddle.full_like(x, math.nan))


def _in_floats(function, *values):
    """As _computed, of integers in the default dtype."""
    dtype = _result_dtype(*values)
    return _applied(function, dtype if _kind(dtype) > 1 else _default_dtype(), *values)


def _with_gradients_of_all(*tensors):
    """The tensors, all with a gradient if one has: the backward pass of some of Paddle's operators ends the
    process where that of an operand is not asked for, as paddle.grad asks for no others than its inputs."""
    recorded = [each for each in tensors if not each.stop_gradient] if paddle.is_grad_enabled() else []
    if not recorded:
        return tensors
    return tuple(_seen_from(each, recorded) for each in tensors)


def _seen_from(tensor, others):
    """A tensor that is, for autograd, made of others, too: with gradients of zeros."""
    for other in others:
        if other is not tensor:
            none = paddle.zeros_like(tensor, dtype="bool")
            tensor = paddle.where(none, other.sum().astype(tensor.dtype), tensor)
    return tensor


def _with_own_gradient(tensor):
    """A tensor whose gradient nothing reads."""
    made = tensor.detach()
    made.stop_gradient = False
    return made


def _assign(value, tensor):
    """Put a value into a tensor, whose history ends there even if the value has none."""
    if not tensor.stop_gradient and value.stop_gradient and paddle.is_grad_enabled():
        value = _with_own_gradient(value)
    return paddle.assign(value, tensor)


def _refuse_leaf(tensor):
    if paddle.is_grad_enabled() and tensor.is_leaf and not tensor.stop_gradient:
        raise RuntimeError(
            "a leaf Variable that requires grad is being used in an in-place operation."
        )


def _refuse_cast(dtype, tensor):
    if _kind(dtype) > _kind(tensor.dtype):
        raise RuntimeError(f"result type {dtype} can't be cast to {tensor.dtype}")


def _write(made, tensor):
    """Put a result into the tensor, in its dtype."""
    _refuse_cast(made.dtype, tensor)
    if made.shape != tensor.shape:
        raise RuntimeError(
            f"output with shape {list(tensor.shape)} doesn't match the broadcast shape "
            f"{list(made.shape)}"
        )
    return _assign(_as_dtype(made, tensor.dtype, tensor.place), tensor)


def _writing(function):
    """A method that writes what a function gives into the tensor."""

    def method(self, *args, **kwargs):
        _refuse_leaf(self)
        return _write(function(self.clone(), *args, **kwargs), self)

    return method


def _reduced(loss, reduction):
    if reduction in ("none", 0):
        return loss
    return loss.mean() if reduction in ("mean", 1) else loss.sum()
