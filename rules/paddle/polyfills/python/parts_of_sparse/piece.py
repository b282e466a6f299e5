import functools
import math

import paddle

from .computing import _refuse_cast, _refuse_leaf
from .promotion import _promoted
from .sparse_arguments import _is_sparse_tensor, _not_of_sparse, _on_sparse, _sparse_made

_FLAG = "_is_coalesced"  # of a tensor of layout COO: Paddle's own is lost where gradients are recorded
_SUMMED_AS = {"float16": "float32", "bfloat16": "float32", "uint8": "int64", "int8": "int64", "int16": "int64"}
_WITHOUT_SPARSE = frozenset({paddle.bool, paddle.int8, paddle.bfloat16})


def _coo(indices, values, shape, coalesced=False):
    """A sparse tensor of these parts, which has at most one element for each place if it is coalesced."""
    if values.dtype in _WITHOUT_SPARSE:
        kind = str(values.dtype).rpartition(".")[2]
        raise NotImplementedError(f"sparse tensors of torch.{kind} under Paddle, which has no kernel for them")
    made = paddle._C_ops.sparse_sparse_coo_tensor(values, indices, [*shape])
    _sparse_made[:] = [True]
    made.__dict__[_FLAG] = bool(coalesced) or indices.shape[1] < 2
    return made


def _csr(crow, columns, values, shape):
    _sparse_made[:] = [True]
    return paddle.sparse.sparse_csr_tensor(crow, columns, values, [*shape], stop_gradient=values.stop_gradient)


def _csr_of(tensor):
    """A matrix of layout COO, in layout CSR."""
    (rows, columns), values = _coo_parts(_coalesced(tensor))
    starts = paddle.zeros([tensor.shape[0] + 1], dtype="int64")
    if rows.shape[0]:
        starts[1:] = paddle.cumsum(paddle.bincount(rows, minlength=tensor.shape[0]))
    return _csr(starts, columns, values, tensor.shape)


def _flagged(tensor):
    """Whether a tensor is known to be coalesced: gradients are not, whatever Paddle says of them."""
    return tensor.is_sparse_csr() or tensor.__dict__.get(_FLAG, False)


def _coo_parts(tensor):
    """(indices, values) of a sparse tensor."""
    if not tensor.is_sparse_csr():
        return tensor.indices(), tensor.values()
    if tensor.ndim > 2:
        found = tensor.to_sparse_coo(tensor.ndim)
        return found.indices(), found.values()
    crow = tensor.crows()
    rows = paddle.arange(tensor.shape[0]).repeat_interleave(crow[1:] - crow[:-1])
    return paddle.stack([rows, tensor.cols()]).astype("int64"), tensor.values()


def _as_coo(tensor):
    return _coo(*_coo_parts(tensor), tensor.shape, True) if tensor.is_sparse_csr() else tensor


def _with_values(tensor, values, coalesced=None):
    """A sparse tensor of the places of another one, with other values."""
    if tensor.is_sparse_csr():
        return _csr(tensor.crows(), tensor.cols(), values, tensor.shape)
    made = _coo(tensor.indices(), values, tensor.shape)
    made.__dict__[_FLAG] = _flagged(tensor) if coalesced is None else coalesced
    return made


def _place_numbers(indices, shape):
    """One number for each place: sorted, they are in the order of the elements of a dense tensor."""
    place = paddle.zeros([indices.shape[1]], dtype="int64")
    for row, size in zip(indices.astype("int64"), shape, strict=False):
        place = place * size + row
    return place


def _places_of_numbers(numbers, shape):
    rows = []
    for size in reversed(shape):
        rows.insert(0, numbers % max(size, 1))
        numbers = numbers // max(size, 1)
    return paddle.stack(rows) if rows else paddle.zeros([0, numbers.shape[0]], dtype="int64")


def _sums_at(places, values, count):
    """A tensor of so many rows, to which values are added at these places."""
    dtype = values.dtype
    if dtype in (paddle.complex64, paddle.complex128):
        return paddle.complex(_sums_at(places, values.real(), count), _sums_at(places, values.imag(), count))
    wide = _SUMMED_AS.get(str(dtype).rpartition(".")[2])
    values = values if wide is None else values.astype(wide)
    total = paddle.zeros([count, *values.shape[1:]], dtype=values.dtype)
    if values.size:
        total = total.index_add(places, 0, values)
    return total if wide is None else total.astype(dtype)


def _distinct(numbers):
    """The numbers that there are, in order, and which of them each one is."""
    if not numbers.shape[0]:
        return numbers, numbers
    return paddle.unique(numbers, return_inverse=True)


def _added_up(numbers, values, shape, rest=()):
    """A coalesced tensor of values at places of these numbers in the sparse dimensions `shape`."""
    met, which = _distinct(numbers)
    return _coo(_places_of_numbers(met, shape), _sums_at(which, values, met.shape[0]), [*shape, *rest], True)


def _coalesced(tensor):
    if _flagged(tensor):
        return tensor
    indices, values = _coo_parts(tensor)
    sparse = [*tensor.shape[: len(indices)]]
    return _added_up(_place_numbers(indices, sparse), values, sparse, tensor.shape[len(indices) :])


def _dense_of(tensor):
    """Entries at one place are added up, where Paddle takes one of them."""
    indices, values = _coo_parts(tensor)
    shape, length = [*tensor.shape], len(indices)
    return _sums_at(_place_numbers(indices, shape), values, math.prod(shape[:length])).reshape(shape)


def _in_dtype_of_both(one, other):
    dtype = _promoted(one.dtype, other.dtype)
    return (each if each.dtype == dtype else each.astype(dtype) for each in (one, other))


def _rewritten(tensor, made):
    """The sparse tensor, with the parts and the history of another one."""
    _refuse_leaf(tensor)
    _refuse_cast(made.dtype, tensor)
    if made.dtype != tensor.dtype:
        made = _with_values(made, made.values().astype(tensor.dtype))
    if made.stop_gradient:
        made._share_underline_tensor_to(tensor)
    else:
        tensor.reconstruct_from_(made)
    if tensor.is_sparse_coo():
        tensor.__dict__[_FLAG] = _flagged(made)
    return tensor


def _in_place_on_sparse(name, implementation, self, *args, **kwargs):
    if getattr(implementation, "refused_in_place", False):
        raise _not_of_sparse(name, self)
    made = implementation(self, *args, **kwargs)
    if self.is_dense():  # a dense tensor and a sparse one, as of add_ and mul_
        return self.copy_(made if made.is_dense() else _dense_of(made), True)
    if getattr(implementation, "of_coalesced", False) and self.is_sparse_coo() and not _flagged(self):
        raise RuntimeError(f"{name} requires coalesced input")
    _rewritten(self, made)
    if name == "mul_" and not all(_is_sparse_tensor(each) for each in args):
        self.__dict__[_FLAG] = self.nnz() < 2
    return self


def _given_out(made, out):
    """What is asked to be written into a tensor."""
    if not made.is_dense():
        return _rewritten(out, made)
    _refuse_cast(made.dtype, out)
    return paddle.assign(made.astype(out.dtype), out)


def _columns_at(indices, at):
    """Some of the indices; Paddle's operators give other shapes of none."""
    return indices.index_select(at, 1) if at.shape[0] else indices[:, :0]


def _rows_at(values, at):
    return values.index_select(at, 0) if at.shape[0] else values[:0]


def _for_sparse(*names, function=None):
    """Note a function as that of sparse tensors by names, or by its own."""
    if function is None:
        return functools.partial(_note_for_sparse, names)
    return _note_for_sparse(names, function)


def _note_for_sparse(names, function):
    _on_sparse.update(dict.fromkeys(names or (function.__name__,), function))
    return function


_on_sparse["in place"] = _in_place_on_sparse
_on_sparse["out"] = _given_out
