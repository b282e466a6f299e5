import inspect

import paddle

_OPERATORS = "add sub mul truediv mod pow matmul rtruediv rmod rpow abs".split()
_ELEMENTWISE = (
    "abs cos erf exp expm1 log1p reciprocal round rsqrt sigmoid sign sin sqrt square tanh trunc pow "
    "maximum minimum atan2 remainder lerp"
).split()
_OTHERS = (
    "mean prod amax amin argmax argmin norm any all cumsum flip roll nonzero unique softmax "
    "logsumexp matmul mm bmm dot outer tril triu index_select topk"
).split()


def _is_given(name):
    """Whether another piece of this unit gives the method: it knows about half."""
    return _HOME in getattr(inspect.getattr_static(paddle.Tensor, name), "homes", ())


_names = [*(f"__{name}__" for name in _OPERATORS), *_ELEMENTWISE, *_OTHERS]
_as_in_float32((), [name for name in _names if hasattr(paddle.Tensor, name) and not _is_given(name)])
