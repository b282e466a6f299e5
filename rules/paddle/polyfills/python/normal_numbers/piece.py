import paddle

from .computing import _applied
from .generators import _random


@_random
def normal(
    mean, std=1.0, size=None, *, dtype=None, layout=None, device=None, requires_grad=False, pin_memory=False
):
    """Numbers drawn with means and standard deviations, each a number or a tensor."""
    tensors = [each for each in (mean, std) if isinstance(each, paddle.Tensor)]
    if (std < 0).any() if isinstance(std, paddle.Tensor) else std < 0:
        raise RuntimeError("normal expects all elements of std >= 0.0")
    if not tensors:
        made = paddle.normal(mean, std, list(size)).astype(dtype or paddle.get_default_dtype())
        made.stop_gradient = not requires_grad
        return made
    shape = paddle.broadcast_shape(*[getattr(each, "shape", []) for each in (mean, std)])
    dtype = tensors[0].dtype
    with paddle.no_grad():  # torch's has gradients of zeros
        return _applied(lambda x, y: paddle.randn(shape, dtype=x.dtype) * y + x, dtype, mean, std)
