import os

from .anomalies import set_detect_anomaly
from .deterministic_algorithms import _deterministic, use_deterministic_algorithms

_settings_without_effect: dict = {}
_MODES_OF_DETERMINISM = ("default", "warn", "error")


def get_num_interop_threads():
    return _settings_without_effect.get("threads") or os.cpu_count()


def set_num_interop_threads(int):
    if not isinstance(int, type(0)):
        raise RuntimeError(f"set_num_interop_threads expects an int, but got {type(int).__name__}")
    if int <= 0:
        raise RuntimeError("Expected positive number of threads")
    if "threads" in _settings_without_effect:
        raise RuntimeError("Error: cannot set number of interop threads after it was set")
    _settings_without_effect["threads"] = int


def is_warn_always_enabled():
    return _settings_without_effect.get("warn", False)


def set_warn_always(b, /):
    if not isinstance(b, bool):
        raise RuntimeError(f"setWarnOnlyOnce expects a bool, but got {type(b).__name__}")
    _settings_without_effect["warn"] = b


def get_deterministic_debug_mode():
    return 0 if not _deterministic["mode"] else 1 if _deterministic["warn_only"] else 2


def set_deterministic_debug_mode(debug_mode):
    if not isinstance(debug_mode, (int, str)):
        raise TypeError(f"debug_mode must be str or int, but got {type(debug_mode)}")
    if debug_mode not in (*_MODES_OF_DETERMINISM, 0, 1, 2):
        raise RuntimeError(f"invalid value of debug_mode, expected one of {_MODES_OF_DETERMINISM} or 0, 1, 2")
    mode = _MODES_OF_DETERMINISM.index(debug_mode) if isinstance(debug_mode, str) else debug_mode
    use_deterministic_algorithms(mode > 0, warn_only=mode == 1)


def set_anomaly_enabled(enabled, check_nan=True):
    set_detect_anomaly(enabled, check_nan)
