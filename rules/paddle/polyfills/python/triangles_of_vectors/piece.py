import math

import paddle


def tril_matrix_to_vec(mat, diag=0):
    order = mat.shape[-1]
    if not -order <= diag < order:
        raise ValueError(f"diag ({diag}) provided is outside [{-order}, {order - 1}].")
    rows, columns = paddle.tril_indices(order, order, diag)
    return mat.flatten(-2).index_select(rows * order + columns, -1)


def vec_to_tril_matrix(vec, diag=0):
    length = vec.shape[-1]
    order = (math.sqrt((1 + 2 * diag) ** 2 + 8 * length + 4 * abs(diag) * (diag + 1)) - 1) / 2
    order -= diag
    if abs(round(order) - order) > 1e-9:
        raise ValueError(f"The size of last dimension is {length} which cannot be expressed as a triangle.")
    order = round(order)
    rows, columns = paddle.tril_indices(order, order, diag)
    place = paddle.full([order * order], length, "int64")  # of the zero that is put at the end
    place = paddle.scatter(place, rows * order + columns, paddle.arange(length))
    padded = paddle.concat([vec, paddle.zeros_like(vec[..., :1])], -1)
    return padded.index_select(place, -1).reshape([*vec.shape[:-1], order, order])
