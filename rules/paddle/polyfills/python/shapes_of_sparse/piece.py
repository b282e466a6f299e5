import functools

import paddle

from .parts_of_sparse import (
    _FLAG, _as_coo, _coalesced, _columns_at, _coo, _coo_parts, _csr_of, _flagged, _for_sparse,
    _place_numbers, _rewritten, _rows_at, _sums_at,
    _with_values,
)  # fmt: skip
from .operators_on_sparse import _values_at
from .products_of_sparse import _entries_that_meet
from .promotion import _kind, _promoted
from .sparse_arguments import _is_sparse_tensor, _not_of_sparse
from .methods_of_tensors import _methods
from .torchs_meaning import _torch
from .type_of_tensors import _KIND_NAMES


def _in_range(dim, rank):
    if not -rank <= dim < rank:
        raise IndexError(f"Dimension out of range (expected to be in range of [{-rank}, {rank - 1}], but got {dim})")
    return dim % rank


@_for_sparse("permute")
def _permuted_sparse(self, *dims):
    dims = dims[0] if len(dims) == 1 and isinstance(dims[0], (list, tuple)) else dims
    self = _as_coo(self)
    dims = [_in_range(each, self.ndim) for each in dims]
    if sorted(dims) != [*range(self.ndim)]:
        raise RuntimeError(f"permute(sparse_coo): dims {dims} are not those of a tensor of {self.ndim} dimensions")
    indices, values = _coo_parts(self)
    count = len(indices)
    if any(each >= count for each in dims[:count]):
        raise RuntimeError(
            "permute(sparse_coo): transpositions between sparse and dense dimensions are not allowed."
            "Only transpositions within sparse and dense dimensions are supported."
        )
    if dims == [*range(self.ndim)]:
        return _with_values(self, values)
    if dims[count:] != [*range(count, self.ndim)]:
        values = values.transpose([0, *(each - count + 1 for each in dims[count:])])
    unmoved = dims[:count] == [*range(count)]
    indices = indices if unmoved else indices[dims[:count]]
    made = _coo(indices, values, [self.shape[each] for each in dims], unmoved and _flagged(self))
    made.__dict__[_FLAG] = unmoved and _flagged(self)
    return made


@_for_sparse("transpose", "swapaxes", "swapdims")
def _transposed_sparse(input, dim0, dim1):
    dim0, dim1 = _in_range(dim0, input.ndim), _in_range(dim1, input.ndim)
    input = _as_coo(input)
    count = len(input.indices())
    if dim0 != dim1 and max(dim0, dim1) >= count:
        raise RuntimeError(
            f"sparse transpose: transposed dimensions must be sparse Got sparse_dim: {count}, d0: {dim0}, d1: {dim1}"
        )
    dims = [*range(input.ndim)]
    dims[dim0], dims[dim1] = dim1, dim0
    made = _permuted_sparse(input, dims)
    return made if dim0 == dim1 else _coo(made.indices(), made.values(), made.shape)


@_for_sparse("t")
def _turned_sparse(self):
    self = _as_coo(self)
    count = len(self.indices())
    if count > 2 or count != self.ndim:
        raise RuntimeError(
            f"t() expects a tensor with <= 2 sparse and 0 dense dimensions, but got {count} sparse and "
            f"{self.ndim - count} dense dimensions"
        )
    return _transposed_sparse(self, 0, 1) if count == 2 else self


@_for_sparse("T")
def _reversed_dims_of_sparse(self):
    return _permuted_sparse(self, [*reversed(range(self.ndim))])


@_for_sparse("mT", "adjoint", "mH", "H")
def _matrices_turned_of_sparse(self):
    if self.ndim < 2:
        return self
    return _transposed_sparse(self, -2, -1)


@_for_sparse("movedim", "moveaxis")
def _moved_dims_of_sparse(input, source, destination):
    source, destination = ([each] if isinstance(each, int) else each for each in (source, destination))
    placed = {_in_range(to, input.ndim): _in_range(at, input.ndim) for at, to in zip(source, destination, strict=True)}
    others = iter([each for each in range(input.ndim) if each not in placed.values()])
    return _permuted_sparse(input, [placed[at] if at in placed else next(others) for at in range(input.ndim)])


@_for_sparse("unsqueeze")
def _unsqueezed_sparse(input, dim):
    dim = _in_range(dim, input.ndim + 1)
    indices, values = _coo_parts(input)
    shape = [*input.shape[:dim], 1, *input.shape[dim:]]
    if dim > len(indices):
        return _coo(indices, values.unsqueeze(dim - len(indices) + 1), shape, _flagged(input))
    row = paddle.zeros([1, indices.shape[1]], dtype=indices.dtype)
    return _coo(paddle.concat([indices[:dim], row, indices[dim:]]), values, shape)


@_for_sparse("select")
def _selected_of_sparse(input, dim, index):
    dim, index = _in_range(dim, input.ndim), int(index)
    size, csr = input.shape[dim], input.is_sparse_csr()
    if not -size <= index < size:
        raise IndexError(f"select(): index {index} out of range for tensor of size {[*input.shape]} at dimension {dim}")
    indices, values = _coo_parts(input)
    shape = [*input.shape[:dim], *input.shape[dim + 1 :]]
    if dim >= len(indices):
        taken = values[(slice(None),) * (dim - len(indices) + 1) + (index % size,)]
        return _coo(indices, taken, shape, _flagged(input))
    at = paddle.nonzero(indices[dim] == index % size).flatten()
    values = _rows_at(values, at)
    if len(indices) == 1:
        return _sums_at(paddle.zeros_like(at), values, 1)[0]
    rows = [each for each in range(len(indices)) if each != dim]
    return _coo(_columns_at(indices, at)[rows], values, shape, csr)


@_for_sparse("getitem")
def _item_of_sparse(self, index):
    parts = list(index) if isinstance(index, tuple) else [index]
    taken = sum(each is not None and each is not Ellipsis for each in parts)
    if Ellipsis in [each for each in parts if not isinstance(each, paddle.Tensor)]:
        at = next(place for place, each in enumerate(parts) if each is Ellipsis)
        parts[at : at + 1] = [slice(None)] * (self.ndim - taken)
    found, dim = self, 0
    for part in parts:
        if part is None:
            found = found.unsqueeze(dim) if found.is_dense() else _unsqueezed_sparse(found, dim)
            dim += 1
        elif isinstance(part, slice):
            if part not in (slice(None), slice(0, found.shape[dim])) and not found.is_dense():
                raise _not_of_sparse("as_strided", self)
            found = (
                found
                if not found.is_dense()
                else _torch("narrow")(found, dim, *_start_and_length(part, found.shape[dim]))
            )
            dim += 1
        elif isinstance(part, bool) or not hasattr(part, "__index__") or getattr(part, "ndim", 0):
            raise _not_of_sparse("index.Tensor", self)
        else:
            found = _selected_at(found, dim, int(part))
    return found


def _start_and_length(part, size):
    start, stop, step = part.indices(size)
    if step != 1:
        raise NotImplementedError("a step in what is selected of a sparse tensor under Paddle")
    return start, max(stop - start, 0)


def _selected_at(found, dim, index):
    if not found.is_dense():
        if dim >= found.ndim:
            raise IndexError(f"too many indices for tensor of dimension {found.ndim}")
        if not -found.shape[dim] <= index < found.shape[dim]:
            raise IndexError(f"index {index} is out of bounds for dimension {dim} with size {found.shape[dim]}")
        return _selected_of_sparse(found, dim, index)
    return found[(slice(None),) * dim + (index,)]


@_for_sparse("unbind")
def _parts_along_dim_of_sparse(input, dim=0):
    return tuple(_selected_of_sparse(input, dim, at) for at in range(input.shape[dim]))


@_for_sparse("index_select")
def _rows_of_sparse(input, dim, index):
    dim = _in_range(dim, input.ndim)
    input = _as_coo(input)
    indices, values = _coo_parts(input)
    index = index.flatten().astype("int64")
    shape = [*input.shape]
    shape[dim] = index.shape[0]
    if dim >= len(indices):
        return _coo(indices, values.index_select(index, dim - len(indices) + 1), shape, _flagged(input))
    if index.shape[0] and (int(index.min()) < 0 or int(index.max()) >= input.shape[dim]):
        raise IndexError("index_select(): index out of range for the size of the dimension")
    if not index.shape[0] or not values.shape[0]:
        return _coo(indices[:, :0], values[:0], shape)
    wanted, at = _entries_that_meet(index, indices[dim], input.shape[dim])
    rows = [wanted if each == dim else indices[each][at] for each in range(len(indices))]
    return _coo(paddle.stack(rows), values[at], shape)


@_for_sparse("narrow_copy")
def _narrow_copy_of_sparse(input, dim, start, length):
    dim = _in_range(dim, input.ndim)
    if start < 0 or start + length > input.shape[dim]:
        raise RuntimeError("Invalid range to narrow. range(start, start+length) must be a subset of range(0, size).")
    indices, values = _coo_parts(input)
    shape = [*input.shape]
    shape[dim] = length
    if dim >= len(indices):
        return _coo(indices, values.slice([dim - len(indices) + 1], [start], [start + length]), shape, _flagged(input))
    at = paddle.nonzero((indices[dim] >= start) & (indices[dim] < start + length)).flatten()
    step = paddle.zeros([len(indices), 1], dtype="int64")
    step[dim] = start
    return _coo(_columns_at(indices, at) - step, _rows_at(values, at), shape, _flagged(input))


@_for_sparse("cat", "concat", "concatenate")
def _joined_sparse(tensors, dim=0, *, axis=None):
    dim = dim if axis is None else axis
    first = tensors[0]
    for at, each in enumerate(tensors):
        if not _is_sparse_tensor(each):
            raise RuntimeError(f"Concatenating sparse tensors, but a dense tensor was found at position {at}.")
    dim = _in_range(dim, first.ndim)
    for at, each in enumerate(tensors):
        if [size for n, size in enumerate(each.shape) if n != dim] != [
            n for k, n in enumerate(first.shape) if k != dim
        ]:
            raise RuntimeError(
                f"All tensors must have the same shape: {[*first.shape]} (except in the concatenating dimension), but "
                f"found shape: {[*each.shape]} at position {at}."
            )
    dtype = functools.reduce(_promoted, [each.dtype for each in tensors])
    parts = [_coo_parts(each) for each in tensors]
    count = len(parts[0][0])
    shape, before = [*first.shape], 0
    shape[dim] = sum(each.shape[dim] for each in tensors)
    indices, values = [], []
    for each, (places, own) in zip(tensors, parts, strict=True):
        own = own.astype(dtype)
        if dim < count:
            step = paddle.zeros([count, 1], dtype="int64")
            step[dim] = before
            places = places + step
        else:
            widths = [
                [before, shape[dim] - before - each.shape[dim]] if n == dim - count + 1 else [0, 0]
                for n in range(own.ndim)
            ]
            own = _zeros_around(own, widths)
        indices.append(places)
        values.append(own)
        before += each.shape[dim]
    return _coo(paddle.concat(indices, 1), paddle.concat(values), shape)


def _zeros_around(values, widths):
    for axis, (left, right) in enumerate(widths):
        sides = []
        for width in (left, right):
            size = [*values.shape]
            size[axis] = width
            sides.append(paddle.zeros(size, dtype=values.dtype))
        values = paddle.concat([sides[0], values, sides[1]], axis) if left or right else values
    return values


@_for_sparse("stack")
def _stacked_sparse(tensors, dim=0):
    for at, each in enumerate(tensors):
        if not _is_sparse_tensor(each):
            raise RuntimeError(f"Concatenating sparse tensors, but a dense tensor was found at position {at}.")
    dim = _in_range(dim, tensors[0].ndim + 1)
    return _joined_sparse([_unsqueezed_sparse(each, dim) for each in tensors], dim)


@_for_sparse("vstack", "row_stack")
def _sparse_above_each_other(tensors):
    return _joined_sparse([_unsqueezed_sparse(each, 0) if each.ndim == 1 else each for each in tensors], 0)


@_for_sparse("hstack")
def _sparse_beside_each_other(tensors):
    return _joined_sparse(tensors, 0 if tensors[0].ndim == 1 else 1)


@_for_sparse("sparse_mask")
def _values_at_mask(self, mask):
    if [*self.shape] != [*mask.shape]:
        raise RuntimeError(
            f"sparse_mask(): operands have incompatible sizes; self has size {[*self.shape]} but mask has size "
            f"{[*mask.shape]}"
        )
    indices, _ = _coo_parts(mask)
    if not _is_sparse_tensor(self):
        return _with_values(mask, self[tuple(indices)] if indices.shape[1] else self.flatten()[:0])
    return _with_values(mask, _values_at(self, indices))


def sparse_mask(self, mask):
    if not _is_sparse_tensor(mask):
        raise _not_of_sparse("sparse_mask", self)
    return _values_at_mask(self, mask)


def _softmax_over(input, dim, dtype, logarithm):
    if not _is_sparse_tensor(input):
        raise NotImplementedError("Could not run 'aten::_sparse_softmax' with arguments from the 'CPU' backend.")
    dim = _in_range(dim, input.ndim)
    input = _coalesced(input)
    indices, values = _coo_parts(input)
    values = values if dtype is None else values.astype(dtype)
    if _kind(values.dtype) < 2:
        kind = _KIND_NAMES[str(values.dtype).rpartition(".")[2]]
        raise NotImplementedError(f"\"{'log_softmax' if logarithm else 'softmax'}\" not implemented for '{kind}'")
    count = len(indices)
    if dim >= count:
        function = _torch("log_softmax" if logarithm else "softmax")
        return _with_values(input, function(values, dim - count + 1))
    if not values.shape[0]:
        return _with_values(input, values)
    others = [each for each in range(count) if each != dim]
    numbers = _place_numbers(indices[others], [input.shape[each] for each in others]) if others else indices[0] * 0
    met, group = paddle.unique(numbers, return_inverse=True)
    with paddle.no_grad():
        order = paddle.argsort(group, stable=True)
        highest = paddle.geometric.segment_max(values.detach()[order], group[order])
    raised = values - highest[group]
    total = _sums_at(group, raised.exp(), met.shape[0])[group]
    return _with_values(input, raised - total.log() if logarithm else raised.exp() / total)


def sparse_softmax(input, dim, *, dtype=None):
    return _softmax_over(input, dim, dtype, False)


def sparse_log_softmax(input, dim, *, dtype=None):
    return _softmax_over(input, dim, dtype, True)


def spdiags(diagonals, offsets, shape, layout=None):
    """A sparse matrix with these rows on its diagonals, at the columns that they have in them."""
    rows = diagonals.reshape([-1, diagonals.shape[-1]])
    if offsets.size != rows.shape[0]:
        raise RuntimeError("Number of diagonals does not match the number of offsets")
    column = paddle.arange(rows.shape[1]).unsqueeze(0).expand(rows.shape)
    row = column - offsets.reshape([-1, 1]).astype("int64")
    inside = (row >= 0) & (row < shape[0]) & (column < shape[1])
    at = paddle.nonzero(inside)
    indices = paddle.stack([row[inside], column[inside]])
    made = _coo(indices, rows[at[:, 0], at[:, 1]], shape)
    if layout is None or repr(layout) == "torch.sparse_coo":
        return made
    if repr(layout) != "torch.sparse_csr":
        raise NotImplementedError(f"torch.sparse.spdiags with layout={layout} under Paddle")
    return _csr_of(made)


def sparse_resize_(self, size, sparse_dim, dense_dim):
    if self.is_sparse_csr():
        raise RuntimeError("sparse_resize_ expected a tensor of layout torch.sparse_coo, got torch.sparse_csr")
    indices, values = _coo_parts(self)
    if sparse_dim != len(indices) or dense_dim != values.ndim - 1 or len(size) != self.ndim:
        if indices.shape[1]:
            raise RuntimeError(
                f"changing the number of sparse dimensions (from {len(indices)} to {sparse_dim}) on a non-empty sparse "
                "tensor is not supported."
            )
        indices = paddle.zeros([sparse_dim, 0], dtype="int64")
        values = paddle.zeros([0, *size[sparse_dim:]], dtype=values.dtype)
    elif indices.shape[1] and any(new < old for new, old in zip(size, self.shape, strict=True)):
        raise RuntimeError(
            f"shrinking the size of sparse dimensions (from {[*self.shape]} to {[*size]}) is not supported."
        )
    return _rewritten(self, _coo(indices, values, size, _flagged(self)))


_methods(sparse_mask=sparse_mask, sparse_resize_=sparse_resize_)
