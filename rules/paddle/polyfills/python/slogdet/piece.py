import collections

import paddle

from .methods_of_tensors import _methods

_SignAndLogarithm = collections.namedtuple("slogdet", ["sign", "logabsdet"])  # type: ignore[name-match]
_paddle_slogdet = paddle.linalg.slogdet


def slogdet(A):
    sign, logarithm = _paddle_slogdet(A)
    return _SignAndLogarithm(sign, logarithm)


_methods(slogdet=slogdet)
