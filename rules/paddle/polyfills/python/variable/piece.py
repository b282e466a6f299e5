import paddle


class _KindOfVariables(type):
    def __instancecheck__(cls, found):
        return isinstance(found, paddle.Tensor)


class Variable(metaclass=_KindOfVariables):
    """The same values, with or without a gradient of their own: any tensor is an instance."""

    def __new__(cls, data=None, requires_grad=None, volatile=None):
        found = paddle.empty([0]) if data is None else data.detach()
        found.stop_gradient = not requires_grad
        return found
