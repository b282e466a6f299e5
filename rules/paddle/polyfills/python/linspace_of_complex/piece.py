import paddle

from .overrides import _register

_paddle_linspace = paddle.linspace


def linspace(start, end, steps, *, dtype=None, requires_grad=False, **options):
    """Numbers at equal distances, complex ones if an end or the dtype is complex."""
    first, last = (v.item() if isinstance(v, paddle.Tensor) else v for v in (start, end))
    wide = dtype in (paddle.complex64, paddle.complex128)
    if wide or isinstance(first, complex) or isinstance(last, complex):
        own = paddle.float64 if dtype == paddle.complex128 else paddle.float32
        ends = [(first.real, last.real), (first.imag, last.imag)]
        out = paddle.complex(*(_paddle_linspace(*e, steps, dtype=own, **options) for e in ends))
    else:
        out = _paddle_linspace(start, end, steps, dtype=dtype, **options)
    out.stop_gradient = not requires_grad
    return out


_register({}, {"torch.linspace": linspace})
