import functools
import inspect
import os

import paddle

from .noted import _note

_MARK = "_was_scripted"  # an attribute, which deep copies keep as well


def _is_scripted(obj):
    return isinstance(obj, paddle.nn.Layer) and vars(obj).get(_MARK, False)


@functools.cache
def _containers_of_layers():
    """The names of the attributes in which a layer keeps what it registers: a script has registers of its own."""
    return frozenset(name for name, value in vars(paddle.nn.Layer()).items() if isinstance(value, (dict, set)))


def _script_of(module, made=None):
    """Another module of the same class with the same tensors, in which settings as that of training are its own."""
    made = {} if made is None else made
    if _is_scripted(module):
        return module
    if id(module) in made:
        return made[id(module)]
    made[id(module)] = scripted = object.__new__(type(module))
    own = vars(scripted)
    for name, value in vars(module).items():
        if name in _containers_of_layers():
            value = value.copy()
        elif inspect.ismethod(value) and value.__self__ is module:
            value = value.__func__.__get__(scripted)
        own[name] = value
    children = scripted._sub_layers
    children.update({name: _script_of(child, made) for name, child in children.items() if child is not None})
    own[_MARK] = True
    return scripted


def script(obj, optimize=None, _frames_up=0, _rcb=None, example_inputs=None):
    """The function or class itself, or a module with the tensors of the module: nothing is compiled."""
    _note("torch.jit.script")
    if isinstance(obj, paddle.nn.Layer):
        return _script_of(obj)
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
