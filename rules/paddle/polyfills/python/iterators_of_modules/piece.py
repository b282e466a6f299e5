import paddle

from .methods_of_tensors import _members

_list_parameters, _list_buffers = paddle.nn.Layer.parameters, paddle.nn.Layer.buffers


def _iterate_parameters(self, recurse=True):
    yield from _list_parameters(self, recurse)


def _iterate_buffers(self, recurse=True):
    yield from _list_buffers(self, recurse)


def parameters_to_vector(parameters):
    return paddle.nn.utils.parameters_to_vector([*parameters])


def vector_to_parameters(vec, parameters):
    return paddle.nn.utils.vector_to_parameters(vec, [*parameters])


_members(paddle.nn.Layer, parameters=_iterate_parameters, buffers=_iterate_buffers)
