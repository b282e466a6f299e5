import paddle

from .methods_of_tensors import _members


def _dtype_text(dtype):
    return f"torch.{dtype.name.lower()}"


_members(paddle.dtype, __str__=_dtype_text, __repr__=_dtype_text)
