import paddle

has_cuda = paddle.is_compiled_with_cuda()
has_mps = False


def is_built():
    return has_cuda


def is_available():
    return False


_is_compiled = is_built
