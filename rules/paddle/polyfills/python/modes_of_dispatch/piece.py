import contextlib

import paddle


class TorchDispatchMode:
    """Derived from by modes that see each operator: Paddle calls none, so that none can be entered."""

    def __init__(self, _dispatch_key=None):
        if _dispatch_key is not None:
            self._dispatch_key = _dispatch_key

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        raise NotImplementedError

    def __enter__(self):
        raise NotImplementedError("Under Paddle, operators ask no TorchDispatchMode: derive from TorchFunctionMode instead")

    def __exit__(self, exc_type, exc_val, exc_tb):
        raise NotImplementedError("Under Paddle, operators ask no TorchDispatchMode")

    @classmethod
    def push(cls, *args, **kwargs):
        return cls(*args, **kwargs)


class BaseTorchDispatchMode(TorchDispatchMode):
    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        return func(*args, **(kwargs or {}))


def _get_current_dispatch_mode():
    """None: none can be entered."""
    return None


def _get_current_dispatch_mode_stack():
    return []


@contextlib.contextmanager
def _disable_current_modes():
    yield []


def is_traceable_wrapper_subclass(t):
    """Whether a tensor, or a class, is one of tensors that hold others and say which."""
    kind = t if isinstance(t, type) else type(t)
    if not issubclass(kind, paddle.Tensor) or kind in (paddle.Tensor, paddle.base.framework.EagerParamBase):
        return False
    return hasattr(t, "__tensor_flatten__") and hasattr(t, "__tensor_unflatten__")


def is_traceable_wrapper_subclass_type(t):
    return is_traceable_wrapper_subclass(t)
