import warnings

import paddle

from .methods_of_tensors import _members, _methods
from .torchs_meaning import _tensor_method, _torch


def is_pinned(self, device=None):
    """Whether the memory is such that a GPU reads it by itself."""
    return self.place.is_cuda_pinned_place()


def _is_no_inference(self):
    """Never: Paddle's inference_mode makes ordinary tensors."""
    return False


def _no_half_complex(self, memory_format=None):
    raise NotImplementedError("Paddle has no complex numbers of half precision")


def record_stream(self, stream):
    if self.place.is_cpu_place():
        raise RuntimeError("record_stream is for tensors on a GPU, and this one is on a CPU")
    self._record_stream(stream)


def resize(self, *sizes):
    warnings.warn("non-inplace resize is deprecated", stacklevel=2)
    size = sizes[0] if len(sizes) == 1 and isinstance(sizes[0], (list, tuple)) else sizes
    return _resized(self, size)


def _resized(tensor, size):
    """The same elements in another shape, with gradients."""
    count = 1
    for each in size:
        count *= each
    if count != tensor.size:
        raise RuntimeError(
            f"requested resize to {'x'.join(map(str, size))} ({count} elements in total), but the given tensor has a size of"
            f" {'x'.join(map(str, tensor.shape))} ({tensor.size} elements). autograd's resize can only change the shape of a given tensor,"
            " while preserving the number of elements."
        )
    return _tensor_method("reshape")(tensor, tuple(size))


def resize_as(self, tensor):
    warnings.warn("non-inplace resize_as is deprecated", stacklevel=2)
    return _resized(self, tuple(tensor.shape))


def map_(self, tensor, callable):
    """Put what a function makes of each element, and of that of another tensor, in its place."""
    return _mapped_in_place(self, (tensor,), callable)


def map2_(self, x, y, callable):
    return _mapped_in_place(self, (x, y), callable)


def _mapped_in_place(tensor, others, function):
    for at, each in enumerate(others, 1):
        if not isinstance(each, paddle.Tensor):
            raise TypeError(f"map_(): argument {at} must be Tensor, not {type(each).__name__}")
    if not tensor.stop_gradient or any(not each.stop_gradient for each in others):
        raise RuntimeError("Can't call map_() on Variable that requires grad. Use var.detach().map_() instead.")
    if any(each.dtype != tensor.dtype for each in others):
        raise TypeError("map_(): the tensors are of different types")
    flat = [_tensor_method("expand")(each, tensor.shape).flatten().tolist() for each in others]
    made = [function(*each) for each in zip(tensor.flatten().tolist(), *flat)]
    with paddle.no_grad():
        paddle.assign(paddle.to_tensor(made, dtype=tensor.dtype).reshape(tensor.shape), tensor)
    return tensor


def module_load(self, other, assign=False):
    """What load_state_dict puts in the place of a tensor of a module."""
    if assign:
        return other if type(other) is type(self) else _torch("nn.Parameter")(other, not self.stop_gradient)
    return other.detach()


def _compile_module(self, *args, **kwargs):
    """Calls of a module compiled: nothing is, as torch.compile compiles nothing."""
    _torch("compile")(self, *args, **kwargs)


_methods(
    **{each.__name__: each for each in (is_pinned, record_stream, resize, resize_as, map_, map2_)},
    is_inference=_is_no_inference,
    chalf=_no_half_complex,
)
_members(paddle.nn.Layer, compile=_compile_module)
