import paddle

from .parts_of_sparse import _added_up, _coalesced, _coo, _coo_parts, _csr, _place_numbers
from .sparse_arguments import _is_sparse_tensor, _not_of_sparse
from .torchs_meaning import _torch


def _sparse_values(values, dtype, device, requires_grad):
    """The values of a sparse tensor, as a tensor of the dtype and on the device asked for."""
    if not isinstance(values, paddle.Tensor):
        values = _torch("tensor")(values)
    values = values if dtype is None else values.astype(dtype)
    values = values if device is None else values.to(device)
    return values.detach() if requires_grad else values


def _places(indices, values):
    indices = indices if isinstance(indices, paddle.Tensor) else _torch("tensor")(indices)
    return indices.astype("int64").to(values.place)


def sparse_coo_tensor(
    indices=None, values=None, size=None, *, dtype=None, device=None, pin_memory=False,
    requires_grad=False, check_invariants=None, is_coalesced=None,
):  # fmt: skip
    if indices is None and (size is None or values is not None):
        raise TypeError("sparse_coo_tensor() received an invalid combination of arguments: indices or only a size")
    if values is None or isinstance(indices, int):  # sizes: all zeros
        if size is None:
            size = indices if values is None else (indices, values)
        indices, values = paddle.zeros([len(size), 0], dtype="int64"), paddle.zeros([0])
    values = _sparse_values(values, dtype, device, requires_grad)
    indices = _places(indices, values)
    if indices.ndim != 2:
        raise RuntimeError(f"indices must be sparse_dim x nnz, but got: {list(indices.shape)}")
    if indices.shape[1] != values.shape[0]:
        raise RuntimeError(
            f"indices and values must have same nnz, but got nnz from indices: {indices.shape[1]}, nnz from values: "
            f"{values.shape[0]}"
        )
    if size is None:
        highest = indices.max(1).tolist() if indices.shape[1] else [-1] * indices.shape[0]
        size = [length + 1 for length in highest] + list(values.shape[1:])
    elif indices.shape[1] and (check_invariants or indices.place.is_cpu_place()):
        for dim, (low, high) in enumerate(zip(indices.min(1).tolist(), indices.max(1).tolist(), strict=True)):
            if low < 0:
                raise RuntimeError(f"found negative index {low} for dim {dim}")
            if high >= size[dim]:
                raise RuntimeError(
                    f"size is inconsistent with indices: for dim {dim}, size is {size[dim]} but found index {high}"
                )
    made = _coo(indices, values, size, bool(is_coalesced))
    return _asking_for_gradient(made) if requires_grad else made


def _asking_for_gradient(tensor):
    tensor.stop_gradient = False
    return tensor


def sparse_csr_tensor(
    crow_indices, col_indices, values, size=None, *, dtype=None, device=None, pin_memory=False,
    requires_grad=False, check_invariants=None,
):  # fmt: skip
    values = _sparse_values(values, dtype, device, requires_grad)
    crow, col = _places(crow_indices, values), _places(col_indices, values)
    if size is None:
        size = [crow.shape[0] - 1, col.max().item() + 1 if col.shape[0] else 0]
    made = _csr(crow, col, values, size)
    return _asking_for_gradient(made) if requires_grad else made


def sparse_sum(input, dim=None, dtype=None):
    """Dense where no sparse dimension is left, else sparse, its entries of one place together."""
    if not _is_sparse_tensor(input) or input.is_sparse_csr():
        raise _not_of_sparse("_indices", input)
    if dim is not None:
        input = _coalesced(input)
    (indices, values), ndim = _coo_parts(input), input.ndim
    values = values if dtype is None else values.astype(dtype)
    if dim is None:
        return _torch("sum")(values)
    dims = {each % ndim for each in (dim if isinstance(dim, (tuple, list)) else [dim])}
    kept = [each for each in range(len(indices)) if each not in dims]
    if dense := [each - len(indices) + 1 for each in sorted(dims) if each >= len(indices)]:
        values = values.sum(dense)
    if not kept:
        return _torch("sum")(values, 0)
    shape = [input.shape[each] for each in kept]
    rest = [length for each, length in enumerate(input.shape) if each >= len(indices) and each not in dims]
    if len(kept) == len(indices):
        return _coo(indices, values, [*shape, *rest], True)
    return _added_up(_place_numbers(indices[kept], shape), values, shape, rest)
