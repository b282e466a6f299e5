import paddle

from .computing import _applied, _of_itself, _writing
from .functions import torch_stft
from .half_on_cpu import _is_recorded
from .methods_of_tensors import _method, _methods
from .overrides import _function
from .pointwise import arctan2
from .rounded_steps import _sloped, _takes_half
from .slopes import _of_interpolated

_pow = _method("pow")
_paddles_fill, _paddles_filling = _function("masked_fill"), _method("masked_fill")


def conj(input):
    return paddle.conj(input) if input.is_complex() else input


def real(input):
    if not input.is_complex():
        return input
    parts = input.as_real()  # of nothing Paddle ends the process
    return parts[..., 0] if input.size else paddle.empty(input.shape, parts.dtype)


def nan_to_num(input, nan=0.0, posinf=None, neginf=None):
    if not input.is_floating_point() and not input.is_complex():
        return input.clone()
    limits = paddle.finfo(real(input).dtype)
    bounds = limits.max if posinf is None else posinf, limits.min if neginf is None else neginf
    if input.is_complex():
        return paddle.complex(*(paddle.nan_to_num(x, nan, *bounds) for x in input.as_real().unbind(-1)))
    return _of_itself(lambda x: paddle.nan_to_num(x, nan, *bounds), input)


atan2 = _takes_half(arctan2)


@_takes_half
def lerp(input, end, weight):
    """Between the first and the second, from the nearer one."""

    def made(x, y, w):
        return paddle.where(w.abs() < 0.5, x + w * (y - x), y - (y - x) * (1 - w))

    return _sloped(made, _of_interpolated, input.dtype, input, end, weight)


def _filled(theirs):
    def masked_fill(input, mask, value):
        if isinstance(value, paddle.Tensor) and _is_recorded(value):
            return _applied(lambda x, y: paddle.where(mask, y, x), input.dtype, input, value)
        return theirs(input, mask, value)

    return masked_fill


masked_fill = _filled(_paddles_fill)
_methods(
    conj=conj,
    nan_to_num=nan_to_num,
    nan_to_num_=_writing(nan_to_num),
    atan2=atan2,
    lerp=lerp,
    lerp_=_writing(lerp),
    masked_fill=_filled(_paddles_filling),
    pow_=_writing(_pow),
    stft=torch_stft,
)
