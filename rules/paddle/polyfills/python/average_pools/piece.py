import math

from paddle import compat

from .layer_functions import _batched, _check_windows, _count_of_windows, _of_windows


def avg_pool1d(input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True):
    def averaged(x):
        _check_windows(x, kernel_size, stride, padding, 1, ceil_mode)
        made = compat.nn.AvgPool1d(kernel_size, stride, padding, ceil_mode, count_include_pad)(x)
        return _of_windows(made, x.shape[-1:], kernel_size, stride, padding) if ceil_mode else made

    return _batched(averaged, 3, input)


def _plain(value):
    """What a pool is given: nothing for an empty tuple, a number for one of one."""
    if isinstance(value, (list, tuple)) and len(value) < 2:
        return value[0] if value else None
    return value


def _divided(layer, dims, input, size, stride, padding, ceil_mode, divisor):
    """Sums of windows, divided: of the input with its padding, where no window leaves it."""
    settings = [*map(_as_many(dims), (size, size if stride is None else stride, padding))]
    widths = []
    for length, kernel, step, pad in zip(input.shape[-dims:], *settings, strict=True):
        count = _count_of_windows(length, kernel, step, pad, 1, ceil_mode)
        widths = [pad, max(0, (count - 1) * step + kernel - length - pad), *widths]
    padded = compat.nn.functional.pad(input, widths)
    return layer(settings[0], settings[1])(padded) * (math.prod(settings[0]) / divisor)


def _as_many(dims):
    return lambda value: [value] * dims if isinstance(value, int) else [*value]


def _averaged(layer, dims):
    def pooled(
        input,
        kernel_size,
        stride=None,
        padding=0,
        ceil_mode=False,
        count_include_pad=True,
        divisor_override=None,
    ):
        settings = _plain(kernel_size), _plain(stride), _plain(padding)
        if not input.is_floating_point():  # what is exact may come out as a bit less
            rest = ceil_mode, count_include_pad, divisor_override
            means = pooled(input.astype("float64"), *settings, *rest)
            return (means + 1e-9 * means.sign()).trunc().astype(input.dtype)

        def averaged(x):
            _check_windows(x, kernel_size, stride, padding, 1, ceil_mode)
            if divisor_override is not None:
                return _divided(layer, dims, x, *settings, ceil_mode, divisor_override)
            made = layer(*settings, ceil_mode, count_include_pad)(x)
            return _of_windows(made, x.shape[2:], *settings) if ceil_mode else made

        return _batched(averaged, dims + 2, input)

    return pooled


avg_pool2d, avg_pool3d = _averaged(compat.nn.AvgPool2d, 2), _averaged(compat.nn.AvgPool3d, 3)
