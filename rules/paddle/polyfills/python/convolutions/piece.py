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
        _check_kernel(name, dims, input, weight.shape[2:], padding, dilation)
        rest = {"stride": stride, "padding": padding, "dilation": dilation, "groups": groups}
        convolved = functools.partial(_convolved, functools.partial(theirs, **rest))
        return _batched(convolved, dims, input, weight, *([] if bias is None else [bias]))

    convolution.__name__ = name
    return convolution


def _check_kernel(name, dims, input, sizes, padding, dilation):
    """Refuse a kernel that is larger than the input, for which Paddle gives nothing, or ends the process."""
    if input.ndim not in (dims - 1, dims):
        wanted = f"Expected {dims - 1}D (unbatched) or {dims}D (batched) input to {name}"
        raise RuntimeError(f"{wanted}, but got input of size: {list(input.shape)}")
    pads = [0] if padding == "valid" else _per_dimension(padding)
    count = len(sizes)
    both = len(pads) == 2 * count  # before and behind each dimension
    pads = [sum(pads[2 * at : 2 * at + 2]) for at in range(count)] if both else [2 * each for each in pads]
    holes = _per_dimension(dilation) * count
    lengths = [length + pad for length, pad in zip(input.shape[-count:], pads * count)]
    kernel = [hole * (size - 1) + 1 for size, hole in zip(sizes, holes)]
    if any(size > length for size, length in zip(kernel, lengths)):
        given, wanted = (" x ".join(map(str, each)) for each in (lengths, kernel))
        raise RuntimeError(
            f"Calculated padded input size per channel: ({given}). Kernel size: ({wanted}). "
            "Kernel size can't be greater than actual input size"
        )


def _padded_to_same(sizes, dilation):
    """What is added before and behind each dimension: Paddle's own takes no dilation with it."""
    steps = [*dilation] * (len(sizes) if len(dilation) == 1 else 1)
    totals = [step * (size - 1) for step, size in zip(steps, sizes, strict=True)]
    return [each for total in totals for each in (total // 2, total - total // 2)]


def _per_dimension(value):
    return [*value] if isinstance(value, (list, tuple)) else [value]


conv1d = _convolution("conv1d", 3)
conv2d = _convolution("conv2d", 4)
conv3d = _convolution("conv3d", 5)
