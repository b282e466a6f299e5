import functools
import sys

import paddle
from paddle.base.framework import EagerParamBase

from .overrides import _function_or_later, _register
from .put_off import _Later, _resolved
from .scope import _COVERED, _NEVER, _NOTHING, _OWN, _files, _for_code, _given

_getframe = sys._getframe


def _static(owner, name):
    """What a class has by a name, as it is there; None if it has nothing."""
    for base in owner.__mro__:
        if name in base.__dict__:
            return base.__dict__[name]
    return None


class _ScopedMethod:
    """A method of a class of Paddle's that is torch's for the code of some packages."""

    def __init__(self, owner, name):
        self.owner, self.name, self.homes = owner.__name__, name, {}
        self.theirs = _static(owner, name)

    def __get__(self, tensor, owner=None):
        frame = _getframe(1)
        known = _files.get(frame.f_code.co_filename)  # as _for_code does, without another call
        if known == _NEVER and self.theirs is not None:
            return self.theirs.__get__(tensor, owner)
        method = self.homes.get(_OWN, _NOTHING) if known == _COVERED else _NOTHING
        if method is _NOTHING or type(method) is _Later:
            method = _for_code(self.homes, frame)
        if method is not _NOTHING:
            return method.__get__(tensor, owner)
        if self.theirs is None:
            raise AttributeError(f"'{self.owner}' object has no attribute '{self.name}'")
        return self.theirs.__get__(tensor, owner)


class _ScopedProperty(_ScopedMethod):
    """One that Paddle's Tensor lets be set: as Paddle does, unless ours can be set too."""

    def __set__(self, tensor, value):
        method = _for_code(self.homes, _getframe(1))
        settable = isinstance(method, property) and method.fset
        (method if settable else self.theirs).__set__(tensor, value)

    def __delete__(self, tensor):
        method = _for_code(self.homes, _getframe(1))
        if not isinstance(method, property):
            raise AttributeError(self.name)  # where Paddle's own crashes
        method.__delete__(tensor)


def _method(name):
    """A method as other pieces of this unit give it, else Paddle's."""
    return _resolved(_method_or_later(name)) or getattr(paddle.Tensor, name)


def _method_or_later(name):
    scoped = _static(paddle.Tensor, name)
    return getattr(scoped, "homes", {}).get(_OWN) or getattr(paddle.Tensor, name, None)


def _wrap_methods(wrapper, names):
    """Give tensors what a wrapper makes of these methods and names, of those that they have."""
    found = {name: _method_or_later(name) for name in names}
    given = {name: theirs for name, theirs in found.items() if theirs is not None}
    _methods(**{name: _wrapped(wrapper, theirs, name) for name, theirs in given.items()})


def _wrap_functions(wrapper, names):
    """Give torch what a wrapper makes of these functions and names, of those that it has here."""
    found = {name: _function_or_later(name) for name in names}
    given = {name: theirs for name, theirs in found.items() if theirs is not None}
    _register({}, {f"torch.{name}": _wrapped(wrapper, theirs, name) for name, theirs in given.items()})


def _wrapped(wrapper, theirs, name):
    return _Later(lambda: wrapper(_resolved(theirs), name))


# What calls have that no wrapper here changes: tensors of one of these dtypes (by identity: the hash of one takes longer),
# numbers, and these keywords.
_PLAIN_DTYPES = frozenset(map(id, (paddle.float32, paddle.float64, paddle.int64)))
_PLAIN_TENSORS, _PLAIN_NUMBERS = frozenset({paddle.Tensor, EagerParamBase}), frozenset({int, float, bool, type(None)})
_PLAIN_KEYWORDS = frozenset("dim keepdim alpha unbiased correction descending start_dim end_dim dim0 dim1".split())
_called_if_plain: dict = {}  # what a wrapper made -> what it calls for a plain call


def _unchanged_if_plain(wrapper):
    """A wrapper that calls what it wraps, with what it was given, and gives its result, if a call is plain."""

    @functools.wraps(wrapper)
    def wrap(theirs, *rest, **options):
        made = wrapper(theirs, *rest, **options)
        if made is not theirs:
            _called_if_plain[made] = theirs
        return made

    return wrap


def _for_plain_calls(function):
    """The function below all wrappers that change nothing of a plain call."""
    while function in _called_if_plain:
        function = _called_if_plain[function]
    return function


def _methods(**ours):
    """Give tensors these methods, for the code of this unit's package."""
    _members(paddle.Tensor, **ours)


def _members(owner, **ours):
    for name, method in ours.items():
        scoped = _static(owner, name)
        if not hasattr(scoped, "homes"):  # else it is of another package's unit
            settable = hasattr(scoped, "__set__") or isinstance(method, property) and method.fset
            scoped = (_ScopedProperty if settable else _ScopedMethod)(owner, name)
            setattr(owner, name, scoped)
        scoped.homes[_OWN] = method
        _given.append(scoped)


def _as_in_torch(*functions):
    """Give torch, and its tensors, these functions, whose first argument is a tensor."""
    _register({}, {f"torch.{function.__name__}": function for function in functions})
    _methods(**{function.__name__: function for function in functions})
