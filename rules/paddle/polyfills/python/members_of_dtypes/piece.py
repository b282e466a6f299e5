import copyreg

import paddle

from .methods_of_tensors import _members

_REAL_OF = {"complex64": paddle.float32, "complex128": paddle.float64}
_COMPLEX_OF = {
    "bfloat16": paddle.complex64,
    "float32": paddle.complex64,
    "float64": paddle.complex128,
}


def _dtype_name(dtype):
    return dtype.name.lower()


def to_real(dtype):
    return _REAL_OF.get(_dtype_name(dtype), dtype)


def to_complex(dtype):
    name = _dtype_name(dtype)
    if name not in _COMPLEX_OF and name not in _REAL_OF:
        # of float16 Paddle has none
        raise RuntimeError(f"there is no complex dtype for torch.{name}")
    return _COMPLEX_OF.get(name, dtype)


_members(
    paddle.dtype,
    itemsize=property(paddle.base.core.size_of_dtype),
    is_floating_point=property(lambda dtype: "float" in _dtype_name(dtype)),
    is_complex=property(lambda dtype: "complex" in _dtype_name(dtype)),
    is_signed=property(lambda dtype: not _dtype_name(dtype).startswith(("uint", "bool"))),
    to_real=to_real,
    to_complex=to_complex,
)
# A copy of a dtype is the dtype itself, as code compares it by `is`.
copyreg.pickle(paddle.dtype, lambda dtype: (getattr, (paddle.dtype, dtype.name)))
