import paddle

from .memory_formats import _DEFAULT, _channels_are_last, _rank
from .methods_of_tensors import _methods
from .sparse_arguments import _called_on_sparse, _sparse_made


def _in_order(tensor):
    return tensor if tensor.is_contiguous() else tensor.clone()


def contiguous(self, *, memory_format=_DEFAULT):
    if _sparse_made and not self.is_dense():
        return _called_on_sparse("contiguous", (self,), {})
    rank = _rank(memory_format, "contiguous")
    if not rank:
        if repr(memory_format) == "torch.preserve_format" and not self.is_contiguous():
            raise RuntimeError("preserve memory format is unsupported by the contiguous operator")
        return _in_order(self)
    if self.ndim != rank:
        name = repr(memory_format).removeprefix("torch.")
        raise RuntimeError(f"required rank {rank} tensor to use {name} format")
    if _channels_are_last(self):
        return self
    return paddle.moveaxis(_in_order(paddle.moveaxis(self, 1, -1)), -1, 1)


_methods(contiguous=contiguous)
