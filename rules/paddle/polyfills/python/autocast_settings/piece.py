import threading

import paddle

from .asked_functions import _ask, _ask_classes
from .methods_of_tensors import _static
from .torch_function import _whom_to_ask, _with_modes

_FIRST_DTYPES = dict.fromkeys("cpu hpu xla maia".split(), paddle.bfloat16)
_FIRST_DTYPES |= dict.fromkeys("cuda ipu mps mtia privateuseone xpu".split(), paddle.float16)
# What torch computes in the lower dtype on a CPU, and what in float32.
_IN_LOWER = frozenset("""
conv1d conv2d conv3d conv_tbc conv_transpose1d conv_transpose2d conv_transpose3d convolution bmm mm baddbmm addmm addbmm
linear matmul __matmul__ __rmatmul__ scaled_dot_product_attention einsum chain_matmul tensordot linalg_multi_dot
linalg_vecdot
""".split())  # fmt: skip
_IN_SINGLE = frozenset("""
avg_pool3d binary_cross_entropy grid_sampler polar prod quantile nanquantile stft cdist trace view_as_complex cholesky
cholesky_inverse cholesky_solve inverse lu_solve orgqr ormqr pinverse max_pool3d max_unpool2d max_unpool3d
adaptive_avg_pool3d mse_loss cosine_embedding_loss nll_loss hinge_embedding_loss poisson_nll_loss smooth_l1_loss
cross_entropy l1_loss huber_loss margin_ranking_loss soft_margin_loss triplet_margin_loss multi_margin_loss ctc_loss
kl_div multilabel_margin_loss binary_cross_entropy_with_logits geqrf qr svd triangular_solve fractional_max_pool2d
fractional_max_pool3d adaptive_max_pool3d linalg_cond linalg_matrix_rank linalg_solve linalg_cholesky linalg_svdvals
linalg_eigvals linalg_eigvalsh linalg_inv linalg_householder_product linalg_tensorinv linalg_tensorsolve linalg_qr
linalg_cholesky_ex linalg_svd linalg_eig linalg_eigh linalg_lstsq linalg_inv_ex
fft_fft fft_ifft fft_fft2 fft_ifft2 fft_fftn fft_ifftn fft_rfft fft_irfft fft_rfft2 fft_irfft2 fft_rfftn fft_irfftn
fft_hfft fft_ihfft
""".split())  # fmt: skip
_LAYERS_IN_LOWER = frozenset("linear lstm multiheadattention".split()) | {name.replace("_", "") for name in _IN_LOWER if "conv" in name}
_LAYERS_IN_SINGLE = frozenset(
    each
    for name in _IN_SINGLE
    for each in (name.replace("_", ""), f"{name.replace('_', '')}loss")
    if "pool" in name or name.endswith(("_loss", "entropy", "_div", "unpool2d", "unpool3d"))
) | {"bceloss", "bcewithlogitsloss"}
_IN_WIDEST = frozenset("stack cat concat index_copy index_copy_".split())


class _AutocastSettings(threading.local):
    """Of autocast in this thread, by devices."""

    def __init__(self):
        self.enabled, self.dtypes = {}, dict(_FIRST_DTYPES)
        self.cached, self.nesting, self.contexts = True, 0, {}


_autocasting_now = _AutocastSettings()


def _known_kind(device_type):
    """The type of a device that has autocast."""
    kind = device_type.partition(":")[0]
    if kind not in _FIRST_DTYPES:
        known = "cpu, cuda, ipu, xpu, mkldnn, opengl, opencl, ideep, hip, ve, fpga, maia, xla, lazy, vulkan, mps, meta, hpu, mtia"
        if kind in known.split(", "):
            raise RuntimeError("unknown device type for autocast in get_autocast_dispatch_key_from_device_type")
        raise RuntimeError(f"Expected one of {known}, privateuseone device type at start of device string: {kind}")
    return kind


def _autocast_is_on(device_type="cuda"):
    return _autocasting_now.enabled.get(_known_kind(device_type), False)


def is_autocast_enabled(device_type="cuda"):
    """Whether autocast is on, for a type of devices."""
    return _autocast_is_on(device_type)


def get_autocast_dtype(device_type):
    kind = device_type.partition(":")[0]
    if kind not in _FIRST_DTYPES and kind == "meta":
        raise RuntimeError("unsupported scalarType")
    return _autocasting_now.dtypes[_known_kind(device_type)]


def set_autocast_dtype(device_type, dtype):
    if not isinstance(dtype, paddle.dtype):
        raise TypeError(f"set_autocast_dtype(): argument 'dtype' (position 2) must be torch.dtype, not {type(dtype).__name__}")
    _autocasting_now.dtypes[_known_kind(device_type)] = dtype
    _apply_settings()


def set_autocast_enabled(*args, **kwargs):
    """For a type of devices, or, of one argument, for CUDA."""
    names = ("device_type", "enabled") if len(args) + len(kwargs) > 1 else ("enabled",)
    given = dict(zip(names, args, strict=False)) | kwargs
    if not isinstance(given.get("enabled"), bool):
        raise TypeError("set_autocast_enabled(): argument 'enabled' must be bool")
    _autocasting_now.enabled[_known_kind(given.get("device_type", "cuda"))] = given["enabled"]
    _apply_settings()


def is_autocast_cache_enabled():
    return _autocasting_now.cached


def set_autocast_cache_enabled(enabled):
    """Keep it: weights are cast each time."""
    _autocasting_now.cached = enabled


def autocast_increment_nesting():
    _autocasting_now.nesting += 1
    return _autocasting_now.nesting


def autocast_decrement_nesting():
    _autocasting_now.nesting -= 1
    return _autocasting_now.nesting


def is_autocast_cpu_enabled():
    return _autocast_is_on("cpu")


def set_autocast_cpu_enabled(enabled):
    set_autocast_enabled("cpu", enabled)


def set_autocast_cpu_dtype(dtype):
    set_autocast_dtype("cpu", dtype)


def get_autocast_cpu_dtype():
    return get_autocast_dtype("cpu")


def set_autocast_gpu_dtype(dtype):
    set_autocast_dtype("cuda", dtype)


def get_autocast_gpu_dtype():
    return get_autocast_dtype("cuda")


def is_autocast_xla_enabled():
    return _autocast_is_on("xla")


def get_autocast_xla_dtype():
    return get_autocast_dtype("xla")


def is_autocast_ipu_enabled():
    return _autocast_is_on("ipu")


def get_autocast_ipu_dtype():
    return get_autocast_dtype("ipu")


def _apply_settings():
    """Let Paddle cast, or not, what is on accelerators, and the mode below what is on a CPU."""
    settings = _autocasting_now
    kind = paddle.get_device().partition(":")[0].replace("gpu", "cuda")
    before = settings.contexts.pop("paddle", None)
    if before is not None:
        before.__exit__(None, None, None)
    if kind != "cpu" and settings.enabled.get(kind):
        dtype = str(settings.dtypes[kind]).rpartition(".")[2]
        settings.contexts["paddle"] = paddle.amp.auto_cast(enable=True, dtype=dtype)
        settings.contexts["paddle"].__enter__()
    on = settings.enabled.get("cpu", False)
    if on and "cpu" not in settings.contexts:
        settings.contexts["cpu"] = mode = _CastingOnCpu()
        _ask_classes()
        _cast_in_layers()
        _with_modes.append(mode)
        _whom_to_ask.modes = (mode, *_whom_to_ask.modes)
    elif not on and "cpu" in settings.contexts:
        mode = settings.contexts.pop("cpu")
        _with_modes.remove(mode)
        _whom_to_ask.modes = tuple(each for each in _whom_to_ask.modes if each is not mode)


def _cast_inside(value, cast):
    if isinstance(value, paddle.Tensor):
        fits = value.is_floating_point() and value.dtype != paddle.float64 and value.place.is_cpu_place()
        return cast(value) if fits else value
    if isinstance(value, (list, tuple)) and any(isinstance(each, (paddle.Tensor, list, tuple)) for each in value):
        return getattr(type(value), "_make", type(value))(_cast_inside(each, cast) for each in value)
    return value


def _dtypes_inside(values):
    for each in values:
        if isinstance(each, paddle.Tensor):
            yield each.dtype
        elif isinstance(each, (list, tuple)):
            yield from _dtypes_inside(each)


def _lowered(layer, cast):
    """The parameters of a layer, and of those in it, cast: pairs of a table and what it had."""
    kept = []
    for each in layer.sublayers(include_self=True):
        kept.append((each._parameters, dict(each._parameters)))
        each._parameters.update({name: _cast_inside(p, cast) for name, p in each._parameters.items()})
    return kept


def _called_in(call, layer, dtype, args, kwargs):
    """What a layer gives of numbers of a dtype: computed in float32, as Paddle has next to no half kernels on a CPU."""

    def cast(tensor):
        return tensor.astype(dtype).astype(paddle.float32)

    kept = _lowered(layer, cast)
    try:
        made = call(layer, *_cast_inside(args, cast), **{key: _cast_inside(each, cast) for key, each in kwargs.items()})
    finally:
        for table, values in kept:
            table.update(values)
    return _cast_inside(made, lambda tensor: tensor.astype(dtype))


def _with_casts(call):
    """Calls of layers that cast, where autocast is on for the CPU, what the operator of a layer takes."""

    def cast_and_call(self, *args, **kwargs):
        if not _autocasting_now.enabled.get("cpu") or not type(self).forward.__module__.startswith(_OF_THESE_LAYERS):
            return call(self, *args, **kwargs)
        if any(hasattr(each, "batch_sizes") for each in (*args, *kwargs.values())):  # torch casts no packed sequences
            return call(self, *args, **kwargs)
        kinds = {each.__name__.lower() for each in type(self).__mro__}
        if kinds & _LAYERS_IN_LOWER:
            return _called_in(call, self, _autocasting_now.dtypes["cpu"], args, kwargs)
        if kinds & _LAYERS_IN_SINGLE:
            return _called_in(call, self, paddle.float32, args, kwargs)
        return call(self, *args, **kwargs)

    return cast_and_call


_OF_THESE_LAYERS = (__name__.rpartition(".")[0] or __name__, "paddle.nn.", "paddle.compat.")
_casting_layers: list = []  # not empty: calls of layers look at the settings


def _cast_in_layers():
    if _casting_layers:
        return
    _casting_layers.append(True)
    scoped = _static(paddle.nn.Layer, "__call__")
    scoped.theirs = _with_casts(scoped.theirs)
    scoped.homes.update({home: _with_casts(call) for home, call in scoped.homes.items()})


class _CastingOnCpu:
    """A mode that casts what functions are called with."""

    def __torch_function__(self, func, types, args=(), kwargs=None):
        name, kwargs = getattr(func, "__name__", ""), kwargs or {}
        if name in ("__get__", "__set__"):
            return _ask(func, args)
        dtype, home = None, "" if name.startswith(("linalg_", "fft_")) else "linalg_"
        if name in _IN_LOWER or home + name in _IN_LOWER:
            dtype = _autocasting_now.dtypes["cpu"]
        elif name in _IN_SINGLE or home + name in _IN_SINGLE or name == "pad" and {"reflect", "replicate"} & {*args[2:3], kwargs.get("mode")}:
            dtype = paddle.float32
        elif name in _IN_WIDEST and paddle.float32 in {*_dtypes_inside((*args, *kwargs.values()))}:
            dtype = paddle.float32
        if dtype is not None:
            args = _cast_inside(tuple(args), lambda tensor: tensor.astype(dtype))
            kwargs = {key: _cast_inside(each, lambda tensor: tensor.astype(dtype)) for key, each in kwargs.items()}
        return func(*args, **kwargs)
