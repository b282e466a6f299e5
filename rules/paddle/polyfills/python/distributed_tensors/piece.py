import paddle


class _OfDistributed(type):
    def __instancecheck__(cls, value):
        return isinstance(value, paddle.Tensor) and value.is_dist()


class DTensor(metaclass=_OfDistributed):
    """What a tensor that is spread over processes is an instance of."""

    def __new__(cls, *args, **kwargs):
        raise NotImplementedError("Paddle makes a distributed tensor by its own shard_tensor")
