import paddle

from .computing import _as_dtype
from .methods_of_tensors import _as_in_torch
from .shapes_and_indices import index_copy
from .torchs_meaning import _torch


def diag_embed(input, offset=0, dim1=-2, dim2=-1):
    """Matrices with these diagonals; Paddle's own has no gradient."""
    rank = input.ndim + 1
    for each in (dim1, dim2):
        if not -rank <= each < rank:
            raise IndexError(f"Dimension out of range: {each} of {rank} dimensions")
    if dim1 % rank == dim2 % rank:
        raise RuntimeError(f"diagonal dimensions cannot be identical {dim1}, {dim2}")
    count = input.shape[-1]
    size = count + abs(offset)
    if not count:
        empty = paddle.zeros([*input.shape[:-1], size, size], input.dtype)
        return paddle.moveaxis(empty, [-2, -1], [dim1, dim2])
    rows = paddle.arange(size).unsqueeze(1) - max(-offset, 0)
    inside = (paddle.arange(size) - max(offset, 0) == rows) & (rows >= 0)
    spread = input.unsqueeze(-1)
    if offset:
        places = (paddle.arange(size) - max(-offset, 0)).clip(0, count - 1)
        spread = _torch("index_select")(input, input.ndim - 1, places).unsqueeze(-1)
    made = _torch("where")(inside, spread, paddle.zeros([], dtype=input.dtype))
    return paddle.moveaxis(made, [-2, -1], [dim1, dim2])


def diagonal_scatter(input, src, offset=0, dim1=0, dim2=1):
    every = paddle.arange(input.size).reshape(input.shape)
    places = paddle.diagonal(every, offset, dim1, dim2)
    if places.shape != src.shape:
        raise RuntimeError(
            "expected src to have a size equal to the slice of self. "
            f"src size = {list(src.shape)}, slice size = {list(places.shape)}"
        )
    values = _as_dtype(src, input.dtype, input.place).reshape([-1])
    return index_copy(input.reshape([-1]), 0, places.reshape([-1]), values).reshape(input.shape)


_as_in_torch(diag_embed, diagonal_scatter)
