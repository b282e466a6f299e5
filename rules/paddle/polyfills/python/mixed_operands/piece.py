import paddle

from .methods_of_tensors import _method, _methods
from .promotion import _kind, _result_dtype


def _of_two_dtypes(name):
    theirs = _method(name)  # by then one of larger_dtypes, which wants operands of one dtype
    in_place = name.endswith("_") and not name.endswith("__")

    def method(self, other, *args, **kwargs):
        if isinstance(other, paddle.Tensor) and other.dtype != self.dtype:
            dtype = _result_dtype(self, other)
            if in_place and _kind(dtype) > _kind(self.dtype):
                raise RuntimeError(f"result type {dtype} can't be cast to {self.dtype}")
            other = other.astype(self.dtype if in_place else dtype)
            self = self if in_place else self.astype(dtype)
        return theirs(self, other, *args, **kwargs)

    return method


_BINARY = [f"__{name}__" for name in "add sub mul truediv floordiv mod pow eq ne lt le gt ge".split()]
_BINARY += (
    "add sub subtract mul multiply div divide remainder pow eq ne lt le gt ge maximum minimum "
    "add_ sub_ subtract_ mul_ multiply_ div_ divide_"
).split()
_methods(**{name: _of_two_dtypes(name) for name in _BINARY if hasattr(paddle.Tensor, name)})
