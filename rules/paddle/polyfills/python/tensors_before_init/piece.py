import paddle

from .methods_of_tensors import _members

_set_on_layer = paddle.nn.Layer.__setattr__


def _set_before_init(self, name, value):
    if type(value) is paddle.Tensor and "_buffers" not in self.__dict__:
        object.__setattr__(self, name, value)
    else:
        _set_on_layer(self, name, value)


_members(paddle.nn.Layer, __setattr__=_set_before_init)
