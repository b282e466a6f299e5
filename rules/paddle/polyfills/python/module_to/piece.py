import paddle

from .data_of_tensors import _set_data
from .methods_of_tensors import _members
from .pythons_types_as_dtypes import _of_dtype
from .states_of_modules import _of_class
from .torchs_meaning import _tensor_method, _torch

_NOT_OF_MODULES = (paddle.bool, paddle.uint8, paddle.int8, paddle.int16, paddle.int32, paddle.int64)


def _is_meta(tensor):
    return getattr(type(tensor), "_is_on_meta", False)


def _apply(self, fn, recurse=True):
    """Put what a function makes of each parameter, its gradient and each buffer in its place."""
    for each in self.children() if recurse else ():
        _of_class(each, _apply)(fn)
    with paddle.no_grad():
        for name, parameter in [(name, each) for name, each in self._parameters.items() if each is not None]:
            gradient = parameter.grad
            for old in (parameter,) if gradient is None else (parameter, gradient):
                made = fn(old)
                if _is_meta(made) != _is_meta(old):  # of another class: torch makes another parameter, too
                    self._parameters[name] = _torch("nn.Parameter")(made, not parameter.stop_gradient)
                    break
                if made is not old:
                    _set_data(old, made)
        for name, buffer in self._buffers.items():
            self._buffers[name] = buffer if buffer is None else fn(buffer)
    return self


def _applying(method):
    return lambda self, *args: _of_class(self, _apply)(lambda each: _tensor_method(method)(each, *args))


def _convert_module(self, device, dtype, converted=paddle.is_floating_point):
    for each in self.sublayers(include_self=True) if dtype is not None else ():
        each._dtype = dtype
    move = _tensor_method("to")


    def convert(each):
        try:
            return move(each, device, dtype if converted(each) else None)
        except NotImplementedError as error:
            if not _is_meta(each):
                raise
            raise NotImplementedError(
                f"{error} Please use torch.nn.Module.to_empty() instead of torch.nn.Module.to() when moving module from meta"
                " to a different device."
            ) from None

    return _of_class(self, _apply)(convert)


def _module_to_empty(self, *, device, recurse=True):
    """On a device: what has values keeps them."""
    move, alike = _tensor_method("to"), _torch("empty_like")
    return _of_class(self, _apply)(
        lambda each: alike(each, device=device) if _is_meta(each) else move(each, device), recurse=recurse
    )


def _module_to(self, device=None, dtype=None, non_blocking=False, *, tensor=None, memory_format=None, blocking=None):
    """With a dtype or a tensor in the place of the device, too: tensors of integers keep their dtype."""
    like = device if isinstance(device, paddle.Tensor) else tensor
    if like is not None:
        device, dtype = like.place, like.dtype
    elif isinstance(device, (type, type(paddle.float32))):
        device, dtype = None, device
    dtype = _of_dtype(dtype) if isinstance(dtype, type) else dtype
    if dtype in _NOT_OF_MODULES:
        said = str(dtype).replace("paddle", "torch")
        raise TypeError(f"nn.Module.to only accepts floating point or complex dtypes, but got desired dtype={said}")
    return _convert_module(self, device, dtype, lambda each: each.is_floating_point() or each.is_complex())


_members(
    paddle.nn.Layer,
    _apply=_apply,
    to=_module_to,
    to_empty=_module_to_empty,
    float=lambda self: _convert_module(self, None, paddle.float32),
    double=lambda self: _convert_module(self, None, paddle.float64),
    half=lambda self: _convert_module(self, None, paddle.float16),
    bfloat16=lambda self: _convert_module(self, None, paddle.bfloat16),
    type=lambda self, dst_type: _applying("type")(self, dst_type),
    cpu=lambda self: _convert_module(self, "cpu", None),
    cuda=lambda self, device=None: _applying("cuda")(self, *([] if device is None else [device])),
)
