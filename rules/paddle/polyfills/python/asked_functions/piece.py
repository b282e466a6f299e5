import dis
import functools
import sys
import types

import paddle
from paddle.base.framework import EagerParamBase

from .methods_of_tensors import _method, _method_or_later, _methods
from .overrides import _function, _function_or_later, _register
from .put_off import _is_later
from .scope import _NOTHING, _OWN, _for_code
from .torch_function import (
    _ASKING_MODES, _ASKING_OF_BOTH, _ASKING_OF_MODULES, _ASKING_OF_TENSORS, _ASKING_OF_TORCH, _ORDINARY, _asked,
    _overloading, _torch_function_of, _whom_to_ask, _with_modes,
)  # fmt: skip

class _PlainTensor(paddle.Tensor):
    """What a tensor of a class is while an operator has it: its own methods are none of the operator's."""


class _PlainParameter(EagerParamBase):
    pass


_OPERATORS_BY_NAME = {
    "__add__": "add", "__radd__": "add", "__sub__": "sub", "__mul__": "mul", "__rmul__": "mul", "__truediv__": "div",
    "__div__": "div", "__mod__": "remainder", "__matmul__": "matmul", "__ne__": "ne", "__lt__": "lt", "__gt__": "gt",
    "__le__": "le", "__ge__": "ge", "__rand__": "bitwise_and", "__ror__": "bitwise_or", "__rxor__": "bitwise_xor",
    "__neg__": "neg", "__pos__": "positive", "__abs__": "abs", "__pow__": "pow", "__iadd__": "add_", "__isub__": "sub_",
    "__imul__": "mul_", "__itruediv__": "div_", "__idiv__": "div_", "__ifloordiv__": "floor_divide_",
    "__imod__": "remainder_", "__ipow__": "pow_",
}  # fmt: skip
_DECLINING = {
    f"__{way}{name}__"
    for name in "add sub mul truediv floordiv mod pow matmul and or xor lshift rshift lt le gt ge eq ne".split()
    for way in ("", "r", "i")
}  # which give NotImplemented for what they do not take
_covered = {_OWN: True}


def _template(*args, **kwargs):
    """What a function does once there are classes: the texts stand for the objects of _make_asking."""
    plain = "plain"
    modes = "modes"
    ask = "ask"
    theirs = "theirs"
    for each in args:
        if each.__class__ not in plain:
            return ask(args, kwargs)
    for each in kwargs.values():
        if each.__class__ not in plain:
            return ask(args, kwargs)
    return ask(args, kwargs) if modes else theirs(*args, **kwargs)


def _ask(function, args, kwargs=None):
    """What classes, and modes, make of a function."""
    return _asked(function, [*args, *(kwargs or {}).values()], args, kwargs or None)


def _answered(function, args, kwargs):
    """What a function gives of tensors of classes, as of plain ones."""
    found = {}
    for each in (*args, *kwargs.values()):
        for one in each if isinstance(each, (list, tuple)) else (each,):
            kind = type(one)
            if kind not in _ORDINARY and isinstance(one, paddle.Tensor):
                found[id(one)] = one, kind
    if any(hasattr(kind, "__torch_dispatch__") or "_has_no_memory" in vars(one) for one, kind in found.values()):
        raise NotImplementedError("Under Paddle, operators ask no __torch_dispatch__, and need memory of a tensor")
    try:
        for one, kind in found.values():
            one.__class__ = _PlainParameter if issubclass(kind, EagerParamBase) else _PlainTensor
        return function(*args, **kwargs)
    finally:
        for one, kind in found.values():
            one.__class__ = kind


def _answer_of(theirs, name, function):
    """What a function does if it has arguments of other kinds than most, or if there are modes."""
    unchanged = name in ("backward", "grad")  # whose hooks may use the tensor
    passed = _OPERATORS_BY_NAME.get(name)
    numbers = () if "matmul" in name else (int, float, complex)
    of_numbers = name in _ASKING_MODES  # which ask no tensors, but what stands for a size

    def call(args, kwargs):
        given = [*args, *kwargs.values()]
        found = _overloading(given) if _whom_to_ask.classes else ()
        if of_numbers:
            found = [each for each in found if hasattr(type(each), "_stands_for_numbers")]
        if name == "einsum" and len(args) == 2 and isinstance(args[1], (list, tuple)):
            args = (args[0], *args[1])  # as classes are asked about it
        if not found:
            kinds = {type(each) for each in given if not isinstance(each, (list, tuple, paddle.Tensor))}
            _ORDINARY.update(kind for kind in kinds if not hasattr(kind, "__torch_function__"))
        if name in _DECLINING and name not in ("__eq__", "__ne__"):
            if not all(isinstance(each, (paddle.Tensor, *numbers)) or _torch_function_of(type(each)) for each in args):
                return NotImplemented
        if not found and not (_whom_to_ask.modes and _for_code(_covered, sys._getframe(2)) is not _NOTHING):
            return theirs(*args, **kwargs) if unchanged else _answered(theirs, args, kwargs)
        try:
            return _ask(_method(passed) if passed else function, args, kwargs)
        except TypeError:
            if name in _DECLINING:
                return NotImplemented
            raise

    return call


class _AskingObject:
    """A function of C's, or an object that is called, which asks classes: the same for code that compares it."""

    def __init__(self, theirs, name):
        self.__wrapped__, self.__name__, self._asks_as = theirs, name, self
        self._answer = _answer_of(theirs, name, self)

    def __call__(self, *args, **kwargs):
        if kwargs or _with_modes or any(each.__class__ not in _ORDINARY for each in args):
            return self._answer(args, kwargs)
        return self.__wrapped__(*args)

    def __get__(self, tensor, owner=None):
        return self if tensor is None else types.MethodType(self, tensor)

    def __getattr__(self, name):
        return getattr(self.__wrapped__, name)

    def __eq__(self, other):
        return self is other or self.__wrapped__ == other

    def __hash__(self):
        return hash(self.__wrapped__)


def _make_asking(function, name, answering=None):
    """Let a function ask classes also where it is known already: it remains the same object."""
    if _asks(function) and name != function.__name__ and isinstance(function, types.FunctionType):
        function = _copy_of_function(function.__wrapped__)  # for a second name, as torch has one for each
        function.__name__ = name
    if isinstance(function, type) or _asks(function):
        return function
    if isinstance(function, functools.partial):  # so that it is no method
        theirs = functools.partial(function.func, *function.args, **function.keywords)
        asking = types.FunctionType(_template.__code__, globals(), name)
        function.__setstate__((asking, (), {}, {**vars(function), "__name__": name}))
    elif isinstance(function, types.FunctionType):
        theirs = _copy_of_function(function)
        if function.__name__ not in _known_names or name.startswith("__"):
            function.__name__ = name
        asking = function
    else:
        return _AskingObject(function, name)
    call = answering(theirs) if answering else _answer_of(theirs, name, function)
    given = {"plain": _ORDINARY, "modes": _with_modes, "theirs": theirs, "ask": call}
    own, code = _with_outer_variables(_template.__code__, asking.__code__.co_freevars), asking.__code__
    constants = tuple(given.get(each, each) if isinstance(each, str) else each for each in own.co_consts)
    asking.__code__ = own.replace(co_consts=constants, co_name=code.co_name, co_filename=code.co_filename)
    function.__wrapped__, function._asks_as = theirs, function
    return function


def _with_outer_variables(code, names):
    """Code that has these variables of an outer function, and takes them as its first step: what shows the variables
    of a frame, as a debugger or pytest, ends the process where a frame has not taken them."""
    taking = dis.opmap.get("COPY_FREE_VARS")  # Python 3.10 does it before the first step
    if not names or taking is None:
        return code.replace(co_freevars=names)
    without_place = b"\xf8"  # of one step, in the table of lines
    return code.replace(
        co_freevars=names,
        co_code=bytes([taking, len(names)]) + code.co_code,
        co_linetable=without_place + code.co_linetable,
    )


def _asks(function):
    return getattr(function, "_asks_as", _OWN) is function  # another one's is copied to functions around it


def _copy_of_function(function):
    made = types.FunctionType(*(getattr(function, f"__{part}__") for part in _PARTS))
    made.__kwdefaults__ = function.__kwdefaults__
    vars(made).update(vars(function))
    return made


_PARTS = ("code", "globals", "name", "defaults", "closure")
_known_names = {
    *(*_ASKING_OF_BOTH, *_ASKING_OF_TORCH, *_ASKING_MODES, *_ASKING_OF_TENSORS),
    *(name for module in _ASKING_OF_MODULES for name in _ASKING_OF_MODULES[module]),
}


def _let_ask(found, name, replace):
    """Let what there is by a name ask classes: now, or once it is made."""
    name = name.removeprefix("nn.functional.").removeprefix("autograd.")
    short = name.replace(".", "_")  # as those of other modules are called
    if not _is_later(found):
        made = _make_asking(found, short) if callable(found) else found
        if made is not found:
            replace(**{name: made})
    elif found._make is None:
        found._value = _make_asking(found._value, short)
    else:
        make = found._make
        found._make = lambda: _make_asking(make(), short)


def _names_of_tensors():
    in_place = [f"{name}_" for name in _ASKING_OF_BOTH]
    return [name for name in (*_ASKING_OF_TENSORS, *_ASKING_OF_BOTH, *in_place) if _method_or_later(name) is not None]


_asking_begun: list[bool] = []


def _ask_classes():
    """From now on functions ask classes: until the first tensor of one is made, they are as they were."""
    if _asking_begun:
        return
    _asking_begun.append(True)
    _ORDINARY.update([_PlainTensor, _PlainParameter])
    for name in (*_names_of_functions(), *_ASKING_MODES):
        found = _function_or_later(name)
        _let_ask(found, name, lambda **named: _register({}, {f"torch.{n}": value for n, value in named.items()}))
    for name in _names_of_tensors():
        _let_ask(_method_or_later(name), name, _methods)
    for name in _ASKING_OF_MODULES["nn.functional"]:  # those that Paddle's layers call
        function = vars(paddle.nn.functional).get(name)
        if isinstance(function, types.FunctionType):
            _make_asking(function, name)
    _make_asking(paddle.nn.Layer.__call__, "__call__", _CallOfLayers)


class _CallOfLayers:
    """Before a layer is first called, its forward asks classes as a whole, if it calls no function that asks them."""

    def __init__(self, theirs):
        self._theirs = theirs

    def __call__(self, args, kwargs):
        kind = type(args[0])
        if kind not in _ORDINARY:
            _ORDINARY.add(kind)
            owner = next(each for each in kind.__mro__ if "forward" in vars(each))
            module = owner.__module__
            ours = module.rpartition(".")[0] == __name__.rpartition(".")[0] or module.startswith(_LAYERS)
            if ours and not module.endswith(("container", "layers.layers")):
                _let_forward_ask(vars(owner)["forward"], owner.__name__)
        return self._theirs(*args, **kwargs)


def _let_forward_ask(forward, layer):
    used, known = forward.__code__.co_names, forward.__globals__
    functions = [home(name) for name in used for home in (known.get, functools.partial(_inner, known.get("F")))]
    if "_torch" not in used and not any(map(_asks, functions)):
        _make_asking(forward, "forward")
        named = {name.replace("_", ""): name for name in _ASKING_OF_MODULES["nn.functional"]}
        forward.__name__ = named.get(layer.lower(), forward.__name__)  # as torch's forward calls it


def _inner(module, name):
    return getattr(module, name, None)


_LAYERS = ("paddle.nn.layer.", "paddle.compat.nn")


def _names_of_functions():
    names = [*_ASKING_OF_BOTH, *_ASKING_OF_TORCH]
    inner = [f"{module}.{name}" for module in _ASKING_OF_MODULES for name in _ASKING_OF_MODULES[module]]
    return [*names, "autograd.grad", *inner]


def get_overridable_functions():
    """The functions that ask, by what has them."""
    found = {}
    for name in _names_of_functions():
        function = _function(name)
        if function is not None:
            home = _function(name.rpartition(".")[0]) if "." in name else sys.modules["torch"]
            found.setdefault(home, []).append(function)
    found[paddle.Tensor] = [_method(name) for name in _names_of_tensors()]
    return found
