import contextlib
import functools
import inspect
import os
import weakref

from .noted import _note

_scripted: weakref.WeakSet = weakref.WeakSet()  # what was returned unchanged


def _note_scripted(obj):
    with contextlib.suppress(TypeError):  # of which there are no weak references
        _scripted.add(obj)


def script(obj, optimize=None, _frames_up=0, _rcb=None, example_inputs=None):
    """The function, class or module itself: nothing is compiled."""
    _note("torch.jit.script")
    _note_scripted(obj)
    if not ("PORTER_NOTED" in os.environ and inspect.isfunction(obj)):
        return obj

    @functools.wraps(obj)
    def scripted(*args, **kwargs):
        _note("torch.jit.script")
        return obj(*args, **kwargs)

    return scripted


def _overload(func):
    """The declaration of one overload for TorchScript; it means nothing without."""
    return func


_overload_method = _overload
