import copy
import gc
import sys

import paddle
from paddle.base.framework import EagerParamBase

from .asked_functions import _answered, _ask, _ask_classes
from .methods_of_tensors import _ScopedMethod, _static
from .put_off import _resolved
from .related_views import _VIEW_OF, _VIEWS
from .scope import _NOTHING, _OWN, _for_code, _given
from .torch_function import _KIND, _asking, _torch_function_of
from .torchs_meaning import _tensor_method

_NEW = paddle.Tensor.__new__
_INTERNAL = {_VIEW_OF, _VIEWS, "_recorded_grad", "_grad_of_result"}  # attributes of this package's own
_ATTRIBUTES = """
H T _base _grad _version data device dtype grad grad_fn imag is_cpu is_cuda is_leaf is_meta is_mps is_nested
is_quantized is_sparse is_sparse_csr is_xla is_xpu itemsize layout mH mT name nbytes ndim output_nr real requires_grad
retains_grad shape volatile
""".split()
_scope = {_OWN: True}
_NOT_CONVERTED = ("_base", "_grad", "grad")


def _alias(cls, tensor):
    """The same tensor as an object of a class, in the same place of its graph."""
    made = _NEW(cls)
    made.reconstruct_from_(tensor)
    noted = vars(made)
    noted.update({key: value for key, value in vars(tensor).items() if key in _INTERNAL and key != _VIEWS})
    if _VIEW_OF in noted and _VIEWS in vars(noted[_VIEW_OF].base):
        vars(noted[_VIEW_OF].base)[_VIEWS].note(made)
    return made


def as_subclass(self, cls):
    """The tensor as one of a class, of the same memory."""
    if not (isinstance(cls, type) and issubclass(cls, paddle.Tensor)):
        raise TypeError(f"cls must be a type that derives from Tensor, not {cls!r}")
    _begin(cls)
    if self.stop_gradient:
        source = _DETACH(self)
    else:
        source = _answered(_tensor_method("view_as"), (self, self), {}) if self.is_leaf else self
    made = _alias(cls, source)
    _NAME.__set__(made, source.name)
    return made


_DETACH, _NAME = paddle.Tensor.detach, paddle.Tensor.name


def _begin(cls):
    """There are objects of a class: functions have to ask it, if it wants that."""
    if _torch_function_of(cls) is not None:
        _ask_classes()


def _convert(ret, cls):
    """A result, or those in a list, as of a class."""
    if cls is paddle.Tensor:
        return ret
    if isinstance(ret, paddle.Tensor):
        return ret if isinstance(ret, cls) else _alias(cls, ret)
    if isinstance(ret, (tuple, list)):
        made = [_convert(each, cls) for each in ret]
        return type(ret)._make(made) if hasattr(ret, "_make") else type(ret)(made)
    return ret


def _asked_of_subclass(cls, func, types, args=(), kwargs=None):
    """Tensor.__torch_function__: what the function gives of plain tensors, as of the class."""
    if not all(issubclass(cls, each) for each in types):
        return NotImplemented
    before, _asking.classes = _asking.classes, False
    try:
        found = func(*args, **(kwargs or {}))
    finally:
        _asking.classes = before
    plain = getattr(func, "__name__", "") == "__get__" and func.__self__ in map(_descriptor, _NOT_CONVERTED)
    return found if plain else _convert(found, cls)


def _make_wrapper_subclass(cls, size, *, strides=None, dtype=None, requires_grad=False, device=None, **options):
    """A tensor of a class, of a shape and without memory for it."""
    _begin(cls)
    held = paddle.zeros([1], dtype or paddle.get_default_dtype())
    made = _alias(cls, held.as_strided([*size], [0] * len(size)))
    made.stop_gradient = not requires_grad
    vars(made)["_has_no_memory"] = True
    return made


def _new(cls, *args, **kwargs):
    """Tensor.__new__, which makes the values as well."""
    if cls is paddle.Tensor or issubclass(cls, EagerParamBase):
        return _NEW(cls)
    if len(args) == 1 and isinstance(args[0], paddle.Tensor):
        return as_subclass(args[0], cls)
    _begin(cls)
    plain = _NEW(paddle.Tensor)
    _tensor_method("__init__")(plain, *args, **kwargs)
    made = _alias(cls, plain)
    _NAME.__set__(made, plain.name)
    return made


def _take_arguments_in_new(cls):
    """Let Tensor.__new__ be found as ours. To set it would make Paddle's own, that makes the object, refuse to."""
    if _static(paddle.Tensor, "__new__") is _NEW:
        scoped = _ScopedMethod(paddle.Tensor, "__new__")
        scoped.theirs = staticmethod(_NEW)
        (names,) = gc.get_referents(paddle.Tensor.__dict__)
        names["__new__"] = scoped
        paddle.Tensor.__module__ = paddle.Tensor.__module__  # what Python has kept of the class is read again
        if "__new__" not in vars(cls):
            cls.__new__ = _new
            del cls.__new__
    scoped = _static(paddle.Tensor, "__new__")
    if _OWN not in scoped.homes:
        scoped.homes[_OWN] = staticmethod(_new)
        _given.append(scoped)


def _descriptor(name):
    """An attribute of tensors with torch's meaning, as torch.Tensor has it."""
    found = _static(paddle.Tensor, name)
    return _resolved(getattr(found, "homes", {}).get(_OWN, found))


class _Attribute:
    """An attribute of tensors, about which their class is asked."""

    def __init__(self, name):
        self.name = name

    def __get__(self, tensor, owner=None):
        if _for_code(_scope, sys._getframe(1)) is _NOTHING:
            return _static(paddle.Tensor, self.name).__get__(tensor, owner)
        described = _descriptor(self.name)
        if tensor is None:
            return described
        if not _asking.classes or _torch_function_of(type(tensor)) is None:
            return described.__get__(tensor, type(tensor))
        return _ask(described.__get__, (tensor,))

    def __set__(self, tensor, value):
        described = _descriptor(self.name)
        if isinstance(described, property) and described.fset is None:
            described = _static(paddle.Tensor, self.name)
        if _asking.classes and _torch_function_of(type(tensor)) is not None:
            return _ask(described.__set__, (tensor, value))
        return described.__set__(tensor, value)

    def __delete__(self, tensor):
        _descriptor(self.name).__delete__(tensor)


def _iterated(self):
    if not self.shape:
        raise TypeError("iteration over a 0-d tensor")
    return iter(_tensor_method("unbind")(self, 0))


def _asking_first(name, own):
    """A method of each class, about which it is asked."""

    def method(self, *args):
        asked = _asking.classes and _torch_function_of(type(self)) is not None
        return _ask(method, (self, *args)) if asked else own(self, *args)

    method.__name__ = name
    return method


def _shown(self):
    plain = _alias(EagerParamBase if isinstance(self, EagerParamBase) else paddle.Tensor, self)
    text = _PADDLES["__repr__"](plain)
    return text.replace("Tensor(", f"{type(self).__name__}(", 1)


def _copied_of_class(self, memo):
    """A copy of a tensor that is a leaf, by its class's new_empty, as torch makes one."""
    if id(self) in memo:
        return memo[id(self)]
    if not self.is_leaf:
        raise RuntimeError("Only Tensors created explicitly by the user support the deepcopy protocol at the moment.")
    plain = _DETACH(self).clone()
    if isinstance(self, EagerParamBase) and _KIND not in vars(type(self)):
        made = type(self)(plain, not self.stop_gradient)
    else:
        own = _static(type(self), "new_empty") is not _static(paddle.Tensor, "new_empty")
        if not own or type(self.new_empty([])) is not type(self):
            raise RuntimeError(
                "The default implementation of __deepcopy__() for non-wrapper subclasses only works for subclass types"
                " that properly implement new_empty() and for which that function returns another instance of the"
                f" same subclass: {type(self).__name__}"
            )
        made = _alias(type(self), plain)
        made.stop_gradient = self.stop_gradient
        vars(made).update(copy.deepcopy(_state(self), memo))
    memo[id(self)] = made
    if self.grad is not None:
        made.grad = copy.deepcopy(self.grad, memo)
    return made


def _state(self):
    return {key: value for key, value in vars(self).items() if key not in _INTERNAL}


def _reduced(self, protocol):
    """What is pickled: the values, the class and the attributes."""
    plain = _alias(paddle.Tensor, _DETACH(self))
    kind = vars(type(self)).get(_KIND)
    function, args = _PADDLES["__reduce_ex__"](plain, protocol)[:2]
    return _rebuild_from_type_v2, (
        _with_gradient, kind or type(self), (function, args, not self.stop_gradient, kind is not None), _state(self)
    )  # fmt: skip


def _with_gradient(function, args, requires_grad, parameter):
    made = function(*args)
    made.stop_gradient = not requires_grad
    return made


def _rebuild_from_type_v2(func, new_type, args, state):
    """What was pickled, as a tensor of the class and with its attributes."""
    made = func(*args)
    if type(made) is not new_type:
        requires_grad = not made.stop_gradient
        _begin(new_type)
        made = _alias(new_type, _DETACH(made))
        made.stop_gradient = not requires_grad
    given = _static(type(made), "__setstate__")
    if given is not None:
        given.__get__(made)(state)
    else:
        vars(made).update(state[0] if isinstance(state, tuple) else state)
    return parameter_of(made) if args[-1] is True and func is _with_gradient else made


_kinds_of_parameters: dict = {}


def parameter_of(made):
    """A tensor of a class, made a parameter: of a class that is derived from both."""
    kind = type(made)
    if kind not in _kinds_of_parameters:
        members = {_KIND: kind, "__torch_function__": _static(kind, "__torch_function__"), "__module__": kind.__module__}
        _kinds_of_parameters[kind] = type(kind.__name__, (kind, EagerParamBase), members)
    made.__class__ = _kinds_of_parameters[kind]
    return made


_MEMBERS = {name: _Attribute(name) for name in _ATTRIBUTES}
_MEMBERS |= {
    "__iter__": _iterated, "__repr__": _asking_first("__repr__", _shown), "__str__": _asking_first("__repr__", _shown),
    "__deepcopy__": _asking_first("__deepcopy__", _copied_of_class),
    "__reduce_ex__": _asking_first("__reduce_ex__", _reduced),
}  # fmt: skip
_PADDLES = {name: getattr(paddle.Tensor, name) for name in ("__repr__", "__reduce_ex__")}


def _complete(cls):
    """Give a new class what Tensor has otherwise, unless it has that of another base or its own."""
    _take_arguments_in_new(cls)
    parameter = issubclass(cls, EagerParamBase)
    for name, member in _MEMBERS.items():
        found = _static(cls, name)
        inherited = found is _static(paddle.Tensor, name) or (parameter and found is _static(EagerParamBase, name))
        if found is not None and inherited and (not parameter or name.startswith("__")):
            setattr(cls, name, member)
