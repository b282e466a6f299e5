import numpy
import paddle

from .computing import _applied
from .half_on_cpu import _is_half_on_cpu, _is_recorded
from .overrides import _register


def einsum(equation, *operands):
    if len(operands) == 1 and isinstance(operands[0], (list, tuple)):
        (operands,) = operands
    left, arrow, right = equation.partition("->")
    if arrow and "..." in left and "..." not in right:  # summed over
        made = einsum(f"{left}->...{right}", *operands)
        return made.sum([*range(made.ndim - len(right.replace(" ", "")))])
    if not (operands[0].is_floating_point() or operands[0].is_complex()):  # exact, without a graph
        arrays = [each.numpy() for each in operands]
        return paddle.to_tensor(numpy.einsum(equation, *arrays), place=operands[0].place)
    if _is_recorded(*operands) and any(each.is_complex() for each in operands):
        return paddle.complex(*_parts(equation, [], [*operands]))
    if _is_half_on_cpu(operands[0]):
        return _applied(lambda *values: paddle.einsum(equation, *values), operands[0].dtype, *operands)
    return paddle.einsum(equation, *operands)


def _parts(equation, before, ahead):
    """The real and the imaginary part, of real operands: Paddle's gradient of complex ones lacks conjugates."""
    if not ahead:
        made = paddle.einsum(equation, *before)
        return made, paddle.zeros_like(made)
    first, *ahead = ahead
    if not first.is_complex():
        return _parts(equation, [*before, first], ahead)
    (a, b), (c, d) = (_parts(equation, [*before, each], ahead) for each in (first.real(), first.imag()))
    return a - d, b + c


_register({}, {"torch.einsum": einsum, "torch.functional.einsum": einsum})
