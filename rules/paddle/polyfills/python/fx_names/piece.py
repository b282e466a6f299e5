import builtins
import functools
import itertools
import linecache
import os
import sys
import types

import paddle

from .methods_of_tensors import _method_or_later
from .overrides import _function, _overrides
from .put_off import _is_later, _resolved
from .scope import _OWN, _UNIT

_HOMES = ("", "nn.functional.", "functional.", "linalg.", "fft.", "special.")
_compiled_texts = itertools.count()


def _defined_as_users(source, known):
    """Run the text of functions as code for torch: what they do with tensors has torch's meaning."""
    unit = __name__.partition(".")[0]
    known[unit] = sys.modules[unit]  # as in code that imports this unit
    place = os.path.join(os.path.dirname(_UNIT), f"<eval_with_key>.{next(_compiled_texts)}")
    linecache.cache[place] = len(source), None, source.splitlines(keepends=True), place
    exec(compile(source, place, "exec", dont_inherit=True), known)
    return known


@functools.lru_cache(None)
def _for_users():
    """Functions that do, as code for torch, what they are told."""
    source = """
def call(function, args, kwargs):
    return function(*args, **kwargs)

def call_method(value, name, args, kwargs):
    return getattr(value, name)(*args, **kwargs)

def read(value, name):
    return getattr(value, name)
"""
    return types.SimpleNamespace(**_defined_as_users(source, {}))


@functools.lru_cache(2048)
def _name_in_torch(value):
    """The name by which torch has a function, or a class; None if it has it by none that was used."""
    last = getattr(value, "__name__", None)
    if not isinstance(last, str):
        return None
    module = getattr(value, "__module__", None) or ""
    if module.startswith("torch.") and _function(f"{module.removeprefix('torch.')}.{last}") is value:
        return f"{module}.{last}"
    for home in _HOMES:
        name = home + last.removeprefix(home.replace(".", "_"))
        if _function(name) is value:
            return f"torch.{name}"
    for name, known in [*_overrides.items()]:
        found = getattr(known, "homes", {}).get(_OWN, known)
        if not (_is_later(found) and found._make is not None) and name.startswith("torch."):
            found = found.get_value() if hasattr(found, "get_value") else found
            if found is value:
                return name
    return next((f"torch.{name}" for name, each in vars(paddle).items() if each is value and name[0] != "_"), None)


def _is_method_of_tensors(function):
    """Whether code that calls this function calls a method of a tensor."""
    name = getattr(function, "__name__", "")
    return _function(name) is not function and _resolved(_method_or_later(name)) is function


def _qualified_name(function):
    """The name of a function after that of its module."""
    name = getattr(function, "__name__", type(function).__name__)
    if getattr(builtins, name, None) is function:
        return name
    module = getattr(function, "__module__", None)
    if module == "_operator":
        return f"_operator.{name}"
    known = _name_in_torch(function)
    if known is None and _is_method_of_tensors(function):
        known = f"torch.Tensor.{name}"
    return known or (f"{module}.{name}" if module else name)


_TYPES_OF_TORCH = {
    paddle.Tensor: "torch.Tensor", paddle.base.framework.EagerParamBase: "torch.nn.parameter.Parameter",
    paddle.nn.Layer: "torch.nn.modules.module.Module", paddle.dtype: "torch.dtype",
}  # fmt: skip


def _name_of_type(kind):
    if isinstance(kind, type) and not isinstance(kind, types.GenericAlias):
        if kind in _TYPES_OF_TORCH:
            return _TYPES_OF_TORCH[kind]
        return kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"
    return "..." if kind is ... else kind.__name__ if isinstance(kind, types.FunctionType) else repr(kind)


def _name_of_target(target):
    """A function as the text of a graph has it."""
    if isinstance(target, str):
        return target
    name = _qualified_name(target)
    if isinstance(target, types.BuiltinFunctionType) and target.__module__ == "builtins":
        return f"builtins.{name}"
    return f"operator.{name.removeprefix('_operator.')}" if name.startswith("_operator.") else name
