import types
import typing

from .jit_script import _is_scripted

_ORIGINS_OF_TYPES = (list, tuple, dict)


class jit_Attribute(typing.NamedTuple):
    """A value with the type that TorchScript would give it."""

    value: typing.Any
    type: typing.Any


jit_Attribute.__name__ = "Attribute"


def _check_scripted(mod, asked):
    if not _is_scripted(mod):
        raise RuntimeError(
            f"{asked} expects a ScriptModule as input. Please use torch.jit.script or torch.jit.trace to script your "
            "'nn.Module'."
        )


def freeze(mod, preserved_attrs=None, optimize_numerics=True):
    """The module itself: nothing is compiled, so that nothing becomes constant."""
    _check_scripted(mod, "Freezing")
    if mod.training:
        raise RuntimeError(
            "Freezing is currently only implemented for modules in eval mode. Please call .eval() on your module before "
            "freezing."
        )
    return mod


def run_frozen_optimizations(mod, optimize_numerics=True, preserved_methods=None):
    """Leave the module as it is."""
    _check_scripted(mod, "run_frozen_optimizations")


def optimize_for_inference(mod, other_methods=None):
    """The module itself, in which nothing is compiled."""
    _check_scripted(mod, "optimize_for_inference")
    return freeze(mod.eval(), other_methods)


def _is_of_type(value, kind):
    """Whether a value, with what is in it, is of a type or of one of them."""
    if isinstance(kind, tuple):
        return any(_is_of_type(value, each) for each in kind)
    origin, inner = typing.get_origin(kind), typing.get_args(kind)
    if origin is None:
        return isinstance(value, type(None) if kind is None else kind)
    if origin in (typing.Union, types.UnionType):
        return any(_is_of_type(value, each) for each in inner)
    if origin not in _ORIGINS_OF_TYPES or not isinstance(value, origin):
        return False
    if origin is dict:
        return all(_is_of_type(key, inner[0]) and _is_of_type(each, inner[1]) for key, each in value.items())
    if origin is list:
        return all(_is_of_type(each, inner[0]) for each in value)
    return len(value) == len(inner) and all(map(_is_of_type, value, inner))


def jit_isinstance(obj, target_type):
    """isinstance for containers with the types of what is in them."""
    for each in target_type if isinstance(target_type, tuple) else (target_type,):
        bare = each in (typing.List, typing.Tuple, typing.Dict, typing.Optional)
        if bare or each in _ORIGINS_OF_TYPES:
            name = getattr(each, "__name__", str(each)).capitalize()
            raise RuntimeError(f"Attempted to use {name} without a contained type. Please add a contained type, e.g. {name}[int]")
    return _is_of_type(obj, target_type)
