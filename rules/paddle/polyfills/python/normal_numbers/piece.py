import paddle

from .computing import _applied
from .random_tensors import randn


def normal(mean, std=1.0, size=None, *, generator=None, out=None, dtype=None, requires_grad=False, **options):
    """Numbers drawn with means and standard deviations, each a number or a tensor."""
    tensors = [each for each in (mean, std) if isinstance(each, paddle.Tensor)]
    if (std < 0).any() if isinstance(std, paddle.Tensor) else std < 0:
        raise RuntimeError("normal expects all elements of std >= 0.0")
    with paddle.no_grad():  # torch's has gradients of zeros
        if not tensors:
            made = randn(list(size), generator=generator, dtype=dtype, **options) * std + mean
        else:
            shape = paddle.broadcast_shape(*[getattr(each, "shape", []) for each in (mean, std)])
            kind, place = tensors[0].dtype, tensors[0].place
            drawn = randn(shape, generator=generator, dtype=kind, device=place)
            made = _applied(lambda x, y, z: z * y + x, kind, mean, std, drawn)
    made.stop_gradient = not requires_grad
    return made if out is None else paddle.assign(made, out)
