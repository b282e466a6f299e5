import functools

import paddle

from .methods_of_tensors import _method, _methods
from .overrides import _function, _register

_SIGNED = {
    paddle.uint16: paddle.int16,
    paddle.uint32: paddle.int32,
    paddle.uint64: paddle.int64,
}


def _also_unsigned(function):
    @functools.wraps(function)
    def made(*args, dtype=None, **options):
        signed = function(*args, dtype=_SIGNED.get(dtype, dtype), **options)
        return signed.astype(dtype) if dtype in _SIGNED else signed

    return made


for _maker in ("zeros", "ones", "full", "zeros_like", "ones_like", "full_like"):
    _register({}, {f"torch.{_maker}": _also_unsigned(_function(_maker))})
for _maker in ("new_zeros", "new_ones", "new_full"):
    _methods(**{_maker: _also_unsigned(_method(_maker))})
