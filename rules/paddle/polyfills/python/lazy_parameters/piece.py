class UninitializedTensorMixin:
    def __new__(cls, *args, **kwargs):
        raise NotImplementedError("Paddle has no parameters whose shape is known later")


class UninitializedParameter(UninitializedTensorMixin):
    pass


class UninitializedBuffer(UninitializedTensorMixin):
    pass


def is_lazy(param):
    return isinstance(param, UninitializedTensorMixin)
