import paddle

from .composed_functions import broadcast_shapes, isclose
from .methods_of_tensors import _methods
from .noted import _note

_LARGER = {"float16": "float32", "bfloat16": "float32"}
_LARGER |= dict.fromkeys(("uint8", "int8", "int16", "bool"), "int32")
_paddle_allclose = paddle.allclose


def allclose(input, other, rtol=1e-05, atol=1e-08, equal_nan=False):
    """Whether all elements are close, as a bool."""
    _note("torch.allclose")
    if input.dtype != other.dtype:
        raise RuntimeError(f"{input.dtype} did not match {other.dtype}")
    larger = _LARGER.get(str(input.dtype).rpartition(".")[2])
    if larger:
        input, other = input.astype(larger), other.astype(larger)
    if input.shape != other.shape:
        shape = broadcast_shapes(input.shape, other.shape)
        input, other = input.expand(shape), other.expand(shape)
    if input.is_complex():  # the distance of the two numbers counts
        gap = (input - other).abs()
        near = (gap <= atol + rtol * other.abs()) & (gap < float("inf"))
        near |= input == other
        if equal_nan:
            near |= (input != input) & (other != other)
        return bool(near.all())
    if not _paddle_allclose(input, other, float(rtol), float(atol), equal_nan):
        return False
    # Paddle allows 1e-15 more.
    return atol > 1e-12 or bool(isclose(input, other, rtol, atol, equal_nan).all())


_methods(allclose=allclose)
