import functools
import math

import numpy
import paddle


def torch_detach(input):
    return input.detach()


def torch_fill(input, value):
    return _applied(lambda x, y: paddle.zeros_like(x) + y, input.dtype, input, value)


def torch_frombuffer(buffer, *, dtype, count=-1, offset=0, requires_grad=False):
    named = "uint16" if dtype == paddle.bfloat16 else str(dtype).rpartition(".")[2]
    made = paddle.to_tensor(numpy.frombuffer(buffer, named, count, offset).copy())
    made = made.view(paddle.bfloat16) if dtype == paddle.bfloat16 else made
    made.stop_gradient = not requires_grad
    return made


def torch_scalar_tensor(s, *, dtype=None, device=None, requires_grad=False):
    made = paddle.to_tensor(s, dtype=dtype or _default_dtype(), place=device)
    made.stop_gradient = not requires_grad
    return made


def torch_rsub(input, other, *, alpha=1):
    return _computed(lambda x, y: y - alpha * x, input, other)


def _moments(input, dim, unbiased, correction, keepdim):
    """Variance and mean; the arguments dim and unbiased may be in each other's place."""
    if isinstance(dim, bool):
        dim, unbiased = None, dim
    less = int(unbiased) if correction is None else correction
    dims = list(range(input.ndim)) if dim is None else [dim] if isinstance(dim, int) else list(dim)
    count = math.prod(input.shape[each] for each in dims)
    mean = input.mean(dims, keepdim=True)
    away = input - mean
    total = (away * away).sum(dims, keepdim=keepdim)
    variance = total / (count - less) if count > less else total / 0.0
    return variance, mean if keepdim or not dims else mean.squeeze(dims)


def var_mean(input, dim=None, unbiased=True, keepdim=False, *, correction=None):
    return _of_itself(lambda x: _moments(x, dim, unbiased, correction, keepdim), input)


def std_mean(input, dim=None, unbiased=True, keepdim=False, *, correction=None):
    variance, mean = var_mean(input, dim, unbiased, keepdim, correction=correction)
    return _of_itself(paddle.sqrt, variance), mean


def torch_trapz(y, x=None, *, dx=None, dim=-1):
    return paddle.trapezoid(y, x, dx, dim)


def torch_chain_matmul(*matrices):
    return functools.reduce(paddle.matmul, matrices)


def torch_initial_seed():
    return paddle.get_rng_state()[0].current_seed()


def torch_is_storage(obj):
    return False


_PRECISION = ["highest"]


def torch_set_float32_matmul_precision(precision):
    if precision not in ("highest", "high", "medium"):
        raise RuntimeError(f"{precision} is not one of 'highest', 'high' or 'medium'")
    _PRECISION[0] = precision


def torch_get_float32_matmul_precision():
    return _PRECISION[0]


def torch_set_default_tensor_type(t):
    dtypes = {"Float": "float32", "Double": "float64", "Half": "float16", "BFloat16": "bfloat16"}
    name = t if isinstance(t, str) else t.__name__
    paddle.set_default_dtype(dtypes[name.rpartition(".")[2].removesuffix("Tensor")])
