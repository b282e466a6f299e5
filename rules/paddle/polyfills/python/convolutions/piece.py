import functools

import paddle.nn.functional as functional

from .layer_functions import _batched, _convolved


def _convolution(name, dims):
    theirs = getattr(functional, name)

    def convolution(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
        if padding == "same":
            if any(step != 1 for step in _per_dimension(stride)):
                raise RuntimeError("padding='same' is not supported for strided convolutions")
            padding = _padded_to_same(weight.shape[2:], _per_dimension(dilation))
        rest = {"stride": stride, "padding": padding, "dilation": dilation, "groups": groups}
        convolved = functools.partial(_convolved, functools.partial(theirs, **rest))
        return _batched(convolved, dims, input, weight, *([] if bias is None else [bias]))

    convolution.__name__ = name
    return convolution


def _padded_to_same(sizes, dilation):
    """What is added before and behind each dimension: Paddle's own takes no dilation with it."""
    steps = [*dilation] * (len(sizes) if len(dilation) == 1 else 1)
    totals = [step * (size - 1) for step, size in zip(steps, sizes, strict=True)]
    return [each for total in totals for each in (total // 2, total - total // 2)]


def _per_dimension(value):
    return value if isinstance(value, (list, tuple)) else [value]


conv1d = _convolution("conv1d", 3)
conv2d = _convolution("conv2d", 4)
conv3d = _convolution("conv3d", 5)
