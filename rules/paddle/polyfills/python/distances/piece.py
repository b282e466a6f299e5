import paddle

from .computing import _HALVES
from .torchs_meaning import _torch


def pairwise_distance(x1, x2, p=2.0, eps=1e-6, keepdim=False):
    away = _torch("add")(_torch("sub")(x1, x2), eps)
    return _torch("linalg.vector_norm")(away, p, -1, keepdim)


def triplet_margin_loss(
    anchor,
    positive,
    negative,
    margin=1.0,
    p=2,
    eps=1e-6,
    swap=False,
    size_average=None,
    reduce=None,
    reduction="mean",
):
    if size_average is not None or reduce is not None:
        whole = "mean" if size_average is None or size_average else "sum"
        reduction = "none" if reduce is not None and not reduce else whole
    if margin <= 0:
        raise ValueError(f"margin must be greater than 0, got {margin}")
    near, far = (pairwise_distance(anchor, each, p, eps) for each in (positive, negative))
    if swap:
        far = _torch("minimum")(far, pairwise_distance(positive, negative, p, eps))
    each = _torch("clamp")(_torch("sub")(_torch("add")(near, margin), far), min=0)
    return each if reduction == "none" else _torch(reduction)(each)


def local_response_norm(input, size, alpha=1e-4, beta=0.75, k=1.0):
    """Each value by what those of the channels around it come to."""
    if input.ndim < 3:
        raise ValueError(
            f"Expected 3D or higher dimensionality input (got {input.ndim} dimensions)"
        )
    if not input.size:
        return input
    squares = _torch("mul")(input, input)
    if not input.is_floating_point():
        squares = squares.astype(paddle.get_default_dtype())
    shape = [*input.shape]
    flat = squares.reshape([shape[0], 1, shape[1], -1])
    padded = paddle.nn.functional.pad(flat.astype(paddle.float32) if flat.dtype in _HALVES else flat, [0, 0, size // 2, (size - 1) // 2])
    around = paddle.nn.functional.avg_pool2d(padded, (size, 1), stride=1).reshape(shape).astype(squares.dtype)
    if not input.is_floating_point():
        around = around.floor()
    rate = _torch("pow")(_torch("add")(_torch("mul")(around, alpha), k), beta)
    return _torch("div")(input, rate)
