import paddle

from .computing import _of_itself, _refuse_leaf


def _checked(p):
    if not 0 <= p <= 1:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
    return 1 - p


def _kept(input, p, dims):
    """1 where values stay, of the shape of these dimensions."""
    shape = [length if dim < dims else 1 for dim, length in enumerate(input.shape)]
    return paddle.bernoulli(paddle.full(shape, p, dtype=paddle.float32))


def _replaced(input, made, inplace):
    if inplace:
        _refuse_leaf(input)
        return paddle.assign(made, input)
    return made


def _features(input, dims):
    """Of how many dimensions the features are, in a batch or not."""
    return 2 if dims is None or input.ndim == dims else 1


def _dropping(dims, default=0.5):
    def dropout(input, p=default, training=True, inplace=False):
        share = _checked(p)
        if not training or p == 0 or not input.size:
            return input if inplace else input.clone()
        mask = _kept(input, share, _features(input, dims))
        made = _of_itself(lambda x: x * mask.astype(x.dtype) / share if share else x * 0, input)
        return _replaced(input, made, inplace)

    return dropout


# what a value becomes that is dropped, and what keeps mean and variance then
_ALPHA = -1.7580993408473766


def _alpha_dropping(dims):
    def dropout(input, p=0.5, training=False, inplace=False):
        share = _checked(p)
        if not training or p == 0 or not input.size:
            return input if inplace else input.clone()
        if not share:
            return _replaced(input, input * 0, inplace)
        mask = _kept(input, share, input.ndim if dims is None else dims)
        scale = (share + _ALPHA**2 * share * p) ** -0.5

        def dropped(x):
            kept = mask.astype(x.dtype)
            return (x * kept + _ALPHA * (1 - kept)) * scale - scale * p * _ALPHA

        return _replaced(input, _of_itself(dropped, input), inplace)

    return dropout


dropout1d = _dropping(3)
dropout2d = _dropping(None)
dropout3d = _dropping(5)
alpha_dropout = _alpha_dropping(None)
feature_alpha_dropout = _alpha_dropping(2)
