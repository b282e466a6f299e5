import paddle

from .methods_of_tensors import _method, _methods
from .numbers_as_tensors import _with_a_dimension
from .overrides import _function


def nonzero(input, *, as_tuple=False):
    if input.ndim:
        return paddle.nonzero(input, as_tuple)
    places = paddle.nonzero(input.reshape([1]))
    return (places[:, 0],) if as_tuple else places[:, :0]


_OF_ONE = "index_select argmax argmin".split()
index_select, argmax, argmin = (_with_a_dimension(_function(name)) for name in _OF_ONE)
_methods(nonzero=nonzero, **{name: _with_a_dimension(_method(name)) for name in _OF_ONE})
