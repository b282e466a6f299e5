import paddle


def logcumsumexp(input, dim):
    return _of_itself(lambda x: paddle.logcumsumexp(x, axis=dim), input)


_methods(logcumsumexp=logcumsumexp)
