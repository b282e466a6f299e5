import functools

import numpy
import paddle

from .methods_of_tensors import _method, _unchanged_if_plain, _wrap_functions, _wrap_methods
from .overrides import _function
from .torch_function import _ASKING_OF_BOTH, _ASKING_OF_MODULES, _ASKING_OF_TORCH, _asked, has_torch_function

_IN_PYTHON = frozenset({"einsum", "norm", "split", "tensordot", "unique"})  # others ask with None for no keywords


def _is_number_of_numpy(value):
    return isinstance(value, numpy.generic)


def _as_number(value):
    return value.item() if _is_number_of_numpy(value) else value


@_unchanged_if_plain
def _asking_operands(theirs, name):
    """A function that asks objects which are no tensors what it does with them; tensors alone cost it nothing."""
    if isinstance(theirs, type):
        return theirs

    @functools.wraps(theirs)
    def function(*args, **kwargs):
        if not args or isinstance(args[0], paddle.Tensor) or not has_torch_function(args):
            try:
                return theirs(*args, **kwargs)
            except (AttributeError, RuntimeError, TypeError, ValueError):
                given = [*args, *kwargs.values()]
                if any(map(_is_number_of_numpy, given)):
                    return theirs(*map(_as_number, args), **{key: _as_number(kwargs[key]) for key in kwargs})
                if not has_torch_function(given):
                    raise
        none = {} if name in _IN_PYTHON or name.startswith("nn.functional.") else None
        return _asked(_function(name), [*args, *kwargs.values()], args, kwargs or none)

    return function


@_unchanged_if_plain
def _asking_arguments(theirs, name):
    """A method of tensors that asks objects among its other arguments, once it fails with them."""

    @functools.wraps(theirs)
    def method(*args, **kwargs):
        try:
            return theirs(*args, **kwargs)
        except (AttributeError, RuntimeError, TypeError, ValueError):
            given = [*args, *kwargs.values()]
            if any(map(_is_number_of_numpy, given)):
                return theirs(*map(_as_number, args), **{key: _as_number(kwargs[key]) for key in kwargs})
            if not has_torch_function(given):
                raise
        return _asked(_method(name), given, args, kwargs or None)

    return method


_OF_INNER_MODULES = [f"{module}.{name}" for module, names in _ASKING_OF_MODULES.items() for name in names]
_wrap_functions(_asking_operands, (*_ASKING_OF_BOTH, *_ASKING_OF_TORCH, *_OF_INNER_MODULES))
_OF_THEMSELVES = frozenset("clone detach numel".split())  # methods that are often called, without other arguments
_wrap_methods(_asking_arguments, [name for name in _ASKING_OF_BOTH if name not in _OF_THEMSELVES])


def _taking_numbers_of_numpy(theirs, _):
    """A function to whose bounds Paddle's operator takes no number of NumPy: it ends the process."""

    @functools.wraps(theirs)
    def called(*args, **kwargs):
        if any(type(each).__module__ == "numpy" for each in (*args, *kwargs.values())):
            args, kwargs = map(_as_number, args), {key: _as_number(value) for key, value in kwargs.items()}
        return theirs(*args, **kwargs)

    return called


_BOUNDED = "clamp clamp_ clip clip_ clamp_min clamp_max clamp_min_ clamp_max_ fill_".split()
_wrap_functions(_taking_numbers_of_numpy, _BOUNDED)
_wrap_methods(_taking_numbers_of_numpy, _BOUNDED)
