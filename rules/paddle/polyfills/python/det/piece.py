import paddle


def det(input):
    return paddle.linalg.det(input)
