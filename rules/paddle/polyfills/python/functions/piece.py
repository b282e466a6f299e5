import functools
import math

import numpy
import paddle

from .computing import _applied, _computed, _of_itself
from .promotion import _default_dtype
from .storages import _Storage
from .torchs_meaning import _torch


def torch_detach(input):
    return input.detach()


def torch__chunk_cat(tensors, dim, num_chunks):
    """Each tensor in chunks along a dimension, the last one filled with zeros, and their elements joined."""
    dim = dim % tensors[0].ndim
    chunked = []
    for each in tensors:
        shape = [*each.shape]
        shape[dim] = -shape[dim] % num_chunks
        filled = paddle.concat([each, paddle.zeros(shape, dtype=each.dtype)], dim)
        count = filled.shape[dim] // num_chunks * math.prod(shape[dim + 1 :])
        chunked.append(filled.reshape([*shape[:dim], num_chunks, count]))
    return paddle.concat(chunked, dim + 1)


def torch_fill(input, value):
    return _applied(lambda x, y: paddle.zeros_like(x) + y, input.dtype, input, value)


def torch_frombuffer(buffer, *, dtype, count=-1, offset=0, requires_grad=False):
    named = "uint16" if dtype == paddle.bfloat16 else str(dtype).rpartition(".")[2]
    made = paddle.to_tensor(numpy.frombuffer(buffer, named, count, offset).copy())
    made = made.view(paddle.bfloat16) if dtype == paddle.bfloat16 else made
    made.stop_gradient = not requires_grad
    return made


def torch_scalar_tensor(s, *, dtype=None, device=None, requires_grad=False):
    made = paddle.to_tensor(s, dtype=dtype or _default_dtype(), place=device)
    made.stop_gradient = not requires_grad
    return made


def torch_rsub(input, other, *, alpha=1):
    return _computed(lambda x, y: y - alpha * x, input, other)


def _moments(input, dim, unbiased, correction, keepdim):
    """Variance and mean; the arguments dim and unbiased may be in each other's place."""
    if isinstance(dim, bool):
        dim, unbiased = None, dim
    less = int(unbiased) if correction is None else correction
    dims = list(range(input.ndim)) if dim is None else [dim] if isinstance(dim, int) else list(dim)
    count = math.prod(input.shape[each] for each in dims)
    mean = input.mean(dims, keepdim=True)
    away = input - mean
    total = (away * away).sum(dims, keepdim=keepdim)
    variance = total / (count - less) if count > less else total / 0.0
    return variance, mean if keepdim or not dims else mean.squeeze(dims)


def torch_trapz(y, x=None, *, dx=None, dim=-1):
    return paddle.trapezoid(y, x, dx, dim)


def torch_chain_matmul(*matrices):
    return matrices[0] if len(matrices) == 1 else _torch("linalg.multi_dot")(matrices)


def torch_initial_seed():
    return paddle.get_rng_state()[0].current_seed()


def torch_is_storage(obj):
    return isinstance(obj, _Storage)


_PRECISION = ["highest"]


def torch_set_float32_matmul_precision(precision):
    if precision not in ("highest", "high", "medium"):
        raise RuntimeError(f"{precision} is not one of 'highest', 'high' or 'medium'")
    _PRECISION[0] = precision


def torch_get_float32_matmul_precision():
    return _PRECISION[0]


def torch_set_default_tensor_type(t):
    dtypes = {"Float": "float32", "Double": "float64", "Half": "float16", "BFloat16": "bfloat16"}
    name = t if isinstance(t, str) else t.__name__
    _torch("set_default_dtype")(dtypes[name.rpartition(".")[2].removesuffix("Tensor")])


def torch_empty_strided(
    size,
    stride,
    *,
    dtype=None,
    layout=None,
    device=None,
    requires_grad=False,
    pin_memory=False,
):
    span = 1 + sum((length - 1) * step for length, step in zip(size, stride, strict=True))
    flat = paddle.empty([span if all(size) else 0], dtype=dtype, device=device)
    made = paddle.as_strided(flat, list(size), list(stride))
    made.stop_gradient = not requires_grad
    return made


def torch_constant_pad_nd(input, pad, value=0):
    padded = _torch("nn.functional.pad")
    if not input.is_complex():
        return padded(input, list(pad), "constant", value)
    values = complex(value).real, complex(value).imag
    parts = input.as_real().unbind(-1)
    return paddle.complex(*(padded(x, list(pad), "constant", v) for x, v in zip(parts, values, strict=True)))


def torch_rms_norm(input, normalized_shape, weight=None, eps=None):
    dims = list(range(-len(normalized_shape), 0))
    if list(input.shape[dims[0] :]) != list(normalized_shape):
        wanted = ", ".join(map(str, ("*", *normalized_shape)))
        raise RuntimeError(
            f"Given normalized_shape={list(normalized_shape)}, expected input with shape [{wanted}], "
            f"but got input of size{list(input.shape)}"
        )

    def normed(x, *scale):
        small = paddle.finfo(input.dtype).eps if eps is None else eps
        made = x * paddle.rsqrt((x * x).mean(dims, keepdim=True) + small)
        return made * scale[0] if scale else made

    return _applied(normed, input.dtype, input, *([] if weight is None else [weight]))


def torch_compiled_with_cxx11_abi():
    return getattr(paddle.base.libpaddle, "_GLIBCXX_USE_CXX11_ABI", True)


torch_sym_int = int
torch_sym_float = float
torch_sym_max = max
torch_sym_min = min


def torch_sym_not(a):
    return not a


def torch_sym_sum(args):
    return sum(args)


def torch_sym_ite(b, t, f):
    return t if b else f


def torch_convolution(
    input, weight, bias, stride, padding, dilation, transposed, output_padding, groups
):
    functional, dims = paddle.nn.functional, len(stride)
    rest = {"stride": stride, "padding": padding, "dilation": dilation, "groups": groups}
    if transposed:
        rest["output_padding"] = output_padding
    kind = f"conv{dims}d_transpose" if transposed else f"conv{dims}d"
    given = [weight] if bias is None else [weight, bias]
    return _applied(
        lambda *values: getattr(functional, kind)(*values, **rest), input.dtype, input, *given
    )


def torch_native_layer_norm(input, normalized_shape, weight, bias, eps):
    dims = list(range(-len(normalized_shape), 0))

    def normed(x, *scales):
        variance, mean = _moments(x, dims, False, None, True)
        rate = paddle.rsqrt(variance + eps)
        scales = iter(scales)
        out = (x - mean) * rate
        out = out if weight is None else out * next(scales)
        # torch gives these no gradient
        return (out if bias is None else out + next(scales)), mean.detach(), rate.detach()

    given = [each for each in (weight, bias) if each is not None]
    return _applied(normed, input.dtype, input, *given)


def torch_stft(
    input,
    n_fft,
    hop_length=None,
    win_length=None,
    window=None,
    center=True,
    pad_mode="reflect",
    normalized=False,
    onesided=None,
    return_complex=None,
    align_to_window=None,
):
    if return_complex is None and not input.is_complex():
        raise RuntimeError("stft requires the return_complex parameter be given for real inputs")
    sided = not (input.is_complex() or (window is not None and window.is_complex()))
    sided = sided if onesided is None else onesided
    arguments = n_fft, hop_length, win_length, window, center, pad_mode, normalized, sided
    made = paddle.signal.stft(input, *arguments)
    return made.as_real() if return_complex is False else made


def torch_istft(
    input,
    n_fft,
    hop_length=None,
    win_length=None,
    window=None,
    center=True,
    normalized=False,
    onesided=None,
    length=None,
    return_complex=False,
):
    sided = input.shape[-2] != n_fft if onesided is None else onesided
    arguments = n_fft, hop_length, win_length, window, center, normalized, sided
    return paddle.signal.istft(input, *arguments, length, return_complex)


def torch_grid_sampler_2d(input, grid, interpolation_mode, padding_mode, align_corners):
    return _torch("grid_sampler")(input, grid, interpolation_mode, padding_mode, align_corners)


torch_grid_sampler_3d = torch_grid_sampler_2d


def torch_norm_except_dim(v, pow=2, dim=0):
    if dim == -1:
        return paddle.linalg.norm(v.flatten(), pow)
    dims = [each for each in range(v.ndim) if each != dim]
    return _of_itself(lambda x: (x.abs() ** pow).sum(dims, keepdim=True) ** (1 / pow), v)


def torch_clear_autocast_cache():
    return None


torch_has_lapack = True


def torch_set_flush_denormal(mode):
    return False  # the answer where it is not supported


def torch_is_anomaly_enabled():
    return False
