from .computing import _is_equal
from .noted import _note


def equal(input, other):
    """Whether two tensors have the same shape and elements, as a bool."""
    _note("torch.equal")
    if tuple(input.shape) != tuple(other.shape):
        return False
    if input.dtype != other.dtype:
        kinds = input.is_complex() or other.is_complex(), _is_real(input) or _is_real(other)
        wide = "complex128" if kinds[0] else "float64" if kinds[1] else "int64"
        input, other = input.astype(wide), other.astype(wide)
    elif "float8" in str(input.dtype):  # which Paddle does not compare
        input, other = input.astype("float32"), other.astype("float32")
    return bool(_is_equal(input, other).all())


def _is_real(tensor):
    return tensor.is_floating_point()
