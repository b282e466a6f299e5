import paddle

from .computing import _of_itself
from .methods_of_tensors import _methods


def logcumsumexp(input, dim):
    return _of_itself(lambda x: paddle.logcumsumexp(x, axis=dim), input)


_methods(logcumsumexp=logcumsumexp)
