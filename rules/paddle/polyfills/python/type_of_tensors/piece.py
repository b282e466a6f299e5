import paddle

from .methods_of_tensors import _methods
from .sparse_arguments import _called_on_sparse

_KIND_NAMES = {
    "float32": "Float",
    "float64": "Double",
    "float16": "Half",
    "bfloat16": "BFloat16",
    "uint8": "Byte",
    "int8": "Char",
    "int16": "Short",
    "int32": "Int",
    "int64": "Long",
    "bool": "Bool",
    "complex64": "ComplexFloat",
    "complex128": "ComplexDouble",
}


def _as_type(self, dtype=None, non_blocking=False):
    """The name of a tensor's kind; given one, torch.FloatTensor or a dtype, the tensor as that."""
    own = str(self.dtype).rpartition(".")[2]
    sparse = not self.is_dense()
    if dtype is None:
        kind = f"{'sparse.' if sparse else ''}{_KIND_NAMES[own]}Tensor"
        return f"torch.{'cuda.' if self.place.is_gpu_place() else ''}{kind}"
    if isinstance(dtype, str):
        names = {f"{kind}Tensor": name for name, kind in _KIND_NAMES.items()}
        where, _, kind = dtype.rpartition(".")
        if kind not in names or where not in ("torch", "torch.cuda"):
            raise ValueError(f"invalid type: '{dtype}'")
        if self.place.is_gpu_place() != (where == "torch.cuda"):
            self = self.cuda() if where == "torch.cuda" else self.cpu()
        dtype = getattr(paddle, names[kind])
    elif isinstance(dtype, type):  # torch.FloatTensor
        dtype = dtype().dtype
    if sparse:
        return _called_on_sparse("to", (self, dtype), {})
    return self if self.dtype == dtype else self.astype(dtype)


_methods(type=_as_type)
