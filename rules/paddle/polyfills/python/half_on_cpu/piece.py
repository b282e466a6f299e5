import paddle

from .computing import _assign
from .methods_of_tensors import _methods
from .overrides import _register


_IDS_OF_HALF = frozenset(map(id, (paddle.float16, paddle.bfloat16)))  # to compare dtypes takes as long as a kernel


def _is_half_on_cpu(tensor):
    """Whether Paddle has next to no kernels for a tensor."""
    return id(tensor.dtype) in _IDS_OF_HALF and tensor.place.is_cpu_place()


def _is_recorded(*values):
    """Whether autograd records what is done with these."""
    tensors = [value for value in values if isinstance(value, paddle.Tensor)]
    return paddle.is_grad_enabled() and not all(tensor.stop_gradient for tensor in tensors)


def _retyped(value, old, new):
    """A value, or what is in it, in another dtype where it is a tensor of the old one."""
    if isinstance(value, (list, tuple)):
        make = getattr(value, "_make", type(value))  # a named tuple's, which type() is not
        return make(_retyped(item, old, new) for item in value)
    return value.astype(new) if isinstance(value, paddle.Tensor) and value.dtype == old else value


def _through_float32(name):
    """A method for half on a CPU too; in place, Paddle's own acts on a copy that autograd keeps."""
    theirs = getattr(paddle.Tensor, name)
    in_place = name.endswith("_")

    def method(self, *args, **kwargs):
        own, larger = self.dtype, paddle.float32
        tensors = [v for v in (*args, *kwargs.values()) if isinstance(v, paddle.Tensor)]
        mixed = any(tensor.is_floating_point() and tensor.dtype != own for tensor in tensors)
        if _is_half_on_cpu(self) and not mixed:
            kwargs = {key: _retyped(value, own, larger) for key, value in kwargs.items()}
            out = theirs(self.astype(larger), *_retyped(args, own, larger), **kwargs)
            out = _retyped(out, larger, own)
        elif in_place and _is_recorded(self, *tensors):
            out = theirs(self.clone(), *args, **kwargs)
        else:
            return theirs(self, *args, **kwargs)
        return _assign(out, self) if in_place else out

    return method


def _as_in_float32(functions, methods):
    """Give torch these functions, and tensors them and these methods."""
    found = {name: _through_float32(name) for name in (*functions, *methods)}
    _methods(**found)
    _register({}, {f"torch.{name}": found[name] for name in functions})
