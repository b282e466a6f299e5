import functools
import inspect

import paddle

from .asked_functions import _ask_classes, _names_of_functions, _names_of_tensors
from .classes_of_tensors import _ATTRIBUTES, _NOT_CONVERTED, _descriptor
from .methods_of_tensors import _method, _static
from .overrides import _function
from .torch_function import _asked, _whom_to_ask, _with_modes, has_torch_function

_IGNORED = """
arange as_tensor asarray bartlett_window blackman_window broadcast_shapes can_cast compile empty empty_strided
enable_grad eye frombuffer from_file from_numpy full get_default_dtype get_num_threads get_rng_state hamming_window
hann_window initial_seed is_grad_enabled is_storage is_tensor kaiser_window linspace load logspace manual_seed no_grad
normal ones promote_types rand randint randn randperm range result_type save scalar_tensor seed set_default_dtype
set_grad_enabled set_num_threads set_printoptions set_rng_state tensor tril_indices triu_indices typename vander zeros
""".split()


class TorchFunctionMode:
    """What is asked by each function that is called while the mode is entered."""

    def __torch_function__(self, func, types, args=(), kwargs=None):
        raise NotImplementedError

    def __enter__(self):
        _ask_classes()
        _with_modes.append(self)
        _whom_to_ask.modes = (*_whom_to_ask.modes, self)
        return self

    def __exit__(self, *raised):
        _whom_to_ask.modes = _whom_to_ask.modes[:-1]
        _with_modes.remove(self)


class BaseTorchFunctionMode(TorchFunctionMode):
    """One that calls the function."""

    def __torch_function__(self, func, types, args=(), kwargs=None):
        return func(*args, **(kwargs or {}))


def resolve_name(f):
    """The name of a function, with that of what has it; None of one that torch does not have."""
    return _names_of_all().get(f)


@functools.lru_cache(None)
def _names_of_all():
    found = {}
    for name in reversed(_names_of_tensors()):
        found[_method(name)] = f"torch.Tensor.{name}"
    for name in reversed(_ATTRIBUTES):
        if _static(paddle.Tensor, name) is not None:
            described = _descriptor(name)
            found |= {getattr(described, way): f"torch.Tensor.{name}.{way}" for way in ("__get__", "__set__")}
    for name in reversed(_names_of_functions()):
        function = _function(name)
        if function is not None:
            found[function] = f"torch.{name}"
    return found


def is_tensor_method_or_property(func):
    return (resolve_name(func) or "").startswith("torch.Tensor.") or getattr(func, "__name__", None) == "__get__"


@functools.lru_cache(None)
def get_default_nowrap_functions():
    """What Tensor.__torch_function__ gives as it is."""
    known = [name for name in _NOT_CONVERTED if _static(paddle.Tensor, name) is not None]
    return {_descriptor(name).__get__ for name in known}


@functools.lru_cache(None)
def get_ignored_functions():
    """Functions that ask no classes."""
    return {function for function in map(_function, _IGNORED) if function is not None}


def get_testing_overrides():
    """For each function that asks, one of its parameters that gives -1."""
    return {function: _answering(function) for function in _names_of_all()}


def _answering(function):
    def answer(*args, **kwargs):
        return -1

    try:
        answer.__signature__ = inspect.signature(function)
    except (TypeError, ValueError):
        pass
    return answer


def wrap_torch_function(dispatcher):
    """A decorator of functions that ask the classes of the arguments that the dispatcher gives."""

    def asking(function):
        @functools.wraps(function)
        def wrapped(*args, **kwargs):
            relevant = dispatcher(*args, **kwargs)
            if has_torch_function(relevant):
                return _asked(wrapped, relevant, args, kwargs)
            return function(*args, **kwargs)

        return wrapped

    return asking
