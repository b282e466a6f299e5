import math

import paddle

from .promotion import _default_dtype, _kind


def _points(M, first, last, sym, dtype, device):
    """M points from first to last, or up to a step before that."""
    parts = max(M - 1 if sym else M, 1)
    at = paddle.arange(M, dtype="float64")
    return (first + (last - first) / parts * at) if device is None else (first + (last - first) / parts * at).to(device)


def _window(M, made, dtype, layout, requires_grad):
    if M < 0:
        raise ValueError(f"a window requires a non-negative length, got M={M}")
    dtype = dtype or _default_dtype()
    if _kind(dtype) != 2:
        raise ValueError(f"a window is of floating-point numbers, not of {dtype}")
    out = (made if M > 1 else paddle.ones([M], dtype="float64")).astype(dtype)
    out.stop_gradient = not requires_grad
    return out


def windows_general_cosine(
    M, *, a, sym=True, dtype=None, layout=None, device=None, requires_grad=False
):
    if not a:
        raise ValueError("Coefficients cannot be empty")
    angles = _points(M, -math.pi, math.pi, sym, dtype, device)
    made = sum(float(each) * paddle.cos(angles * order) for order, each in enumerate(a))
    return _window(M, made, dtype, layout, requires_grad)


def windows_general_hamming(M, *, alpha=0.54, **options):
    return windows_general_cosine(M, a=[alpha, 1 - alpha], **options)


def windows_hamming(M, **options):
    return windows_general_hamming(M, **options)


def windows_hann(M, **options):
    return windows_general_hamming(M, alpha=0.5, **options)


def windows_blackman(M, **options):
    return windows_general_cosine(M, a=[0.42, 0.5, 0.08], **options)


def windows_nuttall(M, **options):
    return windows_general_cosine(M, a=[0.3635819, 0.4891775, 0.1365995, 0.0106411], **options)


def windows_bartlett(M, *, sym=True, dtype=None, layout=None, device=None, requires_grad=False):
    made = 1 - paddle.abs(_points(M, -1.0, 1.0, sym, dtype, device))
    return _window(M, made, dtype, layout, requires_grad)


def windows_cosine(M, *, sym=True, dtype=None, layout=None, device=None, requires_grad=False):
    parts = M if sym else M + 1
    made = paddle.sin((paddle.arange(M, dtype="float64") + 0.5) * (math.pi / max(parts, 1)))
    made = made if device is None else made.to(device)
    return _window(M, made, dtype, layout, requires_grad)


def _centred(M, sym, device):
    at = paddle.arange(M, dtype="float64") - (M - 1 if sym else M) / 2
    return at if device is None else at.to(device)


def windows_exponential(
    M, *, center=None, tau=1.0, sym=True, dtype=None, layout=None, device=None, requires_grad=False
):
    if tau <= 0:
        raise ValueError(f"Tau must be positive, got: {tau} instead.")
    if sym and center is not None:
        raise ValueError("Center must be None for symmetric windows")
    middle = (M - 1 if sym else M) / 2 if center is None else center
    at = paddle.arange(M, dtype="float64") - middle
    made = paddle.exp(-paddle.abs(at if device is None else at.to(device)) / tau)
    return _window(M, made, dtype, layout, requires_grad)


def windows_gaussian(
    M, *, std=1.0, sym=True, dtype=None, layout=None, device=None, requires_grad=False
):
    if std <= 0:
        raise ValueError(f"Standard deviation must be positive, got: {std} instead.")
    at = _centred(M, sym, device)
    return _window(M, paddle.exp(-at * at / (2 * std * std)), dtype, layout, requires_grad)


def windows_kaiser(
    M, *, beta=12.0, sym=True, dtype=None, layout=None, device=None, requires_grad=False
):
    if beta < 0:
        raise ValueError(f"beta must be non-negative, got: {beta} instead.")
    at = _centred(M, sym, device) / (max(M - 1 if sym else M, 1) / 2)
    inside = paddle.clip(1 - at * at, min=0)
    scale = paddle.i0(paddle.full([1], float(beta), dtype="float64"))
    made = paddle.i0(beta * paddle.sqrt(inside)) / (scale if device is None else scale.to(device))
    return _window(M, made, dtype, layout, requires_grad)
