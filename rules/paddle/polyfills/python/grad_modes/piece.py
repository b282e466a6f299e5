import functools
import inspect

import paddle
from paddle.base.dygraph.base import _set_grad_enabled

from .overrides import _register


class _GradMode:
    """A mode inside; as a decorator, for each call of a function and each step of a generator."""

    def __new__(cls, orig_func=None):
        return super().__new__(cls) if orig_func is None else cls()(orig_func)

    def __init__(self, orig_func=None):
        self._outer = []

    def __enter__(self):
        self._outer.append(paddle.is_grad_enabled())
        _set_grad_enabled(self._enabled)

    def __exit__(self, *error):
        _set_grad_enabled(self._outer.pop())

    def clone(self):
        return type(self)()

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


class no_grad(_GradMode, paddle.no_grad):
    _enabled = False


class enable_grad(_GradMode, paddle.enable_grad):
    _enabled = True


class set_grad_enabled(_GradMode, paddle.set_grad_enabled):
    """A mode from when it is made on, which a block ends; as a decorator, as the others."""

    def __new__(cls, mode):
        return object.__new__(cls)

    def __init__(self, mode):
        self.prev, self.mode = paddle.is_grad_enabled(), mode
        _set_grad_enabled(mode)

    def __call__(self, function):
        _set_grad_enabled(self.prev)
        return super().__call__(function)

    def __enter__(self):
        _set_grad_enabled(self.mode)

    def __exit__(self, *error):
        _set_grad_enabled(self.prev)

    def clone(self):
        return type(self)(self.mode)


for _home_of_modes in ("torch", "torch.autograd"):
    _register({}, {f"{_home_of_modes}.{_grad_mode.__name__}": _grad_mode for _grad_mode in (no_grad, enable_grad, set_grad_enabled)})
