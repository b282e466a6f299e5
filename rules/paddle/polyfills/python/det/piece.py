import paddle


def det(input):
    return paddle.linalg.det(input)


def pinverse(input, rcond=1e-15):
    return paddle.linalg.pinv(input, rcond)
