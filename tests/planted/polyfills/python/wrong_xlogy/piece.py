import paddle


def xlogy(input, other):
    return other * paddle.log(input)
