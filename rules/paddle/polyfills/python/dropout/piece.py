import paddle

from .computing import _of_itself, _refuse_leaf
from .generators import _kept_with

# what a value becomes that alpha dropout drops, so that mean and variance stay
_ALPHA = -1.7580993408473766


def _mask(input, share, dims):
    """1 where values stay, of the shape of these dimensions."""
    like = input if dims >= input.ndim else paddle.empty([*input.shape[:dims], *[1] * (input.ndim - dims)])
    if not input.place.is_cpu_place():
        return paddle.bernoulli(paddle.full(like.shape, share, dtype=paddle.float32))
    return paddle.to_tensor(_kept_with(share, like).astype("float32"), place=input.place)


def _dropping(dims, default, training, dropped):
    """A function that drops elements, or whole features: dims of an input are those of the features' places."""
    trains = training

    def dropout(input, p=default, training=trains, inplace=False):
        if not 0 <= p <= 1:
            raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
        if not training or p == 0 or not input._numel():
            return input if inplace else input.clone()
        ndim = dims(input)
        made = _of_itself(lambda x: x * 0 if p == 1 else dropped(x, _mask(input, 1 - p, ndim).astype(x.dtype), 1 - p), input)
        if inplace:
            _refuse_leaf(input)
            return paddle.assign(made, input)
        return made

    return dropout


def _scaled(x, kept, share):
    return x * (kept / share)


def _of_alpha(x, kept, share):
    scale = (share + _ALPHA**2 * share * (1 - share)) ** -0.5
    return (x * kept + _ALPHA * (1 - kept)) * scale - scale * (1 - share) * _ALPHA


dropout = _dropping(lambda input: input.ndim, 0.5, True, _scaled)
dropout1d = _dropping(lambda input: 2 if input.ndim == 3 else 1, 0.5, True, _scaled)
dropout2d = _dropping(lambda input: 2, 0.5, True, _scaled)
dropout3d = _dropping(lambda input: 2 if input.ndim == 5 else 1, 0.5, True, _scaled)
alpha_dropout = _dropping(lambda input: input.ndim, 0.5, False, _of_alpha)
feature_alpha_dropout = _dropping(lambda input: 2, 0.5, False, _of_alpha)
