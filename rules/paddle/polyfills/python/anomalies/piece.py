import contextlib
import warnings

_anomaly_mode = [False, True]  # whether it is on, and looks for NaN


class set_detect_anomaly(contextlib.ContextDecorator):
    """Switch the mode; as a context, until its end."""

    def __init__(self, mode, check_nan=True):
        if mode:
            warnings.warn("Anomaly Detection has been enabled. Under Paddle, no NaN raises an error.", stacklevel=2)
        self.before = [*_anomaly_mode]
        _anomaly_mode[:] = bool(mode), check_nan

    def __enter__(self):
        return None

    def __exit__(self, *raised):
        _anomaly_mode[:] = self.before


class detect_anomaly(contextlib.ContextDecorator):
    def __init__(self, check_nan=True):
        warnings.warn("Anomaly Detection has been enabled. Under Paddle, no NaN raises an error.", stacklevel=2)
        self.check_nan = check_nan

    def __enter__(self):
        self.before = [*_anomaly_mode]
        _anomaly_mode[:] = True, self.check_nan

    def __exit__(self, *raised):
        _anomaly_mode[:] = self.before


def is_anomaly_enabled():
    return _anomaly_mode[0]


def is_anomaly_check_nan_enabled():
    return _anomaly_mode[1]
