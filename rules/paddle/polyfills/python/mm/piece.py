import paddle


def mm(input, mat2, *, out=None):
    for name, matrix in (("self", input), ("mat2", mat2)):
        if matrix.ndim != 2:
            raise RuntimeError(f"{name} must be a matrix")
    made = paddle.mm(input, mat2)
    return made if out is None else paddle.assign(made, out)
