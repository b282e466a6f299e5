import collections

import paddle

_SignAndLogarithm = collections.namedtuple("slogdet", ["sign", "logabsdet"])
_paddle_slogdet = paddle.linalg.slogdet


def slogdet(A):
    sign, logarithm = _paddle_slogdet(A)
    return _SignAndLogarithm(sign, logarithm)


_methods(slogdet=slogdet)
