import numpy
import paddle

from .overrides import _register


def einsum(equation, *operands):
    if len(operands) == 1 and isinstance(operands[0], (list, tuple)):
        (operands,) = operands
    if not (operands[0].is_floating_point() or operands[0].is_complex()):  # exact, without a graph
        arrays = [each.numpy() for each in operands]
        return paddle.to_tensor(numpy.einsum(equation, *arrays), place=operands[0].place)
    return paddle.einsum(equation, *operands)


_register({}, {"torch.einsum": einsum})
