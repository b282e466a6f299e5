import threading

import paddle
from paddle.base.framework import EagerParamBase

from .methods_of_tensors import _static
from .put_off import _resolved
from .scope import _OWN


class _Kinds(set):
    """Classes about which nothing is to be asked: what else is found to be one is added."""

    __hash__ = object.__hash__  # type: ignore[assignment]


_ORDINARY = _Kinds([paddle.Tensor, EagerParamBase, paddle.dtype, int, float, bool, complex, str, type(None), slice])
_with_modes: list[object] = []  # not empty: there are modes, in any thread
_KIND_OF_RESULTS = "_kind_of_results"  # of the class of a parameter that is made of a tensor of a class: that class


class _Asking(threading.local):
    """Whom the functions of torch ask in this thread: classes, unless that is off, and modes."""

    classes, modes = True, ()


_whom_to_ask = _Asking()


def _disabled_torch_function_impl(func, types, args=(), kwargs=None):
    """The __torch_function__ of classes whose results are plain tensors."""
    with DisableTorchFunctionSubclass():
        return func(*args, **(kwargs or {}))


def _torch_function_of(kind):
    """What the __torch_function__ of a class is, if it has one that is to be asked."""
    found = None if kind in _ORDINARY else _static(kind, "__torch_function__")
    found = _resolved(getattr(found, "homes", {}).get(_OWN, found))
    return None if found is _disabled_torch_function_impl else found


def _kind_of_results_of(value):
    return vars(type(value)).get(_KIND_OF_RESULTS, type(value))


def _overloading(args):
    """Of arguments, and in lists among them, one of each class that is to be asked: derived classes first."""
    found, kinds = [], set()
    for each in args:
        for one in each if isinstance(each, (list, tuple)) else (each,):
            kind = type(one)
            if kind not in _ORDINARY and kind not in kinds:
                kinds.add(kind)
                if _torch_function_of(kind) is not None:
                    bases = [n for n, other in enumerate(found) if issubclass(kind, type(other))]
                    found.insert(bases[0] if bases else len(found), one)
    return found


def is_tensor_like(inp):
    """Whether it is a tensor, or of a class that says what torch's functions do with it."""
    return isinstance(inp, paddle.Tensor) or hasattr(type(inp), "__torch_function__")


def has_torch_function(relevant_args):
    return bool(_whom_to_ask.modes) or _whom_to_ask.classes and bool(_overloading(relevant_args))


def has_torch_function_unary(inp):
    return has_torch_function((inp,))


def has_torch_function_variadic(*args):
    return has_torch_function(args)


def handle_torch_function(public_api, relevant_args, *args, **kwargs):
    return _asked(public_api, relevant_args, args, kwargs)


def _asked(public_api, relevant_args, args, kwargs):
    """What the modes, or the classes of the arguments, make of a function; no keywords are not passed."""
    asked = _overloading(relevant_args) if _whom_to_ask.classes else []
    types, given = tuple(map(_kind_of_results_of, asked)), (args,) if kwargs is None else (args, kwargs)
    modes = _whom_to_ask.modes
    if modes:
        _whom_to_ask.modes = modes[:-1]
        try:
            found = modes[-1].__torch_function__(public_api, types, args, kwargs or {})
        finally:
            _whom_to_ask.modes = modes
        if found is not NotImplemented:
            return found
    for each in asked:
        found = _torch_function_of(type(each)).__get__(each, _kind_of_results_of(each))(public_api, types, *given)
        if found is not NotImplemented:
            return found
    name = getattr(public_api, "__name__", public_api)
    raise TypeError(f"no implementation found for {name} on types that implement __torch_function__: {list(types)}")


class DisableTorchFunctionSubclass:
    """Functions ask no classes what they do with their objects."""

    _modes = True

    def __enter__(self):
        self._before = _whom_to_ask.classes, _whom_to_ask.modes
        _whom_to_ask.classes, _whom_to_ask.modes = False, _whom_to_ask.modes if self._modes else ()

    def __exit__(self, *raised):
        _whom_to_ask.classes, _whom_to_ask.modes = self._before


class DisableTorchFunction(DisableTorchFunctionSubclass):
    """Nor modes."""

    _modes = False


def _is_torch_function_enabled():
    return _whom_to_ask.classes
