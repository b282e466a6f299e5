import functools
import inspect
import threading

import paddle

_inference = threading.local()


class inference_mode:
    """No gradients inside; with mode=False gradients, also inside of another one."""

    def __new__(cls, mode=True):
        if isinstance(mode, bool):
            return super().__new__(cls)
        return cls()(mode)  # a decorator without a call

    def __init__(self, mode=True):
        self.mode = mode
        self._outer = []

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

    def __call__(self, function):
        if inspect.isgeneratorfunction(function):
            return self._generator(function)

        @functools.wraps(function)
        def wrapper(*args, **kwargs):
            with self.clone():
                return function(*args, **kwargs)

        return wrapper

    def _generator(self, function):
        """The mode holds while the generator runs, and not while its user does."""

        @functools.wraps(function)
        def wrapper(*args, **kwargs):
            generator = function(*args, **kwargs)
            step, value = generator.send, None
            while True:
                try:
                    with self.clone():
                        item = step(value)
                except StopIteration as stop:
                    return stop.value
                try:
                    value = yield item
                    step = generator.send
                except GeneratorExit:
                    with self.clone():
                        generator.close()
                    raise
                except BaseException as error:
                    step, value = generator.throw, error

        return wrapper


def is_inference_mode_enabled():
    """Whether an inference mode is on in this thread."""
    return getattr(_inference, "enabled", False)
