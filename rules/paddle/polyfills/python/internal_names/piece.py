import contextlib
import functools

import paddle

from .overrides import _register
from .put_off import _Later
from .torchs_meaning import _torch

_ALSO_IN_C = "Event Future Generator Size Stream device dtype layout memory_format".split()
_ALSO_IN_FUNCTIONAL = "avg_pool2d avg_pool3d elu gelu glu hardtanh leaky_relu linear mish one_hot pad silu softplus".split()


class _OfTorch(type):
    def __getattr__(cls, name):
        found = None if name.startswith("__") else _torch(name)
        if found is None:
            raise AttributeError(name)
        return found


class _VariableFunctions(metaclass=_OfTorch):
    """torch's functions, by their names."""


def _add_docstr(object, documentation):
    with contextlib.suppress(AttributeError, TypeError):  # as functions of C have
        object.__doc__ = documentation
    return object


def _get_default_device():
    return paddle.get_device().partition(":")[0].replace("gpu", "cuda")


def _get_privateuse1_backend_name():
    return "privateuseone"


def _has_storage(tensor):
    return isinstance(tensor, paddle.Tensor) and tensor.is_dense()


def _set_grad_enabled(mode):
    paddle.set_grad_enabled(mode)


def _get_deterministic_algorithms():
    return _torch("are_deterministic_algorithms_enabled")()


def _set_deterministic_algorithms(mode, *, warn_only=False):
    _torch("use_deterministic_algorithms")(mode, warn_only=warn_only)


def _from_dlpack(capsule):
    return _torch("utils.dlpack.from_dlpack")(capsule)


def _to_dlpack(tensor):
    return _torch("utils.dlpack.to_dlpack")(tensor)


def is_batchedtensor(tensor):
    return False


is_functionaltensor = is_functorch_wrapped_tensor = is_gradtrackingtensor = is_legacy_batchedtensor = is_batchedtensor


def maybe_current_level():
    """Of no transformation."""


def maybe_get_level(tensor):
    return -1


maybe_get_bdim = maybe_get_level
def _upsample(mode, takes_corners):
    def upsample(input, output_size, align_corners=None, *scale_factors):
        given = {"mode": mode, "align_corners": align_corners} if takes_corners else {"mode": mode}
        if not takes_corners and align_corners is not None:  # the place is that of the scales
            scale_factors = (align_corners, *scale_factors)
        if output_size is not None:
            return _torch("nn.functional.interpolate")(input, size=output_size, **given)
        factors = scale_factors[0] if isinstance(scale_factors[0], (list, tuple)) else scale_factors
        return _torch("nn.functional.interpolate")(input, scale_factor=tuple(factors), **given)

    return upsample


_UPSAMPLES = {
    **{f"upsample_nearest{dims}d": ("nearest", False) for dims in (1, 2, 3)},
    **{"upsample_linear1d": ("linear", True), "upsample_bilinear2d": ("bilinear", True)},
    **{"upsample_bicubic2d": ("bicubic", True), "upsample_trilinear3d": ("trilinear", True)},
}
_named_in_c = {f"_C.{name}": name for name in _ALSO_IN_C}
_named_in_c |= {f"_C._nn.{name}": f"nn.functional.{name}" for name in _ALSO_IN_FUNCTIONAL}
_internal = {f"torch.{name}": _Later(functools.partial(_torch, own)) for name, own in _named_in_c.items()}
_internal |= {f"torch._C._nn.{name}": _upsample(*how) for name, how in _UPSAMPLES.items()}
# Paddle prepares its GPUs when one is first used, and tells nobody: true where there are any.
_internal["torch.cuda._initialized"] = _Later(lambda: paddle.device.cuda.device_count() > 0)
_register(_internal, {})
