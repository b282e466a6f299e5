import math
import numbers

import paddle

from .parts_of_sparse import (
    _FLAG, _added_up, _as_coo, _coalesced, _columns_at, _coo, _coo_parts, _csr, _csr_of, _dense_of, _flagged,
    _for_sparse, _in_dtype_of_both, _place_numbers, _places_of_numbers, _rewritten, _rows_at, _sums_at, _with_values,
)  # fmt: skip
from .sparse_arguments import _is_sparse_tensor, _not_of_sparse
from .torchs_meaning import _tensor_method, _torch
from .type_of_tensors import _KIND_NAMES

# Functions of each value by itself, of coalesced tensors, that keep zeros.
_KEEPING_ZEROS = """
abs absolute arcsin arcsinh arctan arctanh asin asinh atan atanh ceil deg2rad erf erfinv expm1 fix floor frac isinf
isnan isneginf isposinf log1p nan_to_num rad2deg relu round sgn sign signbit sin sinh sqrt square tan tanh trunc
""".split()
# Others that do not need them coalesced.
_OF_ANY_VALUES = "conj conj_physical neg negative positive real imag resolve_conj resolve_neg".split()
_CASTS = {
    "bfloat16": paddle.bfloat16, "bool": paddle.bool, "byte": paddle.uint8, "cdouble": paddle.complex128,
    "cfloat": paddle.complex64, "char": paddle.int8, "double": paddle.float64, "float": paddle.float32,
    "half": paddle.float16, "int": paddle.int32, "long": paddle.int64, "short": paddle.int16,
}  # fmt: skip


def _of_coalesced_values(name):
    def on_sparse(input, *args, **kwargs):
        input = _coalesced(input)
        return _with_values(input, _torch(name)(input.values(), *args, **kwargs))

    on_sparse.of_coalesced = True
    return on_sparse


def _of_any_values(name):
    return lambda input: _with_values(input, _torch(name)(input.values()))


def _as_dtype_of_sparse(self, dtype):
    return self if self.dtype == dtype else _with_values(self, self.values().astype(dtype))


def _cast_of_sparse(dtype):
    return lambda self, memory_format=None: _as_dtype_of_sparse(self, dtype)


@_for_sparse("to")
def _sparse_to(self, *args, dtype=None, device=None, non_blocking=False, copy=False, other=None, memory_format=None):
    """To a dtype, a device, or to those of another tensor."""
    if len(args) > (2 if isinstance(args[0] if args else None, (paddle.Tensor, paddle.dtype)) else 3):
        copy = args[-1]
    for each in (*args, other):
        if isinstance(each, paddle.Tensor):
            dtype, device = each.dtype, each.place
        elif isinstance(each, paddle.dtype):
            dtype = each
        elif each is not None and not isinstance(each, bool):
            device = each
    made = self if dtype is None else _as_dtype_of_sparse(self, dtype)
    if device is not None:
        values = _tensor_method("to")(made.values(), device)
        made = made if values.place._equals(made.place) else _with_values(made, values)
    return _with_values(self, self.values().clone()) if copy and made is self else made


@_for_sparse("clone")
def _clone_of_sparse(self, *, memory_format=None):
    return _with_values(self, self.values().clone())


@_for_sparse("detach")
def _detached_sparse(self):
    return _with_values(self, self.values().detach())


@_for_sparse("zeros_like", "empty_like")
def _empty_like_sparse(
    input, *, dtype=None, requires_grad=False, memory_format=None, layout=None, device=None, **options
):
    if repr(layout) == "torch.strided":
        return _torch("zeros")([*input.shape], dtype=dtype or input.dtype, requires_grad=requires_grad, device=device)
    dtype = input.dtype if dtype is None else dtype
    if input.is_sparse_csr():
        rows = paddle.zeros([input.shape[0] + 1], dtype="int64")
        made = _csr(rows, paddle.zeros([0], dtype="int64"), paddle.zeros([0], dtype=dtype), input.shape)
        made.stop_gradient = not requires_grad
        return made
    count = len(input.indices())
    values = paddle.zeros([0, *input.shape[count:]], dtype=dtype)
    made = _coo(paddle.zeros([count, 0], dtype="int64"), values, input.shape, True)
    made.stop_gradient = not requires_grad
    return made


@_for_sparse("ones_like")
def _ones_like_sparse(input, *, dtype=None, layout=None, **options):
    if repr(layout) == "torch.strided":
        return _torch("ones")([*input.shape], dtype=dtype or input.dtype, **options)
    if input.is_sparse_csr():
        return _with_values(input, _torch("ones_like")(input.values(), dtype=dtype, **options))
    raise _not_of_sparse("ones_like", input)


@_for_sparse("new_empty", "new_zeros")
def _new_zeros_of_sparse(self, *size, dtype=None, requires_grad=False, device=None):
    size = [*size[0]] if size and isinstance(size[0], (list, tuple)) else [*size]
    made = _coo(paddle.zeros([len(size), 0], dtype="int64"), paddle.zeros([0], dtype=dtype or self.dtype), size, True)
    made.stop_gradient = not requires_grad
    return made


@_for_sparse("zero_")
def _zeroed_sparse(self):
    return _rewritten(self, _empty_like_sparse(self))


@_for_sparse("copy_")
def _copied_to_sparse(self, src, non_blocking=False):
    if self.is_dense() or src.is_dense():
        kinds = " and src type = ".join(_tensor_method("type")(each) for each in (self, src))
        raise RuntimeError(f"copy_() between dense and sparse Tensors is not implemented! Found self type = {kinds}")
    if self.is_sparse_csr() != src.is_sparse_csr():
        layouts = " and src layout is ".join("SparseCsr" if each.is_sparse_csr() else "Sparse" for each in (self, src))
        raise RuntimeError(
            "torch.copy_: copy of sparse compressed tensors having different layouts is not supported. self layout is "
            f"{layouts}"
        )
    made = _as_dtype_of_sparse(src, self.dtype)
    return _rewritten(self, _coalesced(made) if _flagged(src) else made)


def _without_dimensions(value):
    return isinstance(value, numbers.Number) or isinstance(value, paddle.Tensor) and value.is_dense() and not value.ndim


@_for_sparse("mul", "multiply", "rmul")
def _times_sparse(input, other):
    """With a number or a dense tensor, at the places of the sparse one; of two, where both have elements."""
    if not _is_sparse_tensor(input):
        input, other = other, input
    if _without_dimensions(other):
        return _with_values(input, _torch("mul")(input.values(), other))
    if _is_sparse_tensor(other):
        return _times_each_other(input, other)
    indices, values = _coo_parts(input)
    for back, (a, b) in enumerate(zip(reversed(input.shape), reversed(other.shape), strict=False)):
        if a != b and 1 not in (a, b):
            where = f"at non-singleton dimension {max(input.ndim, other.ndim) - 1 - back}"
            raise RuntimeError(f"The size of tensor a ({b}) must match the size of tensor b ({a}) {where}")
    shape = [*paddle.broadcast_shape([*input.shape], [*other.shape])]
    if shape != [*input.shape]:
        raise NotImplementedError(f"a sparse tensor of shape {[*input.shape]} times a dense one of {[*other.shape]}")
    factors = other.broadcast_to(shape)[tuple(indices)]
    return _with_values(input, _torch("mul")(values, factors))


def _times_each_other(input, other):
    if [*input.shape] != [*other.shape]:
        raise RuntimeError(
            "sparse_binary_op_intersection_cpu(): expects sparse inputs with equal dimensionality, number of sparse "
            "dimensions, and shape of sparse dimensions"
        )
    as_csr = input.is_sparse_csr()
    one, two = _as_coo(input), _as_coo(other)
    if _flagged(one) and _flagged(two) or not one.nnz() or not two.nnz():
        (indices, values), (theirs, factors) = _coo_parts(one), _coo_parts(two)
        found, at = _met_among(indices, theirs, input.shape)
        products = _torch("mul")(_rows_at(values, found), _rows_at(factors, at))
        made = _coo(_columns_at(indices, found), products, input.shape, True)
        return _csr_of(made) if as_csr else made
    if _flagged(one) or one.nnz() >= two.nnz() and not _flagged(two):
        one, two = two, one  # torch goes through the first, and keeps its places
    indices, values = _coo_parts(one)
    return _coo(indices, _torch("mul")(values, _values_at(two, indices)), input.shape)


def _met_among(indices, theirs, shape):
    """Which of the indices are among others, that are in order, and where there."""
    mine, others = _place_numbers(indices, shape), _place_numbers(theirs, shape)
    if not mine.shape[0] or not others.shape[0]:
        none = paddle.zeros([0], dtype="int64")
        return none, none
    at = paddle.searchsorted(others, mine).clip(0, others.shape[0] - 1)
    found = paddle.nonzero(others[at] == mine).flatten()
    return found, at[found]


def _values_at(tensor, indices):
    """What a sparse tensor has at these places, or zero."""
    theirs, values = _coo_parts(_coalesced(tensor))
    found, at = _met_among(indices, theirs, tensor.shape)
    return _sums_at(found, _rows_at(values, at), indices.shape[1])


@_for_sparse("div", "divide", "true_divide", "truediv")
def _sparse_over(input, other, *, rounding_mode=None):
    if not _is_sparse_tensor(input):
        raise _not_of_sparse("reciprocal", other)
    if not _without_dimensions(other):
        shape = [*other.shape]
        raise RuntimeError(
            f"Sparse division requires a scalar or zero-dim dense tensor divisor (got shape {shape} for divisor)"
        )
    input = input if rounding_mode is None else _coalesced(input)
    return _with_values(input, _torch("div")(input.values(), other, rounding_mode=rounding_mode))


@_for_sparse("floor_divide", "floordiv")
def _sparse_over_in_whole(input, other):
    return _sparse_over(input, other, rounding_mode="floor")


@_for_sparse("add", "radd")
def _plus_sparse(input, other, *, alpha=1):
    if not _is_sparse_tensor(input):
        return _dense_plus_sparse(input, other, alpha)
    if not _is_sparse_tensor(other):
        if input.is_sparse_csr() and isinstance(other, paddle.Tensor):
            return _dense_plus_sparse(other if alpha == 1 else other * alpha, input, 1)
        raise RuntimeError("add(sparse, dense) is not supported. Use add(dense, sparse) instead.")
    if [*input.shape] != [*other.shape]:
        sizes = f"{[*input.shape]} != {[*other.shape]}"
        raise RuntimeError(f"add: expected sizes of 'self' and 'other' to match, but {sizes}")
    csr = input.is_sparse_csr()
    one, two = _as_coo(input), _as_coo(other)
    (indices, values), (theirs, added) = _coo_parts(one), _coo_parts(two)
    if alpha != 1:
        added = _torch("mul")(added, alpha)
    made = _merged((indices, values), (theirs, added), input.shape, _flagged(one) and _flagged(two))
    return _csr_of(made) if csr else made


def _merged(one, two, shape, coalesced):
    """The elements of two: those at one place together, one of each, if both are in order."""
    values = paddle.concat([*_in_dtype_of_both(one[1], two[1])])
    shape, rest = [*shape[: len(one[0])]], shape[len(one[0]) :]
    first, second = (_place_numbers(indices, shape) for indices, _ in (one, two))
    places = paddle.concat([first, second])
    if coalesced:
        return _added_up(places, values, shape, rest)
    if not all(bool((each[1:] >= each[:-1]).all()) for each in (first, second)):
        taken, which = _merged_out_of_order(first.tolist(), second.tolist())
        indices = _columns_at(paddle.concat([one[0], two[0]], 1), paddle.to_tensor(taken, dtype="int64"))
        return _coo(indices, _sums_at(paddle.to_tensor(which, dtype="int64"), values, len(taken)), [*shape, *rest])
    earlier = paddle.concat(
        [paddle.arange(each.shape[0]) - paddle.searchsorted(each, each) for each in (first, second)]
    )
    count = int(earlier.max()) + 1 if places.shape[0] else 1
    numbers, which = paddle.unique(places * count + earlier, return_inverse=True)
    indices = _places_of_numbers(numbers // count, shape)
    return _coo(indices, _sums_at(which, values, numbers.shape[0]), [*shape, *rest])


def _merged_out_of_order(first, second):
    """Of two lists of places that are not in order, those that are taken as torch goes through both, and which of them
    each one is."""
    taken, which, mine, other, count = [], [0] * (len(first) + len(second)), 0, 0, len(first)
    while mine < count or other < len(second):
        before = other < len(second) and (mine >= count or second[other] < first[mine])
        both = not before and other < len(second) and first[mine] == second[other]
        if not before:
            which[mine] = len(taken)
        if before or both:
            which[count + other] = len(taken)
        taken.append(count + other if before else mine)
        mine, other = mine + (not before), other + (before or both)
    return taken, which


def _dense_plus_sparse(dense, sparse, alpha):
    shape = [*getattr(dense, "shape", ())]
    if shape != [*sparse.shape]:
        raise RuntimeError(
            f"add: expected 'self' and 'other' to have same size, but self has size {shape} while other has size "
            f"{[*sparse.shape]} (FYI: dense-sparse addition does not currently support broadcasting)"
        )
    return _torch("add")(dense, _dense_of(sparse), alpha=alpha)


@_for_sparse("sub", "subtract")
def _minus_sparse(input, other, *, alpha=1):
    return _plus_sparse(input, other, alpha=-alpha)


@_for_sparse("rsub")
def _sparse_from(input, other, *, alpha=1):
    return _plus_sparse(other, input, alpha=-alpha)


@_for_sparse("pow")
def _power_of_sparse(input, exponent):
    if not _is_sparse_tensor(input):
        raise _not_of_sparse("pow.Scalar", exponent)
    if isinstance(exponent, paddle.Tensor):
        raise _not_of_sparse("pow.Tensor_Tensor", input)
    if exponent == 0:
        raise RuntimeError("pow: cannot raise to zeroth power on sparse tensor; it would make the result tensor dense")
    if isinstance(exponent, float) and input.dtype in (paddle.uint8, paddle.int16, paddle.int32, paddle.int64):
        kind = "Byte Short Int Long".split()[("uint8", "int16", "int32", "int64").index(str(input.dtype)[7:])]
        raise RuntimeError(f"result type Float can't be cast to the desired output type {kind}")
    input = _coalesced(input)
    return _with_values(input, _torch("pow")(input.values(), exponent))


_power_of_sparse.refused_in_place = True


@_for_sparse("sum")
def _sum_of_sparse(input, dim=None, keepdim=False, *, dtype=None):
    if dim is None or dim == ():
        return _torch("sum")(input.values(), dtype=dtype)
    if dtype is None and input.dtype in (paddle.uint8, paddle.int16, paddle.int32):
        dtype = paddle.int64
    if input.is_sparse_csr():
        if not keepdim:
            raise RuntimeError("reduction operations on CSR tensors with keepdim=False is unsupported")
        return _csr_of(_kept_sum(_as_coo(input), dim, dtype))
    return _kept_sum(input, dim, dtype) if keepdim else _torch("sparse.sum")(input, dim, dtype=dtype)


def _kept_sum(input, dim, dtype):
    indices, values = _coo_parts(input)
    dims = {each % input.ndim for each in (dim if isinstance(dim, (tuple, list)) else [dim])}
    values = values if dtype is None else values.astype(dtype)
    if dense := [each - len(indices) + 1 for each in sorted(dims) if each >= len(indices)]:
        values = values.sum(dense, keepdim=True)
    size = [1 if each in dims else length for each, length in enumerate(input.shape)]
    rows = [paddle.zeros_like(row) if each in dims else row for each, row in enumerate(indices)]
    sparse = size[: len(indices)]
    made = _added_up(_place_numbers(paddle.stack(rows), sparse), values, sparse, size[len(indices) :])
    made.__dict__[_FLAG] = made.nnz() < 2
    return made


@_for_sparse("any")
def _any_of_sparse(input):
    return _torch("any")(_coalesced(input).values())


@_for_sparse("norm")
def _norm_of_sparse(input, p="fro", dim=None, keepdim=False, dtype=None):
    if not (input.is_floating_point() or input.is_complex() or dtype):
        kind = _KIND_NAMES[str(input.dtype).rpartition(".")[2]]
        raise RuntimeError(f"norm(): input dtype should be either floating point or complex. Got {kind} instead.")
    if dim is not None and len(dim if isinstance(dim, (tuple, list)) else [dim]) != input.ndim or keepdim:
        raise RuntimeError("norm_sparse currently only supports full reductions, so 'dim' must be of all dimensions")
    return _torch("norm")(_coalesced(input).values().flatten(), 2 if p == "fro" else p, dtype=dtype)


@_for_sparse("dist")
def _distance_of_sparse(input, other, p=2):
    return _norm_of_sparse(_minus_sparse(input, other), p)


@_for_sparse("dropout")
def _dropout_on_sparse(input, p=0.5, training=True, inplace=False):
    if not training or not p:
        return input if inplace else _clone_of_sparse(input)
    return _with_values(input, _torch("nn.functional.dropout")(input.values(), p))


@_for_sparse("tensor")
def _sparse_again(data, *, dtype=None, device=None, requires_grad=False, pin_memory=False):
    made = _sparse_to(_clone_of_sparse(_detached_sparse(data)), dtype=dtype, device=device)
    made.stop_gradient = not requires_grad
    return made


@_for_sparse("new_tensor")
def _new_tensor_of_sparse(self, data, *, dtype=None, device=None, requires_grad=False, pin_memory=False):
    options = {"dtype": dtype or self.dtype, "device": device or self.place, "requires_grad": requires_grad}
    return _torch("tensor")(data, **options)


@_for_sparse("__deepcopy__", "deepcopy")
def _deep_copy_of_sparse(self, memo):
    if not self.is_leaf:
        raise RuntimeError("Only Tensors created explicitly by the user support the deepcopy protocol at the moment")
    made = _clone_of_sparse(_detached_sparse(self))
    made.stop_gradient = self.stop_gradient
    memo[id(self)] = made
    return made


@_for_sparse("as_tensor", "asarray")
def _sparse_as_asked(data, dtype=None, device=None):
    return _sparse_to(data, dtype=dtype, device=device)


@_for_sparse("is_nonzero")
def _sparse_is_nonzero(input):
    return _tensor_method("__bool__")(input)


@_for_sparse("item")
def _item_of_one(self):
    if (count := math.prod(self.shape)) != 1:
        raise RuntimeError(f"a Tensor with {count} elements cannot be converted to Scalar")
    return _dense_of(self).item()


@_for_sparse("resize_as_", "resize_as_sparse_")
def _resized_as_sparse(self, other, memory_format=None):
    count = len(_coo_parts(other)[0])
    return _tensor_method("sparse_resize_")(self, [*other.shape], count, other.ndim - count)


for _name_for_sparse, _of_any_tensor in {
    "numel": lambda input: math.prod(input.shape),
    "get_device": lambda input: -1 if input.place.is_cpu_place() else input.place.gpu_device_id(),
    "is_complex": lambda input: input.dtype in (paddle.complex64, paddle.complex128),
    "is_conj": lambda input: False,
    "is_distributed": lambda input: False,
    "is_floating_point": lambda input: input.dtype in (paddle.float16, paddle.float32, paddle.float64),
    "is_inference": lambda input: False,
    "is_neg": lambda input: False,
    "is_same_size": lambda input, other: [*input.shape] == [*other.shape],
    "is_signed": lambda input: input.dtype != paddle.uint8,
    "requires_grad_": lambda self, requires_grad=True: _wanting_gradient(self, requires_grad),
}.items():
    _for_sparse(_name_for_sparse, function=_of_any_tensor)


def _wanting_gradient(self, requires_grad):
    self.stop_gradient = not requires_grad
    return self


def _refused_on_sparse(text, kind=RuntimeError):
    def refuse(input, *args, **kwargs):
        raise kind(text)

    return refuse


for _names_of_both_kinds, _make in ((_KEEPING_ZEROS, _of_coalesced_values), (_OF_ANY_VALUES, _of_any_values)):
    for _name_for_sparse in _names_of_both_kinds:
        _for_sparse(_name_for_sparse, function=_make(_name_for_sparse))
for _name_for_sparse, _dtype_of_cast in _CASTS.items():
    _for_sparse(_name_for_sparse, function=_cast_of_sparse(_dtype_of_cast))
for _refused_by_name, _refusal in (
    ("expand repeat expand_as broadcast_to tile", _refused_on_sparse("expand is unsupported for Sparse tensors")),
    ("reshape flatten ravel outer einsum", _refused_on_sparse("reshape is not implemented for sparse tensors")),
    ("tolist", _refused_on_sparse("Cannot access data pointer of Tensor that doesn't have storage")),
    (
        "numpy",
        _refused_on_sparse("can't convert Sparse layout tensor to numpy. Use Tensor.to_dense() first.", TypeError),
    ),
    ("contiguous", _refused_on_sparse("unsupported memory format option Contiguous")),
    ("setitem", _refused_on_sparse("Cannot assign to a sparse tensor", TypeError)),
):
    _for_sparse(*_refused_by_name.split(), function=_refusal)
