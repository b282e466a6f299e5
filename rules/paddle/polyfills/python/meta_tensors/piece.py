import collections
import functools
import math
import sys

import paddle
from paddle.base.framework import EagerParamBase
from paddle.base.layer_helper_base import LayerHelperBase

from .asked_functions import _ask, _ask_classes, _covered
from .classes_of_tensors import (
    _ATTRIBUTES, _NOT_CONVERTED, _alias, _begin, _complete, _convert, _descriptor, _kinds_of_parameters,
)  # fmt: skip
from .device_class import _new_device
from .meta_device import _default_devices, _is_for_meta, _names_meta
from .methods_of_tensors import _static
from .scope import _NOTHING, _for_code
from .sizes import Size
from .torch_function import _KIND_OF_RESULTS, _whom_to_ask, _with_modes
from .torchs_meaning import _tensor_method, _torch

_META_STEPS = "_steps_on_meta"  # the strides that a tensor has, whose own are zeros
_WITH_NAN = (paddle.float16, paddle.bfloat16, paddle.float32, paddle.float64)
_NO_DATA = "Cannot copy out of meta tensor; no data!"
_NO_ITEM = "Tensor.item() cannot be called on meta tensors"
_MADE_ALIKE = "empty_like zeros_like ones_like full_like rand_like randn_like randint_like".split()
_MADE_NEW = "new_empty new_zeros new_ones new_full new_tensor new_empty_strided".split()
_FROM_SIZES = "empty zeros ones rand randn".split()
_MAKING = [
    *_FROM_SIZES, *"full randint arange linspace logspace eye tensor as_tensor asarray randperm range scalar_tensor".split(),
    *"empty_strided empty_permuted tril_indices triu_indices normal from_numpy frombuffer".split(),
]  # fmt: skip
_BY_VALUES = "nonzero unique unique_consecutive masked_select equal bincount histc argwhere nonzero_static".split()
_OF_VALUES = "item __bool__ __int__ __float__ __index__ __complex__ allclose is_nonzero __contains__".split()
_OF_MEMORY = "__dlpack__ untyped_storage storage".split()
_FROM_OTHER_DEVICES = {"copy_", "__setitem__", "set_", "matmul", "mm", "bmm", "__matmul__", "__rmatmul__", "__getitem__"}


def _contiguous_steps(shape):
    return tuple(math.prod(map(int, shape[at + 1 :])) if 0 not in shape else 1 for at in range(len(shape)))


def _on_meta_like(shape, dtype, recorded=False, steps=None):
    """A tensor of a shape and dtype without memory: all of its elements are in the same place."""
    _prepare()
    # What a function that asks nobody makes of it is seen to have no values.
    held = paddle.full([1], math.nan, dtype) if dtype in _WITH_NAN else paddle.zeros([1], dtype=dtype)
    made = _alias(_MetaTensor, held.as_strided(list(shape), [0] * len(shape)) if shape else held.reshape([]))
    vars(made)[_META_STEPS] = _contiguous_steps(shape) if steps is None else tuple(steps)
    made.stop_gradient = not recorded
    return made


def _is_on_meta(value):
    return isinstance(value, _MetaTensor)


def _tensors_inside(values):
    for each in values:
        if isinstance(each, paddle.Tensor):
            yield each
        elif isinstance(each, (list, tuple)):
            yield from _tensors_inside(each)


def _refuse_reading(name, args):
    """Raise what torch does where values are needed."""
    first = args[0]
    if name in _OF_VALUES:
        if name == "item" and first.size != 1:
            raise RuntimeError(f"a Tensor with {first.size} elements cannot be converted to Scalar")
        raise RuntimeError(_NO_ITEM)
    if name in ("tolist", "cpu", "cuda"):
        raise NotImplementedError(_NO_DATA)
    if name in ("numpy", "__array__"):
        raise TypeError(
            "can't convert meta device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host memory first."
        )
    if name in _OF_MEMORY:
        raise NotImplementedError(f"Under Paddle a tensor on the meta device has no storage: Tensor.{name}")
    masks = [each for each in _tensors_inside(args[1:]) if each.dtype == paddle.bool] if name == "__getitem__" else ()
    counted = name == "repeat_interleave" and len(args) > 1 and isinstance(args[1], paddle.Tensor)
    if name in _BY_VALUES or masks or counted or (name == "where" and len(args) == 1):
        raise NotImplementedError(
            f"aten::{name}: attempted to run this operator with Meta tensors, but there was no fake impl or Meta kernel"
            " registered: the shape of its result depends on values."
        )


def _check_devices(name, args):
    """All tensors of more than no dimension are on the device of the first."""
    devices = [_is_on_meta(each) for each in _tensors_inside(args) if each.ndim or _is_on_meta(each)]
    if name not in _FROM_OTHER_DEVICES and len({*devices}) > 1:
        first, other = ("meta", "cpu") if devices[0] else ("cpu", "meta")
        raise RuntimeError(f"Tensor on device {other} is not on the expected device {first}!")
    if name == "copy_" and not devices[0]:
        raise NotImplementedError(_NO_DATA)


def _answer_without_tensor(name, tensor, args, kwargs):
    """What asks for the memory of a tensor; None for all else."""
    if name in ("stride", "is_contiguous"):
        steps = vars(tensor).get(_META_STEPS)
        if steps is None and any(tensor.strides):
            return None
        steps = _contiguous_steps(tensor.shape) if steps is None else steps
        if name == "is_contiguous":
            return None if kwargs or args[1:] else steps == _contiguous_steps(tensor.shape)
        dim = args[1] if len(args) > 1 else kwargs.get("dim")
        return steps if dim is None else steps[dim]
    if name == "data_ptr":
        return 0
    if name == "type" and len(args) == 1 and not kwargs:
        return _paddles_type(tensor).replace("torch.", "torch.meta.", 1)
    return None


def _paddles_type(tensor):
    return _tensor_method("type")(_alias(paddle.Tensor, tensor))


def _attribute_on_meta(name, tensor):
    """What is known of an attribute without its value."""
    if name == "device":
        return _new_device(paddle.device.Device, "meta")
    return {"is_meta": True, "is_cpu": False}.get(name)


def _moved_on_meta(func, args, kwargs):
    """Of `to`: a tensor stays on the meta device, or is put there."""
    given = [each for each in args[1:] if isinstance(each, str)] + [kwargs.get("device")]
    device = next((each for each in given if each is not None), None)
    others = [each for each in (*args[1:], kwargs.get("other")) if isinstance(each, paddle.Tensor)]
    if others and not _is_on_meta(others[0]) or device is not None and not _names_meta(device):
        raise NotImplementedError(_NO_DATA)
    rest = tuple(each for each in args[1:] if not isinstance(each, str))
    options = {key: each for key, each in kwargs.items() if key != "device"}
    return func(args[0], *rest, **options) if rest or options else args[0]


def _of_meta(func, name, args, kwargs):
    """What a function gives of tensors of which one is on the meta device."""
    first = args[0] if args else None
    _refuse_reading(name, args)
    if _is_on_meta(first):
        found = _answer_without_tensor(name, first, args, kwargs)
        if found is not None:
            return found
    if name in _MADE_ALIKE or name in _MADE_NEW:
        device = kwargs.pop("device", None)
        if device is not None and not _names_meta(device):
            return func(*args, device=device, **kwargs)
        return _made_here(func, name, args, kwargs)
    _check_devices(name, (*args, *kwargs.values()))
    if name == "to":
        return _moved_on_meta(func, args, kwargs)
    if name == "view" and len(args) > 1 and not isinstance(args[1], paddle.dtype):
        return _tensor_method("reshape")(*args, **kwargs)
    if name.endswith("_") and not name.endswith("__") and _is_on_meta(first) and name not in _CHANGING_THE_TENSOR:
        return _unwritten(name, args, kwargs)
    return func(*args, **kwargs)


_CHANGING_THE_TENSOR = {
    *"requires_grad_ detach_ resize_ resize_as_ set_ squeeze_ unsqueeze_ transpose_ t_ swapaxes_ swapdims_".split(),
    *"as_strided_ share_memory_ retain_grad_ apply_ map_".split(),
}


def _unwritten(name, args, kwargs):
    """A tensor that nothing is written to, after the shapes of what would be have been checked."""
    first = args[0]
    if name == "copy_":
        paddle.broadcast_to(paddle.zeros([]).expand([*args[1].shape]), first.shape)
        return first
    function = _torch(name[:-1]) if not name.endswith("normal_") else None
    if any(isinstance(each, paddle.Tensor) for each in args[1:]) and function is not None:
        made = function(*args, **kwargs)
        if tuple(made.shape) != tuple(first.shape):
            raise RuntimeError(
                f"output with shape {[*first.shape]} doesn't match the broadcast shape {[*made.shape]}"
            )
    return first


def _made_here(func, name, args, kwargs):
    """What a function that makes a tensor gives, on the meta device; without its memory where its shape is known."""
    recorded, dtype = kwargs.get("requires_grad", False), kwargs.get("dtype")
    sizes = args[1:] if name in _MADE_NEW else args
    if name in _MADE_ALIKE:
        return _on_meta_like(tuple(args[0].shape), dtype or args[0].dtype, recorded)
    if name in _FROM_SIZES or name in ("new_empty", "new_zeros", "new_ones"):
        size = kwargs.get("size", sizes)
        size = size[0] if len(size) == 1 and isinstance(size[0], (list, tuple)) else size
        dtype = dtype or (args[0].dtype if name in _MADE_NEW else getattr(paddle, paddle.get_default_dtype()))
        return _on_meta_like(tuple(map(int, size)), dtype, recorded)
    if name == "new_full" or name == "full" and dtype is not None:
        size = kwargs.get("size", sizes[0] if sizes else ())
        dtype = dtype or args[0].dtype
        return _on_meta_like(tuple(map(int, [size] if isinstance(size, int) else size)), dtype, recorded)
    made = func(*args, **kwargs)
    return _on_meta_like(tuple(made.shape), made.dtype, not made.stop_gradient)


def _parameter_on_meta(tensor, recorded):
    return _torch("nn.Parameter")(_on_meta_like(tuple(tensor.shape), tensor.dtype), requires_grad=recorded)


class _MetaTensor(paddle.Tensor):
    """A tensor on the meta device: it has a shape and a dtype, and its values cannot be read."""

    _is_on_meta = True

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        name, kwargs = getattr(func, "__name__", ""), dict(kwargs or {})
        before, _whom_to_ask.classes = _whom_to_ask.classes, False
        try:
            if name in ("__get__", "__set__"):
                attribute = _name_of_getter(func)
                found = _attribute_on_meta(attribute, args[0]) if name == "__get__" else None
                if found is not None:
                    return found
                found = func(*args)
                return found if attribute == "_base" else _convert(found, _MetaTensor)
            found = _of_meta(func, name, args, kwargs)
        finally:
            _whom_to_ask.classes = before
        device = (name in _MADE_ALIKE or name in _MADE_NEW) and isinstance(found, paddle.Tensor) and not _is_on_meta(found)
        return found if device else _convert(found, _MetaTensor)

    def __repr__(self, *, tensor_contents=None):
        parameter = isinstance(self, EagerParamBase)
        parts = ["...", "device='meta'", f"size={tuple(self.shape)}"]
        if self.dtype != getattr(paddle, paddle.get_default_dtype()) and self.dtype not in (paddle.bool,):
            parts.append(f"dtype={str(self.dtype).replace('paddle', 'torch')}")
        elif self.dtype == paddle.bool:
            parts.append("dtype=torch.bool")
        if not self.stop_gradient and self.is_leaf:
            parts.append("requires_grad=True")
        elif not self.stop_gradient:
            parts.append(f"grad_fn=<{type(self.grad_fn).__name__}>")
        return f"{'Parameter containing:' if parameter else ''}{chr(10) if parameter else ''}tensor({', '.join(parts)})"

    def __format__(self, text):
        if text and not self.ndim:
            raise RuntimeError(_NO_ITEM)
        return format(repr(self), text)

    def __deepcopy__(self, memo):
        if id(self) not in memo:
            recorded = not self.stop_gradient
            if isinstance(self, EagerParamBase):
                made = _parameter_on_meta(self, recorded)
            else:
                made = _on_meta_like(tuple(self.shape), self.dtype, recorded, vars(self).get(_META_STEPS))
            memo[id(self)] = made
        return memo[id(self)]

    def __reduce_ex__(self, protocol):
        steps = vars(self).get(_META_STEPS) or _contiguous_steps(self.shape)
        recorded, shape = not self.stop_gradient, Size(self.shape)
        _rebuild_meta_tensor_no_storage.__module__ = "torch._utils"  # where it is found again
        _rebuild_meta_tensor_no_storage.__qualname__ = "_rebuild_meta_tensor_no_storage"
        if not isinstance(self, EagerParamBase):
            return _rebuild_meta_tensor_no_storage, (self.dtype, shape, steps, recorded)
        plain = _on_meta_like(tuple(self.shape), self.dtype, False, steps)
        return _torch("_utils._rebuild_parameter"), (plain, recorded, collections.OrderedDict())


class _MethodOnMeta:
    """A method for code that asks no classes, as that of Paddle: no values, and no plain tensors as results."""

    def __init__(self, name):
        self.name = name

    def __get__(self, tensor, owner=None):
        theirs = paddle.Tensor.__dict__.get(self.name)
        if _for_code(_covered, sys._getframe(1)) is not _NOTHING:
            return _tensor_method(self.name).__get__(tensor, owner)
        found = getattr(theirs, "theirs", theirs)
        if found is None:
            raise AttributeError(f"'Tensor' object has no attribute '{self.name}'")
        return found if tensor is None else functools.partial(self._run, found, tensor)

    def _run(self, method, *args, **kwargs):
        _refuse_reading(self.name, args)
        return _convert(method(*args, **kwargs), _MetaTensor)


_OF_TENSORS_ITSELF = "get_tensor reconstruct_from_ register_hook backward is_dense is_dist is_sparse_coo_tensor".split()


def _with_devices_checked(call):
    """Calls of layers whose parameters and what they are called with are on one device."""

    def checked(self, *args, **kwargs):
        of_layer = [each for each in self._parameters.values() if each is not None]
        if of_layer and _whom_to_ask.classes:  # else inside a function that is asked as a whole
            given = [each for each in _tensors_inside((*args, *kwargs.values())) if each.ndim]
            if given and _is_on_meta(of_layer[0]) and type(given[0]) is paddle.Tensor:
                raise RuntimeError("Tensor on device meta is not on the expected device cpu!")
            if given and _is_on_meta(given[0]) and not _is_on_meta(of_layer[0]):
                raise RuntimeError("Tensor on device cpu is not on the expected device meta!")
        return call(self, *args, **kwargs)

    return checked


_prepared: list = []  # not empty: there may be tensors of the class


def _prepare():
    """Complete the class when its first tensor is made."""
    if _prepared:
        return
    _prepared.append(True)
    _begin(_MetaTensor)
    _MetaTensor.__name__ = _MetaTensor.__qualname__ = "Tensor"
    _complete(_MetaTensor)
    members = {_KIND_OF_RESULTS: _MetaTensor, "__module__": __name__}
    members["__torch_function__"] = vars(_MetaTensor)["__torch_function__"]
    _kinds_of_parameters[_MetaTensor] = type("Parameter", (_MetaTensor, EagerParamBase), members)
    for name, member in [*vars(paddle.Tensor).items()]:
        method = getattr(member, "theirs", member)
        called = callable(method) and not isinstance(member, (staticmethod, classmethod, type))
        if called and name[0] != "_" and name not in _OF_TENSORS_ITSELF or name in (*_OF_VALUES, "__array__"):
            setattr(_MetaTensor, name, _MethodOnMeta(name))
    scoped = _static(paddle.nn.Layer, "__call__")
    scoped.theirs = _with_devices_checked(scoped.theirs)
    scoped.homes.update({home: _with_devices_checked(call) for home, call in scoped.homes.items()})


def _rebuild_meta_tensor_no_storage(dtype, size, stride, requires_grad):
    return _on_meta_like(tuple(size), dtype, requires_grad, stride)


_names_of_attributes: list = []  # (attribute, name)


def _name_of_getter(getter):
    """The name of an attribute, of the function that gets it."""
    if not _names_of_attributes:
        _names_of_attributes.extend((_descriptor(name), name) for name in _ATTRIBUTES)
    return next((name for attribute, name in _names_of_attributes if attribute is getter.__self__), None)


_mode_begun: list = []


def _begin_mode():
    """Once there is a default of this kind, parameters that layers of Paddle's make are made on it."""
    if _mode_begun:
        return
    _mode_begun.append(True)
    theirs = LayerHelperBase.create_parameter

    def create_parameter(self, attr, shape, dtype=None, *args, **kwargs):
        if not _is_for_meta(kwargs.get("device")):
            return theirs(self, attr, shape, dtype, *args, **kwargs)
        if attr is False:
            return None
        kind = getattr(paddle, str(dtype or paddle.get_default_dtype()).rpartition(".")[2])
        return _torch("nn.Parameter")(_on_meta_like(tuple(map(int, shape)), kind), getattr(attr, "trainable", True))

    LayerHelperBase.create_parameter = create_parameter


class DeviceContext:
    """A mode in which tensors are made on a device if none is named."""

    def __init__(self, device):
        self.device = device if isinstance(device, paddle.device.Device) else _new_device(paddle.device.Device, device)

    def __enter__(self):
        _ask_classes()
        _begin_mode()
        _default_devices.contexts = (*_default_devices.contexts, self)
        _with_modes.append(self)
        _whom_to_ask.modes = (*_whom_to_ask.modes, self)
        return self

    def __exit__(self, *raised):
        """Also where another mode was entered after it."""
        _default_devices.contexts = tuple(each for each in _default_devices.contexts if each is not self)
        _whom_to_ask.modes = tuple(each for each in _whom_to_ask.modes if each is not self)
        _with_modes.remove(self)

    def __torch_function__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        if getattr(func, "__name__", "") in ("__get__", "__set__"):  # which ask nobody by themselves
            return _ask(func, args)
        if getattr(func, "__name__", "") in _MAKING and kwargs.get("device") is None:
            kwargs = {**kwargs, "device": self.device}
        return func(*args, **kwargs)

    @staticmethod
    def on_meta(tensor):
        """A tensor, or a parameter, that stands for one on the meta device."""
        if isinstance(tensor, EagerParamBase):
            return _parameter_on_meta(tensor, not tensor.stop_gradient)
        return _on_meta_like(tuple(tensor.shape), tensor.dtype, not tensor.stop_gradient)

    @staticmethod
    def made(func, name, args, kwargs):
        """What a function gives whose device is meta."""
        if name == "to":
            made = args[0]
            rest = tuple(each for each in args[1:] if not _names_meta(each))
            options = {key: each for key, each in kwargs.items() if key != "device"}
            made = func(made, *rest, **options) if rest or options else made
            return _on_meta_like(tuple(made.shape), made.dtype, not made.stop_gradient, made.strides)
        return _made_here(func, name, args, {key: each for key, each in kwargs.items() if key != "device"})
