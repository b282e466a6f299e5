import paddle

from .parts_of_sparse import (
    _as_coo, _coo, _coo_parts, _csr_of, _dense_of, _distinct, _for_sparse, _place_numbers, _sums_at, _with_values,
)  # fmt: skip
from .promotion import _kind
from .sparse_arguments import _is_sparse_tensor, _not_of_sparse
from .torchs_meaning import _torch
from .type_of_tensors import _KIND_NAMES


def _name_of_kind(tensor):
    return _KIND_NAMES[str(tensor.dtype).rpartition(".")[2]]


def _refuse_other_dtype(sparse, dense):
    if sparse.dtype != dense.dtype:
        first, second = _name_of_kind(sparse), _name_of_kind(dense)
        raise RuntimeError(f"expected scalar type {first} but found {second}")


def _entries_that_meet(inner, theirs, size):
    """Of two lists of places, all pairs of equal ones, in the order of the first."""
    order = paddle.argsort(theirs, stable=True)
    count = paddle.bincount(theirs, minlength=size)
    first = paddle.cumsum(count) - count
    pairs = count[inner]
    mine = paddle.arange(inner.shape[0]).repeat_interleave(pairs)
    step = paddle.arange(mine.shape[0]) - (paddle.cumsum(pairs) - pairs)[mine]
    return mine, order[first[inner][mine] + step]


def _product_of_sparse(left, right):
    """The product of two sparse matrices: the pairs that meet, and their sums."""
    if left.shape[1] != right.shape[0]:
        shapes = " and ".join("x".join(map(str, each.shape)) for each in (left, right))
        raise RuntimeError(f"mat1 and mat2 shapes cannot be multiplied ({shapes})")
    if left.dtype != right.dtype:
        first, second = _name_of_kind(left), _name_of_kind(right)
        raise RuntimeError(f"mat1 dtype {first} does not match mat2 dtype {second}")
    if _kind(left.dtype) < 2:
        raise NotImplementedError(f"\"sparse_matmul\" not implemented for '{_name_of_kind(left)}'")
    ((rows, inner), values), ((theirs, columns), factors) = _coo_parts(left), _coo_parts(right)
    shape = [left.shape[0], right.shape[1]]
    if values.shape[0] and factors.shape[0]:
        mine, other = _entries_that_meet(inner, theirs, right.shape[0])
        rows, columns, products = rows[mine], columns[other], _torch("mul")(values[mine], factors[other])
    else:
        rows = columns = paddle.zeros([0], dtype="int64")
        products = values[:0] * factors[:0]
    met, sums = _distinct(_place_numbers(paddle.stack([rows, columns]), shape))
    indices = paddle.stack([met // max(shape[1], 1), met % max(shape[1], 1)])
    made = _coo(indices, _sums_at(sums, products, met.shape[0]), shape, True)
    return _csr_of(made) if left.is_sparse_csr() else made


def _sparse_by_dense(sparse, dense):
    """Of a sparse matrix and a dense matrix or vector."""
    _refuse_other_dtype(sparse, dense)
    (rows, columns), values = _coo_parts(sparse)
    values = values.unsqueeze(1) if dense.ndim > 1 else values
    return _sums_at(rows, _torch("mul")(values, dense[columns]), sparse.shape[0])


def _dense_by_sparse(dense, sparse):
    _refuse_other_dtype(sparse, dense)
    (rows, columns), values = _coo_parts(sparse)
    products = _torch("mul")(dense.t()[rows], values.unsqueeze(1))
    return _sums_at(columns, products, sparse.shape[1]).t().contiguous()


@_for_sparse("mm", "spmm", "dsmm", "smm")
def _product_with_sparse(input, mat2, reduce="sum"):
    if mat2.ndim != 2:
        raise IndexError("Dimension out of range (expected to be in range of [-1, 0], but got 1)")
    if _is_sparse_tensor(input) and _is_sparse_tensor(mat2):
        return _product_of_sparse(input, mat2)
    if input.shape[1] != mat2.shape[0]:
        size = mat2.shape[0] if _is_sparse_tensor(mat2) else input.shape[1]
        found = input.shape[1] if _is_sparse_tensor(mat2) else mat2.shape[0]
        raise RuntimeError(f"addmm: Argument #3 (dense): Expected dim 0 size {size}, got {found}")
    return _sparse_by_dense(input, mat2) if _is_sparse_tensor(input) else _dense_by_sparse(input, mat2)


@_for_sparse("mv")
def _sparse_by_vector(input, vec):
    if _is_sparse_tensor(vec):
        raise _not_of_sparse("mv", vec)
    if input.shape[-1] != vec.shape[-1]:
        raise RuntimeError("mv: expected self.size(-1) == vec.size(-1)")
    return _sparse_by_dense(input, vec)


@_for_sparse("matmul")
def _any_product_with_sparse(input, other):
    dims = input.ndim, other.ndim
    if dims == (2, 2):
        return _product_with_sparse(input, other)
    if dims == (2, 1):
        return _sparse_by_vector(input, other)
    if dims == (1, 1):
        raise _not_of_sparse("dot", input)
    if dims == (1, 2) and not _is_sparse_tensor(input):
        return _product_with_sparse(input.unsqueeze(0), other).squeeze(0)
    if not _is_sparse_tensor(input) and other.ndim == 2:
        rows = _product_with_sparse(input.reshape([-1, input.shape[-1]]), other)
        return rows.reshape([*input.shape[:-1], other.shape[1]])
    if other.ndim <= 2:
        raise RuntimeError("reshape is not implemented for sparse tensors")
    raise RuntimeError("expand is unsupported for Sparse tensors")


@_for_sparse("rmatmul")
def _any_product_with_sparse_before(input, other):
    return _any_product_with_sparse(other, input)


@_for_sparse("bmm")
def _products_of_batch(input, mat2):
    if _is_sparse_tensor(mat2):
        raise RuntimeError("bmm_sparse: Tensor 'mat2' must be dense")
    _refuse_other_dtype(input, mat2)
    if input.ndim != 3 or mat2.ndim != 3 or input.shape[0] != mat2.shape[0] or input.shape[2] != mat2.shape[1]:
        shapes = f"{[*input.shape]} and {[*mat2.shape]}"
        raise RuntimeError(f"bmm_sparse: batches of matrices that fit are expected, not of shapes {shapes}")
    (batch, rows, columns), values = _coo_parts(input)
    count = input.shape[1]
    products = _torch("mul")(values.unsqueeze(1), mat2[batch, columns])
    return _sums_at(batch * count + rows, products, input.shape[0] * count).reshape([-1, count, mat2.shape[2]])


@_for_sparse("addmm", "saddmm")
def _added_product_with_sparse(input, mat1, mat2, *, beta=1, alpha=1):
    if not _is_sparse_tensor(mat1) and not _is_sparse_tensor(mat2):
        raise _not_of_sparse("addmm", input)
    if _is_sparse_tensor(input) and not (input.is_sparse_csr() and _is_sparse_tensor(mat1) and _is_sparse_tensor(mat2)):
        raise RuntimeError("addmm_sparse_dense: expected strided result tensor, got tensor with layout Sparse")
    product = _product_with_sparse(mat1, mat2)
    product = product if alpha == 1 else _torch("mul")(product, alpha)
    if _is_sparse_tensor(product) and not _is_sparse_tensor(input):
        product = _dense_of(product)
    return _torch("add")(_torch("mul")(input, beta) if beta != 1 else input, product)


@_for_sparse("addmv")
def _added_product_with_vector(input, mat, vec, *, beta=1, alpha=1):
    return _torch("add")(_torch("mul")(input, beta), _sparse_by_vector(mat, vec), alpha=alpha)


@_for_sparse("linear")
def _linear_with_sparse(input, weight, bias=None):
    if not _is_sparse_tensor(weight):
        product = _any_product_with_sparse(input, weight.t())
    else:
        indices, values = _coo_parts(_as_coo(weight))
        turned = _coo(indices[[1, 0]], values, [*reversed(weight.shape)])
        product = _any_product_with_sparse(input, turned)
    return product if bias is None else _torch("add")(product, bias)


def sparse_mm(mat1, mat2, reduce="sum"):
    if reduce != "sum":
        raise NotImplementedError(f"torch.sparse.mm with reduce={reduce!r} under Paddle")
    if not _is_sparse_tensor(mat1) and not _is_sparse_tensor(mat2):
        return _torch("mm")(mat1, mat2)
    return _product_with_sparse(mat1, mat2)


def sparse_addmm(mat, mat1, mat2, *, beta=1.0, alpha=1.0):
    if _is_sparse_tensor(mat1) or _is_sparse_tensor(mat2):
        return _added_product_with_sparse(mat, mat1, mat2, beta=beta, alpha=alpha)
    return _torch("addmm")(mat, mat1, mat2, beta=beta, alpha=alpha)


def sparse_sampled_addmm(input, mat1, mat2, *, beta=1.0, alpha=1.0, out=None):
    """The product of dense matrices at the places of a sparse one, added to this."""
    if out is not None:
        raise NotImplementedError("torch.sparse.sampled_addmm with out= under Paddle")
    if not input.is_sparse_csr():
        raise RuntimeError("sampled_addmm: Expected self to have layout SparseCsr")
    if mat1.dtype != input.dtype:
        kinds = f"{_name_of_kind(mat1)} and {_name_of_kind(input)}"
        raise RuntimeError(f"sampled_addmm: Expected mat1 and self to have the same dtype, but got {kinds}")
    (rows, columns), values = _coo_parts(input)
    products = (mat1[rows] * mat2.t()[columns]).sum(1)
    values = values * beta + products * alpha
    return _with_values(input, values)
