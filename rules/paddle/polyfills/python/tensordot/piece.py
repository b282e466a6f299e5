import paddle


def tensordot(a, b, dims=2):
    return paddle.tensordot(a, b, dims)
