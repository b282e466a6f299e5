import threading

import paddle

from .grad_modes import _GradMode

_inference = threading.local()


class inference_mode(_GradMode):
    """No gradients inside; with mode=False gradients, also inside of another one."""

    def __new__(cls, mode=True):
        return super().__new__(cls, None if isinstance(mode, bool) else mode)

    def __init__(self, mode=True):
        super().__init__()
        self.mode = mode

    def __enter__(self):
        guard = paddle.set_grad_enabled(not self.mode)
        guard.__enter__()
        self._outer.append((guard, is_inference_mode_enabled()))
        _inference.enabled = self.mode

    def __exit__(self, *error):
        guard, _inference.enabled = self._outer.pop()
        guard.__exit__(*error)

    def clone(self):
        return type(self)(self.mode)


def is_inference_mode_enabled():
    """Whether an inference mode is on in this thread."""
    return getattr(_inference, "enabled", False)
