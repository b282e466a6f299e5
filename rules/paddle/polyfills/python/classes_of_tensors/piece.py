import copy
import functools
import gc
import sys

import paddle
from paddle.base import core
from paddle.base.framework import EagerParamBase

from .asked_functions import _answered, _ask, _ask_classes, _covered, _make_asking
from .methods_of_tensors import _ScopedMethod, _static
from .put_off import _resolved
from .related_views import _VIEW_OF, _VIEWS
from .scope import _NOTHING, _OWN, _for_code, _given
from .torch_function import _KIND_OF_RESULTS, _whom_to_ask, _kind_of_results_of, _torch_function_of
from .torchs_meaning import _tensor_method

_INTERNAL = {_VIEW_OF, _VIEWS, "_recorded_grad", "_grad_of_result"}  # attributes of this package's own
_ATTRIBUTES = """
H T _base _grad _version data device dtype grad grad_fn imag is_cpu is_cuda is_leaf is_meta is_mps is_nested
is_quantized is_sparse is_sparse_csr is_xla is_xpu itemsize layout mH mT name nbytes ndim output_nr real requires_grad
retains_grad shape volatile
""".split()
_OF_PARAMETERS = {
    "optimize_attr": {"learning_rate": 1.0}, "regularizer": None, "do_model_average": None, "need_clip": True,
    "is_distributed": False, "_init_func": None, "_init_op_creator": None,
}  # fmt: skip
_RECORDED_BEFORE = "_required_gradient"
_NOT_CONVERTED = ("_base", "_grad", "grad")


@functools.lru_cache(None)
def _paddles(name):
    """What Tensor has of Paddle's by a name."""
    found = _static(paddle.Tensor, name)
    return getattr(found, "theirs", found)


def _alias(cls, tensor):
    """The same tensor as an object of a class, in the same place of its graph."""
    made = _paddles("__new__")(cls)
    made.reconstruct_from_(tensor)
    noted = vars(made)
    noted.update({key: value for key, value in vars(tensor).items() if key in _INTERNAL and key != _VIEWS})
    if _VIEW_OF in noted and _VIEWS in vars(noted[_VIEW_OF].base):
        vars(noted[_VIEW_OF].base)[_VIEWS].note(made)
    return made


def _make_subclass(cls, data, require_grad=False, **options):
    """A tensor of a class, of the same memory as another one."""
    _begin(cls)
    made = _paddles("__new__")(cls)
    core.eager.Tensor.__init__(made, _paddles("detach")(data))
    if isinstance(made, EagerParamBase):
        vars(made).update(_OF_PARAMETERS)
    made.stop_gradient = not require_grad
    return made


def as_subclass(self, cls):
    """The tensor as one of a class, of the same memory."""
    if not (isinstance(cls, type) and issubclass(cls, paddle.Tensor)):
        raise TypeError(f"cls must be a type that derives from Tensor, not {cls!r}")
    _begin(cls)
    if self.stop_gradient:
        source = _paddles("detach")(self)
    else:
        source = _answered(_tensor_method("view_as"), (self, self), {}) if self.is_leaf else self
    made = _alias(cls, source)
    _paddles("name").__set__(made, source.name)
    return made


def _begin(cls):
    """There are objects of a class: functions have to ask it, if it wants that."""
    if _torch_function_of(cls) is not None:
        _ask_classes()
        _make_asking(EagerParamBase.__init__, "__init__", _InitOfParameters)
        _make_asking(paddle.nn.Layer.register_buffer, "register_buffer", _BuffersOfClass)


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
    before, _whom_to_ask.classes = _whom_to_ask.classes, False
    try:
        found = func(*args, **(kwargs or {}))
    finally:
        _whom_to_ask.classes = before
    plain = getattr(func, "__name__", "") == "__get__" and func.__self__ in map(_descriptor, _NOT_CONVERTED)
    return found if plain else _convert(found, cls)


def _make_wrapper_subclass(cls, size, *, strides=None, dtype=None, requires_grad=False, device=None, **options):
    """A tensor of a class, of a shape and without memory for it."""
    if not hasattr(cls, "__torch_dispatch__"):
        raise TypeError(f"{cls.__name__} must define __torch_dispatch__")
    _begin(cls)
    held = paddle.zeros([1], dtype or paddle.get_default_dtype())
    made = _alias(cls, held.as_strided([*size], [0] * len(size)))
    made.stop_gradient = not requires_grad
    vars(made)["_has_no_memory"] = True
    return made


def _new(cls, *args, **kwargs):
    """Tensor.__new__, which makes the values as well."""
    if cls is paddle.Tensor:
        return _paddles("__new__")(cls)
    if issubclass(cls, EagerParamBase):
        made = _paddles("__new__")(cls)
        if cls is not EagerParamBase:  # with its values, as in torch, where __init__ does nothing
            EagerParamBase.__init__(made, *args, **kwargs)
            vars(made)[_MADE_IN_NEW] = True
        return made
    if len(args) == 1 and isinstance(args[0], paddle.Tensor):
        return as_subclass(args[0], cls)
    _begin(cls)
    plain = _paddles("__new__")(paddle.Tensor)
    _tensor_method("__init__")(plain, *args, **kwargs)
    made = _alias(cls, plain)
    _paddles("name").__set__(made, plain.name)
    return made


_MADE_IN_NEW = "_made_in_new"
_init_parameter = EagerParamBase.__init__


@functools.wraps(_init_parameter)
def _init_unless_made(self, *args, **kwargs):
    if _MADE_IN_NEW not in vars(self):
        _init_parameter(self, *args, **kwargs)


def _take_arguments_in_new(cls):
    """Let Tensor.__new__ be found as ours. To set it would make Paddle's own, that makes the object, refuse to."""
    if _static(paddle.Tensor, "__new__") is _paddles("__new__"):
        scoped = _ScopedMethod(paddle.Tensor, "__new__")
        scoped.theirs = staticmethod(_paddles("__new__"))
        (names,) = gc.get_referents(paddle.Tensor.__dict__)
        names["__new__"] = scoped
        paddle.Tensor.__module__ = paddle.Tensor.__module__  # what Python has kept of the class is read again
        if "__new__" not in vars(cls):
            cls.__new__ = _new
            del cls.__new__
        EagerParamBase.__init__ = _init_unless_made
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
        if _for_code(_covered, sys._getframe(1)) is _NOTHING:
            return _static(paddle.Tensor, self.name).__get__(tensor, owner)
        described = _descriptor(self.name)
        if tensor is None:
            return described
        if not _whom_to_ask.classes or _torch_function_of(type(tensor)) is None:
            found = described.__get__(tensor, type(tensor))
            return _alias(paddle.Tensor, tensor) if found is tensor else found
        return _ask(described.__get__, (tensor,))

    def __set__(self, tensor, value):
        described = _descriptor(self.name)
        if isinstance(described, property) and described.fset is None:
            described = _static(paddle.Tensor, self.name)
        if _whom_to_ask.classes and _torch_function_of(type(tensor)) is not None:
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
        asked = _whom_to_ask.classes and _torch_function_of(type(self)) is not None
        return _ask(method, (self, *args)) if asked else own(self, *args)

    method.__name__ = name
    return method


def _shown_of_class(self):
    plain = _alias(EagerParamBase if isinstance(self, EagerParamBase) else paddle.Tensor, self)
    text = _paddles("__repr__")(plain)
    return text.replace("Tensor(", f"{type(self).__name__}(", 1)


def _copied_of_class(self, memo):
    """A copy of a tensor that is a leaf, by its class's new_empty, as torch makes one."""
    if id(self) in memo:
        return memo[id(self)]
    if not self.is_leaf:
        raise RuntimeError("Only Tensors created explicitly by the user support the deepcopy protocol at the moment.")
    plain = _paddles("detach")(self).clone()
    if isinstance(self, EagerParamBase) and _KIND_OF_RESULTS not in vars(type(self)):
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
    """The attributes that users gave it."""
    return {key: value for key, value in vars(self).items() if key not in _INTERNAL and key not in _OF_PARAMETERS}


def _reduced_of_class(self, protocol):
    """What is pickled: the values, the class and the attributes."""
    function, args = _alias(paddle.Tensor, _paddles("detach")(self)).__reduce_ex__(protocol)[:2]
    state = {**_state(self), _RECORDED_BEFORE: not self.stop_gradient}
    _rebuild_from_type_v2.__module__ = "torch._tensor"  # where it is found again
    _rebuild_from_type_v2.__qualname__ = "_rebuild_from_type_v2"
    return _rebuild_from_type_v2, (function, _kind_of_results_of(self), args, state)


def _rebuild_from_type_v2(func, new_type, args, state):
    """What was pickled, as a tensor of the class and with its attributes."""
    made = func(*args)
    if type(made) is new_type or not (isinstance(new_type, type) and issubclass(new_type, paddle.Tensor)):
        return made
    _begin(new_type)
    requires_grad = not made.stop_gradient
    if isinstance(state, dict) and _RECORDED_BEFORE in state:
        state = {**state}
        requires_grad = state.pop(_RECORDED_BEFORE)
    made = _alias(new_type, _paddles("detach")(made))
    made.stop_gradient = not requires_grad
    own = vars(made)
    given = _static(new_type, "__setstate__")
    if given is not None and given is not _static(paddle.Tensor, "__setstate__"):
        given.__get__(made)(state)
    else:
        own.update(state[0] if isinstance(state, tuple) else state)
    if isinstance(made, EagerParamBase) or own.get("_is_param"):
        own |= {key: value for key, value in _OF_PARAMETERS.items() if key not in own}
    return made if isinstance(made, EagerParamBase) or not own.get("_is_param") else _parameter_of_class(made, new_type)


_kinds_of_parameters: dict = {}


def _parameter_of_class(made, kind):
    """Make a tensor a parameter of a class, by one that is derived from both."""
    if kind not in _kinds_of_parameters:
        members = {_KIND_OF_RESULTS: kind, "__module__": kind.__module__}
        members["__torch_function__"] = _static(kind, "__torch_function__")
        _kinds_of_parameters[kind] = type(kind.__name__, (kind, EagerParamBase), members)
    made.__class__ = _kinds_of_parameters[kind]
    return made


class _InitOfParameters:
    """torch.nn.Parameter of a tensor of a class is of that class as well."""

    def __init__(self, theirs):
        self._theirs = theirs

    def __call__(self, args, kwargs):
        self._theirs(*args, **kwargs)
        data = kwargs.get("data", args[1] if len(args) > 1 else None)
        if type(args[0]) is EagerParamBase and isinstance(data, paddle.Tensor) and _torch_function_of(type(data)):
            kind = _kind_of_results_of(data)
            detached = _tensor_method("detach")(data)
            if _kind_of_results_of(detached) is not kind:
                raise RuntimeError(
                    f"Creating a Parameter from an instance of type {kind.__name__} requires that detach() returns an"
                    f" instance of the same type, but return type {type(detached).__name__} was found instead."
                )
            vars(args[0]).update(_state(detached))
            _parameter_of_class(args[0], kind)


@functools.lru_cache(None)
def _members_of_classes():
    named = {"__repr__": _shown_of_class, "__format__": object.__format__}
    named |= {"__deepcopy__": _copied_of_class, "__reduce_ex__": _reduced_of_class}
    members = {name: _Attribute(name) for name in _ATTRIBUTES}
    members |= {name: _asking_first(name, own) for name, own in named.items()}
    return members | {"__iter__": _iterated, "__str__": lambda self: repr(self)}


def _reduces_itself(tensor):
    """Whether the class of a tensor says how it is pickled."""
    of_paddle = [_static(owner, "__reduce_ex__") for owner in (paddle.Tensor, EagerParamBase)]
    return _static(type(tensor), "__reduce_ex__") not in (*of_paddle, _members_of_classes()["__reduce_ex__"])


class _BuffersOfClass:
    """A buffer may be of a class."""

    def __init__(self, theirs):
        self._theirs = theirs

    def __call__(self, args, kwargs):
        layer, name, tensor, *rest = args if len(args) > 2 or "tensor" not in kwargs else (*args, kwargs.pop("tensor"))
        of_class = isinstance(tensor, paddle.Tensor) and type(tensor) is not paddle.Tensor
        self._theirs(layer, name, None if of_class else tensor, *rest, **kwargs)
        if of_class:
            layer._buffers[name] = tensor


def _complete(cls):
    """Give a new class what Tensor has otherwise, unless it has that of another base or its own."""
    _take_arguments_in_new(cls)
    parameter = issubclass(cls, EagerParamBase)
    for name, member in _members_of_classes().items():
        found = _static(cls, name)
        inherited = found is _static(paddle.Tensor, name) or (parameter and found is _static(EagerParamBase, name))
        if found is not None and inherited and (not parameter or name.startswith("__")):
            setattr(cls, name, member)
