import paddle

from .methods_of_tensors import _as_in_torch


def movedim(input, source, destination):
    """The tensor with some dimensions at other places, the rest in order."""
    return paddle.moveaxis(input, source, destination)


_as_in_torch(movedim)
