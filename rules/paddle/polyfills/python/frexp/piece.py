import collections

import paddle

from .methods_of_tensors import _methods

_Frexp = collections.namedtuple("frexp", "mantissa exponent")  # type: ignore[name-match]


def frexp(input):
    if not input.is_floating_point():
        raise RuntimeError("torch.frexp() only supports floating-point dtypes")
    wide = input.astype("float32") if input.element_size() < 4 else input
    mantissa, exponent = paddle.frexp(wide)
    return _Frexp(mantissa.astype(input.dtype), exponent.astype("int32"))


_methods(frexp=frexp)
