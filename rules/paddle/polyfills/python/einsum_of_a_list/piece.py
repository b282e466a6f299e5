import paddle


def einsum(equation, *operands):
    if len(operands) == 1 and isinstance(operands[0], (list, tuple)):
        (operands,) = operands
    return paddle.einsum(equation, *operands)


_register({}, {"torch.einsum": einsum})
