import paddle

_paddle_log_softmax = paddle.nn.functional.log_softmax


def log_softmax(input, dim, _stacklevel=3, dtype=None):
    """The logarithm of softmax along a dimension."""
    return _paddle_log_softmax(input, dim, dtype)


_methods(log_softmax=lambda self, dim, dtype=None: log_softmax(self, dim, dtype=dtype))
