import operator

import paddle

from .promotion import _kind
from .torchs_meaning import _torch


def _whole_number(number):
    """An int, of what torch takes for one: numbers of NumPy and tensors of one integer, not truths."""
    if type(number) is int or number is None:
        return number
    if isinstance(number, (bool, float)):
        raise TypeError(f"argument must be int, not {type(number).__name__}")
    return operator.index(number)


def _whole_sizes(numbers):
    return [_whole_number(each) for each in (numbers if isinstance(numbers, (list, tuple)) else [numbers])]


def _transform(name, dims):
    theirs = getattr(paddle.fft, name[:-1] + "n" if name[-1] == "2" else name)

    def transform(input, s=None, dim=dims, norm=None):
        sizes = s if s is None else _whole_sizes(s)
        if _kind(input.dtype) < 2:
            input = input.astype(paddle.get_default_dtype())
        axes = dim if dim is None else _whole_sizes(dim)
        return theirs(input, sizes, axes, norm or "backward")

    return transform


fftn, ifftn = _transform("fftn", None), _transform("ifftn", None)
rfftn, irfftn = _transform("rfftn", None), _transform("irfftn", None)
fft2, ifft2 = _transform("fft2", (-2, -1)), _transform("ifft2", (-2, -1))
hfftn, ihfftn = _transform("hfftn", None), _transform("ihfftn", None)
hfft2, ihfft2 = _transform("hfft2", (-2, -1)), _transform("ihfft2", (-2, -1))
rfft2, irfft2 = _transform("rfft2", (-2, -1)), _transform("irfft2", (-2, -1))


def _of_numbers(name):
    theirs = getattr(paddle.fft, name)

    def transform(input, n=None, dim=-1, norm=None):
        if _kind(input.dtype) < 2:
            input = input.astype(paddle.get_default_dtype())
        return theirs(input, _whole_number(n), _whole_number(dim), norm or "backward")

    return transform


fft, ifft, rfft = _of_numbers("fft"), _of_numbers("ifft"), _of_numbers("rfft")
irfft, hfft, ihfft = _of_numbers("irfft"), _of_numbers("hfft"), _of_numbers("ihfft")


def _shift(sign):
    def shift(input, dim=None):
        dims = range(input.ndim) if dim is None else _whole_sizes(dim)
        by = [sign * (input.shape[each] // 2) for each in dims]
        return _torch("roll")(input, by, [*dims]) if dims else input.clone()

    return shift


fftshift, ifftshift = _shift(1), _shift(-1)
