import paddle


def cartesian_prod(*tensors):
    return paddle.cartesian_prod(list(tensors))
