import paddle


def _sparse_values(values, dtype, device, requires_grad):
    """The values of a sparse tensor, as a tensor of the dtype and on the device asked for."""
    if not isinstance(values, paddle.Tensor):
        values = paddle.to_tensor(values)
    values = values if dtype is None else values.astype(dtype)
    values = values if device is None else values.to(device)
    if requires_grad:
        values = values.detach()
        values.stop_gradient = False
    return values


def _places(indices, values):
    indices = indices if isinstance(indices, paddle.Tensor) else paddle.to_tensor(indices)
    return indices.astype("int64").to(values.place)


def sparse_coo_tensor(
    indices=None, values=None, size=None, *, dtype=None, device=None, pin_memory=False,
    requires_grad=False, check_invariants=None, is_coalesced=None,
):  # fmt: skip
    if indices is None and (size is None or values is not None):
        raise TypeError("sparse_coo_tensor() received an invalid combination of arguments: indices or only a size")
    if values is None or not isinstance(indices, (paddle.Tensor, list)):  # sizes: all zeros
        if size is None:
            size = indices if values is None else (indices, values)
        indices, values = paddle.zeros([len(size), 0], dtype="int64"), paddle.zeros([0])
    values = _sparse_values(values, dtype, device, requires_grad)
    indices = _places(indices, values)
    if indices.ndim != 2 or indices.shape[1] != values.shape[0]:
        raise RuntimeError(
            f"number of dimensions must be sparse_dim and nnz must be the same: indices have the "
            f"shape {list(indices.shape)}, values {list(values.shape)}"
        )
    if size is None:
        highest = indices.max(1).tolist() if indices.shape[1] else [-1] * indices.shape[0]
        size = [length + 1 for length in highest] + list(values.shape[1:])
    elif indices.shape[1] and (check_invariants or indices.place.is_cpu_place()):
        low, high = indices.min().item(), (indices.max(1) - paddle.to_tensor(size[: len(indices)]))
        if low < 0 or high.max().item() >= 0:
            raise RuntimeError(f"size is inconsistent with indices: {list(size)}")
    made = paddle._C_ops.sparse_sparse_coo_tensor(values, indices, list(size))
    return made.coalesce() if is_coalesced else made


def sparse_csr_tensor(
    crow_indices, col_indices, values, size=None, *, dtype=None, device=None, pin_memory=False,
    requires_grad=False, check_invariants=None,
):  # fmt: skip
    values = _sparse_values(values, dtype, device, requires_grad)
    crow, col = _places(crow_indices, values), _places(col_indices, values)
    if size is None:
        size = [crow.shape[0] - 1, col.max().item() + 1 if col.shape[0] else 0]
    return paddle.sparse.sparse_csr_tensor(
        crow, col, values, list(size), stop_gradient=values.stop_gradient
    )


def _sparse_entries(matrix):
    """(rows, columns, values) of a sparse matrix."""
    if matrix.is_sparse_csr():
        crow = matrix.crows()
        rows = paddle.arange(matrix.shape[0]).repeat_interleave(crow[1:] - crow[:-1])
        return rows, matrix.cols(), matrix.values()
    return matrix.indices()[0], matrix.indices()[1], matrix.values()


def _product(left, right):
    """The product of two sparse matrices: the pairs that meet, and their sums."""
    rows, inner, values = _sparse_entries(left)
    theirs, columns, factors = _sparse_entries(right)
    order = paddle.argsort(theirs, stable=True)
    count = paddle.bincount(theirs, minlength=right.shape[0])
    first = paddle.cumsum(count) - count
    pairs = count[inner]
    mine = paddle.arange(rows.shape[0]).repeat_interleave(pairs)
    step = paddle.arange(mine.shape[0]) - (paddle.cumsum(pairs) - pairs)[mine]
    other = order[first[inner][mine] + step]
    width = right.shape[1]
    met, sums = paddle.unique(rows[mine] * width + columns[other], return_inverse=True)
    total = paddle.zeros([met.shape[0]], dtype=values.dtype)
    total = total.index_add(sums, 0, values[mine] * factors[other])
    indices = paddle.stack([met // width, met % width])
    return paddle._C_ops.sparse_sparse_coo_tensor(total, indices, [left.shape[0], width])


def _is_sparse(matrix):
    return matrix.is_sparse_coo() or matrix.is_sparse_csr()


def sparse_mm(mat1, mat2, reduce="sum"):
    if reduce != "sum":
        raise NotImplementedError(f"torch.sparse.mm with reduce={reduce!r} under Paddle")
    if not _is_sparse(mat1):
        raise RuntimeError("torch.sparse.mm wants a sparse matrix first")
    if mat1.shape[1] != mat2.shape[0]:
        raise RuntimeError(f"shapes cannot be multiplied: {mat1.shape} and {mat2.shape}")
    if _is_sparse(mat2):
        return _product(mat1, mat2)
    rows, columns, values = _sparse_entries(mat1)
    total = paddle.zeros([mat1.shape[0], mat2.shape[1]], dtype=mat2.dtype)
    return total.index_add(rows, 0, values.unsqueeze(1) * mat2[columns])


def sparse_sum(input, dim=None, dtype=None):
    """Dense where no sparse dimension is left, else sparse, its entries of one place together."""
    if not input.is_sparse_coo():
        raise NotImplementedError("torch.sparse.sum under Paddle takes tensors of layout COO alone")
    indices, values, ndim = input.indices(), input.values(), input.ndim
    values = values if dtype is None else values.astype(dtype)
    if dim is None:
        return values.sum()
    dims = {each % ndim for each in (dim if isinstance(dim, (tuple, list)) else [dim])}
    kept = [each for each in range(len(indices)) if each not in dims]
    if dense := [each - len(indices) + 1 for each in sorted(dims) if each >= len(indices)]:
        values = values.sum(dense)
    if not kept:
        return values.sum(0)
    place = paddle.zeros([indices.shape[1]], dtype=indices.dtype)
    for each in kept:
        place = place * input.shape[each] + indices[each]
    met, sums = paddle.unique(place, return_inverse=True)
    total = paddle.zeros([met.shape[0], *values.shape[1:]], dtype=values.dtype)
    rows = []
    for each in reversed(kept):
        rows.insert(0, met % input.shape[each])
        met = met // input.shape[each]
    size = [length for each, length in enumerate(input.shape) if each not in dims]
    values = total.index_add(sums, 0, values)
    return paddle._C_ops.sparse_sparse_coo_tensor(values, paddle.stack(rows), size)
