"""What tests use of torch, for tensors of MindSpore: factories, comparisons, gradients.

By numpy where MindSpore 2.10 has no kernels for a CPU. Tolerances and errors are those of torch.
"""

from __future__ import annotations

import contextlib
import itertools
import math
import unittest
from typing import Any

import mindspore
import numpy as np

FLOATING = (mindspore.float16, mindspore.bfloat16, mindspore.float32, mindspore.float64)
# How far results of torch.testing.assert_close may be apart, relatively and absolutely.
TOLERANCES = {
    mindspore.float16: (1e-3, 1e-5),
    mindspore.bfloat16: (1.6e-2, 1e-5),
    mindspore.float32: (1.3e-6, 1e-5),
    mindspore.float64: (1e-7, 1e-7),
    mindspore.complex64: (1.3e-6, 1e-5),
    mindspore.complex128: (1e-7, 1e-7),
}
DEFAULTS = {bool: mindspore.bool_, int: mindspore.int64, float: mindspore.float32}


class no_grad(contextlib.ContextDecorator):
    """Nothing: MindSpore differentiates only the functions that are passed to GradOperation."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, *error: Any) -> None:
        return None


def to_numpy(value: Any) -> Any:
    """A tensor's elements; bfloat16, which numpy lacks, as float32."""
    if not isinstance(value, mindspore.Tensor):
        return np.asarray(value)
    value = value.float() if value.dtype == mindspore.bfloat16 else value
    return value.contiguous().asnumpy()


# ------------------------------------------------------------------------------------ factories


def manual_seed(seed: Any) -> None:
    np.random.seed(seed)
    mindspore.set_seed(seed)


def tensor(data: Any, dtype: Any = None) -> Any:
    if dtype is None and isinstance(data, (mindspore.Tensor, np.ndarray, np.generic)):
        return mindspore.Tensor(to_numpy(data).copy(), getattr(data, "dtype", None))
    array = np.array(to_numpy(data))
    kind = {"b": bool, "i": int, "u": int}.get(array.dtype.kind, float)
    return mindspore.Tensor(array, dtype or DEFAULTS[kind])


def full(size: Any, fill_value: Any, dtype: Any = None) -> Any:
    return tensor(np.full(size, fill_value), dtype or DEFAULTS[type(fill_value)])


def zeros(*size: Any, dtype: Any = mindspore.float32) -> Any:
    return tensor(np.zeros(shape_of(size)), dtype)


def ones(*size: Any, dtype: Any = mindspore.float32) -> Any:
    return tensor(np.ones(shape_of(size)), dtype)


empty = zeros  # what is not initialised in torch may hold anything


def eye(rows: Any, columns: Any = None, dtype: Any = mindspore.float32) -> Any:
    return tensor(np.eye(rows, columns), dtype)


def arange(*bounds: Any, dtype: Any = None) -> Any:
    kind = float if any(isinstance(bound, float) for bound in bounds) else int
    return tensor(np.arange(*bounds), dtype or DEFAULTS[kind])


def linspace(start: Any, end: Any, steps: Any, dtype: Any = mindspore.float32) -> Any:
    return tensor(np.linspace(start, end, steps), dtype)


def randn(*size: Any, dtype: Any = mindspore.float32) -> Any:
    return tensor(np.random.standard_normal(shape_of(size)), dtype)


def rand(*size: Any, dtype: Any = mindspore.float32) -> Any:
    return tensor(np.random.random_sample(shape_of(size)), dtype)


def randint(*bounds: Any, size: Any = None, dtype: Any = mindspore.int64, **named: Any) -> Any:
    """Of numbers from `low`, or 0, up to `high`, which are `named` or come first."""
    bounds, size = (bounds, size) if size is not None else (bounds[:-1], bounds[-1])
    bounds = (*(named[name] for name in ("low",) if name in named), *bounds)
    bounds = (*bounds, *(named[name] for name in ("high",) if name in named))
    return tensor(np.random.randint(*bounds, size=tuple(size), dtype=np.int64), dtype)


def randperm(count: Any, dtype: Any = mindspore.int64) -> Any:
    return tensor(np.random.permutation(count), dtype)


def zeros_like(like: Any, dtype: Any = None) -> Any:
    return zeros(like.shape, dtype=dtype or like.dtype)


def ones_like(like: Any, dtype: Any = None) -> Any:
    return ones(like.shape, dtype=dtype or like.dtype)


empty_like = zeros_like


def full_like(like: Any, fill_value: Any, dtype: Any = None) -> Any:
    return full(like.shape, fill_value, dtype=dtype or like.dtype)


def randn_like(like: Any, dtype: Any = None) -> Any:
    return randn(like.shape, dtype=dtype or like.dtype)


def rand_like(like: Any, dtype: Any = None) -> Any:
    return rand(like.shape, dtype=dtype or like.dtype)


def stack(tensors: Any, dim: Any = 0) -> Any:
    return mindspore.ops.stack(tuple(tensors), axis=dim)


def shape_of(size: Any) -> tuple[int, ...]:
    """Of a factory that is given numbers, or one tuple of them."""
    return tuple(size[0]) if len(size) == 1 and not isinstance(size[0], int) else tuple(size)


class finfo:
    """The limits of a type of floats."""

    def __init__(self, dtype: Any = mindspore.float32) -> None:
        if dtype == mindspore.bfloat16:
            self.max, self.eps, self.tiny = (2 - 2**-7) * 2.0**127, 2.0**-7, 2.0**-126
        else:
            own = np.finfo(mindspore.dtype_to_nptype(dtype))
            self.max, self.eps, self.tiny = float(own.max), float(own.eps), float(own.tiny)
        self.min, self.smallest_normal = -self.max, self.tiny


def iinfo(dtype: Any) -> Any:
    return np.iinfo(mindspore.dtype_to_nptype(dtype))


# ---------------------------------------------------------------------------------- comparisons


def equal(left: Any, right: Any) -> bool:
    same = left.shape == right.shape and left.dtype == right.dtype
    return same and bool(np.array_equal(to_numpy(left), to_numpy(right)))


def allclose(
    left: Any, right: Any, rtol: Any = 1e-5, atol: Any = 1e-8, equal_nan: Any = False
) -> bool:
    return bool(np.allclose(to_numpy(left), to_numpy(right), rtol, atol, equal_nan))


def type_of(value: Any) -> Any:
    return DEFAULTS.get(type(value)) or getattr(value, "dtype", None)


def assert_close(
    actual: Any,
    expected: Any,
    *,
    rtol: Any = None,
    atol: Any = None,
    equal_nan: Any = False,
    check_dtype: Any = True,
) -> None:
    if isinstance(expected, (list, tuple)):
        assert len(actual) == len(expected)
        for left, right in zip(actual, expected, strict=True):
            assert_close(
                left, right, rtol=rtol, atol=atol, equal_nan=equal_nan, check_dtype=check_dtype
            )
        return
    if (rtol is None) is not (atol is None):
        raise ValueError("rtol and atol must both be given, or neither")
    types = [
        DEFAULTS.get(type(each)) or getattr(each, "dtype", None) for each in (actual, expected)
    ]
    if rtol is None:
        both = [TOLERANCES.get(kind, (0.0, 0.0)) for kind in types]
        rtol, atol = (max(each) for each in zip(*both, strict=True))
    left, right = to_numpy(actual), to_numpy(expected)
    assert left.shape == right.shape, f"shapes differ: {left.shape} and {right.shape}"
    assert not check_dtype or types[0] == types[1], f"types differ: {types[0]} and {types[1]}"
    if left.dtype.kind == "f":  # else the difference is one of float16
        left, right = left.astype(np.float64), right.astype(np.float64)
    np.testing.assert_allclose(left, right, rtol, atol, equal_nan)


class TestCase(unittest.TestCase):
    """Compares tensors by their elements, as the classes of torch and torch_npu do."""

    def assertEqual(self, first: Any, second: Any, msg: Any = None, **options: Any) -> None:
        if isinstance(first, mindspore.Tensor) and isinstance(second, mindspore.Tensor):
            check = options.pop("exact_dtype", True)
            assert_close(first, second, equal_nan=True, check_dtype=check, **options)
        elif isinstance(first, (list, tuple)) and isinstance(second, (list, tuple)):
            super().assertEqual(len(first), len(second), msg)
            for left, right in zip(first, second, strict=True):
                self.assertEqual(left, right, msg, **options)
        else:
            super().assertEqual(first, second, msg)

    def assertRtolEqual(
        self, x: Any, y: Any, prec: float = 1e-4, prec16: float = 1e-3, **options: Any
    ) -> None:
        """All but a share of `prec` are as near absolutely, or all but that relatively."""
        halves = (mindspore.float16, mindspore.bfloat16, np.dtype(np.float16))
        if getattr(x, "dtype", None) in halves:
            prec = prec16
        left, right = (to_numpy(each).astype(np.float64) for each in (x, y))
        self.assertEqual(left.shape, right.shape)
        self.assertTrue((np.isnan(left) == np.isnan(right)).all())
        off = np.nan_to_num(np.abs(left - right))
        scale = np.nan_to_num(np.maximum(np.abs(left), np.abs(right)))
        apart = min((off > prec).sum(), (off > prec * (scale + 1e-9)).sum())
        self.assertLessEqual(apart, off.size * prec)


# ------------------------------------------------------------------------------------ gradients


def is_floating(value: Any) -> bool:
    return isinstance(value, mindspore.Tensor) and value.dtype in FLOATING


def gradients(function: Any, inputs: Any, cotangent: Any = None) -> tuple[Any, ...]:
    """Those of a function's result; None for an input that is no tensor of floats."""
    places = [place for place, value in enumerate(inputs) if is_floating(value)]

    def differentiated(*tensors: Any) -> Any:
        given = list(inputs)
        for place, value in zip(places, tensors, strict=True):
            given[place] = value
        return function(*given)

    if cotangent is None:
        result = function(*inputs)
        if math.prod(result.shape) != 1:
            raise RuntimeError("grad can be implicitly created only for scalar outputs")
        cotangent = ones_like(result)
    derive = mindspore.ops.GradOperation(get_all=True, sens_param=True)(differentiated)
    results = derive(*(inputs[place] for place in places), cotangent)
    found = dict(zip(places, results, strict=True))
    return tuple(found.get(place) for place in range(len(inputs)))


def gradcheck(
    function: Any, inputs: Any, eps: Any = 1e-6, atol: Any = 1e-5, rtol: Any = 1e-3
) -> bool:
    """Compare gradients with differences of the function; raises AssertionError."""
    inputs = inputs if isinstance(inputs, (list, tuple)) else (inputs,)
    results = function(*inputs)
    if not isinstance(results, tuple):
        _check_result(function, inputs, results, eps, atol, rtol)
        return True
    for number in range(len(results)):
        if is_floating(results[number]):
            one = lambda *given, number=number: function(*given)[number]  # noqa: E731
            _check_result(one, inputs, results[number], eps, atol, rtol)
    return True


def _check_result(function: Any, inputs: Any, result: Any, eps: Any, atol: Any, rtol: Any) -> None:
    rows = []
    for at in itertools.product(*map(range, result.shape)):
        cotangent = np.zeros(result.shape)
        cotangent[at] = 1
        rows.append(gradients(function, inputs, tensor(cotangent, result.dtype)))
    for place, value in enumerate(inputs):
        if not is_floating(value):
            continue
        for at in itertools.product(*map(range, value.shape)):
            moved = []
            for step in (eps, -eps):
                array = to_numpy(value).copy()
                array[at] += step
                given = [*inputs[:place], tensor(array, value.dtype), *inputs[place + 1 :]]
                moved.append(to_numpy(function(*given)).astype(np.float64))
            slope = ((moved[0] - moved[1]) / (2 * eps)).reshape(-1)
            own = np.array([to_numpy(row[place])[at] for row in rows])
            np.testing.assert_allclose(own, slope, rtol, atol)
