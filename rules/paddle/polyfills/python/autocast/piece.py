import functools
import warnings

import paddle

from .autocast_settings import _apply_settings, _autocasting_now, get_autocast_dtype

_DEVICES_WITH_AUTOCAST = ("cpu", "cuda", "hpu", "ipu", "maia", "mps", "mtia", "privateuseone", "xla", "xpu")


def is_autocast_available(device_type):
    return device_type in _DEVICES_WITH_AUTOCAST


def amp_definitely_not_available():
    return not paddle.device.cuda.device_count()


def autocast_decorator(autocast_instance, func):
    @functools.wraps(func)
    def decorate_autocast(*args, **kwargs):
        with autocast_instance:
            return func(*args, **kwargs)

    return decorate_autocast


class autocast:
    """Operators inside cast their inputs; as a decorator, in each call."""

    def __init__(self, device_type, dtype=None, enabled=True, cache_enabled=None):
        if not isinstance(device_type, str):
            raise ValueError(f"Expected `device_type` of type `str`, got: `{type(device_type)}`")
        if not is_autocast_available(device_type.partition(":")[0]):  # torch takes a number, too
            raise RuntimeError(f"User specified an unsupported autocast device_type '{device_type}'")
        self.device = device_type
        self.fast_dtype = get_autocast_dtype(device_type) if dtype is None else dtype
        if enabled and device_type == "cuda" and amp_definitely_not_available():
            warnings.warn("CUDA is not available. Disabling autocast.", stacklevel=2)
            enabled = False
        elif enabled and self.fast_dtype not in (paddle.bfloat16, paddle.float16):
            said = f"In {device_type.upper()} autocast, but the target dtype is not supported. Disabling autocast."
            warnings.warn(said, stacklevel=2)
            enabled = False
        self._enabled = enabled
        self._cache_enabled = _autocasting_now.cached if cache_enabled is None else cache_enabled
        self._entered = []

    def __enter__(self):
        settings, kind = _autocasting_now, self.device.partition(":")[0]
        self._entered.append((kind, settings.enabled.get(kind, False), settings.dtypes.get(kind), settings.cached))
        settings.enabled[kind], settings.dtypes[kind], settings.cached = self._enabled, self.fast_dtype, self._cache_enabled
        settings.nesting += 1
        _apply_settings()
        return self

    def __exit__(self, exc_type, exc_val, exc_tb):
        settings, (kind, *before) = _autocasting_now, self._entered.pop()
        settings.enabled[kind], settings.dtypes[kind], settings.cached = before
        settings.nesting -= 1
        _apply_settings()
        return False

    def __call__(self, func):
        if not callable(func):
            raise TypeError(f"autocast()(func) requires a callable, but got {type(func).__name__}.")
        return autocast_decorator(self, func)
