import paddle

from .promotion import _kind
from .torchs_meaning import _tensor_method, _torch


def _named_dims(dim, rank):
    """Dimensions as a sorted list, all of them where none is named."""
    every = range(rank) if dim is None or dim == () else [dim] if isinstance(dim, int) else dim
    for each in every:
        if not -max(rank, 1) <= each < max(rank, 1):
            raise IndexError(f"Dimension out of range: {each} of {rank} dimensions")
    found = sorted(each % max(rank, 1) for each in every)
    if len({*found}) < len(found):
        raise RuntimeError(f"a dimension appears multiple times in the list of dims {dim}")
    return found


def _least(dtype):
    if _kind(dtype) == 3:
        return complex(float("-inf"), 0)
    return float("-inf") if _kind(dtype) == 2 else paddle.iinfo(dtype).min


def _greatest_of(dtype):
    return float("inf") if _kind(dtype) == 2 else paddle.iinfo(dtype).max


def _as_mask(input, mask):
    if mask.ndim > input.ndim:
        raise IndexError("expected broadcastable mask (got mask dimensionality higher than of the input)")
    return mask.astype(paddle.bool).expand(input.shape)


def _left(input, mask, instead):
    """The elements that the mask leaves, and others in the place of those that it does not."""
    if mask is None:
        return input
    other = paddle.full([], instead, dtype=input.dtype)
    return _torch("where")(_as_mask(input, mask), input, other)


def _summed_dtype(input, dtype):
    whole = not (input.is_floating_point() or input.is_complex())
    return dtype or (paddle.int64 if whole else input.dtype)


def masked_sum(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    dims, left = _named_dims(dim, input.ndim), _left(input, mask, 0)
    return _torch("sum")(left, dim=dims, keepdim=bool(keepdim), dtype=_summed_dtype(input, dtype))


def masked_prod(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    made = _tensor_method("to")(_left(input, mask, 1), _summed_dtype(input, dtype))
    for each in reversed(_named_dims(dim, input.ndim)):
        made = _torch("prod")(made, dim=each, keepdim=bool(keepdim))
    return made


def masked_cumsum(input, dim, *, dtype=None, mask=None):
    (dim,) = _named_dims(dim, input.ndim)
    return _torch("cumsum")(_left(input, mask, 0), dim=dim, dtype=dtype or input.dtype)


def masked_cumprod(input, dim, *, dtype=None, mask=None):
    (dim,) = _named_dims(dim, input.ndim)
    return _torch("cumprod")(_left(input, mask, 1), dim=dim, dtype=dtype or input.dtype)


def _masked_extreme(name, bound):
    def extreme(input, dim=None, *, keepdim=False, dtype=None, mask=None):
        left = _left(input, mask, bound(input.dtype) if mask is not None else 0)
        made = _torch(name)(left, dim=_named_dims(dim, input.ndim), keepdim=bool(keepdim))
        return _tensor_method("to")(made, dtype or input.dtype)

    return extreme


masked_amax = _masked_extreme("amax", _least)
masked_amin = _masked_extreme("amin", _greatest_of)


def _masked_place(name, bound):
    def place(input, dim=None, *, keepdim=False, dtype=None, mask=None):
        left = _left(input, mask, bound(input.dtype) if mask is not None else 0)
        made = _torch(name)(left, dim, bool(keepdim))
        return _tensor_method("to")(made, dtype or input.dtype)

    return place


masked_argmax = _masked_place("argmax", _least)
masked_argmin = _masked_place("argmin", _greatest_of)


def _count_of_left(input, dim, keepdim, mask):
    ones = paddle.ones(input.shape, dtype="int64") if mask is None else _as_mask(input, mask)
    return _torch("sum")(ones, dim=_named_dims(dim, input.ndim), keepdim=bool(keepdim), dtype=paddle.int64)


def masked_mean(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    made = dtype or input.dtype
    if _kind(made) < 2:
        raise ValueError(
            "mean(): Could not infer output dtype. Input dtype must be either a floating point or "
            f"complex dtype. Got: {made}"
        )
    total = masked_sum(input, dim, keepdim=keepdim, dtype=made, mask=mask)
    return _torch("div")(total, _count_of_left(input, dim, keepdim, mask))


def masked_median(input, dim=-1, *, keepdim=False, dtype=None, mask=None):
    if not input.is_floating_point():
        raise NotImplementedError("torch.masked.median under Paddle takes floating-point numbers")
    (dim,) = _named_dims(dim, input.ndim)
    return _torch("nanmedian")(_left(input, mask, float("nan")), dim, keepdim)[0]


def masked_logsumexp(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    left = _left(input, mask, _least(input.dtype) if mask is not None else 0)
    made = _torch("logsumexp")(left, _named_dims(dim, input.ndim), keepdim=keepdim)
    return _tensor_method("to")(made, dtype or input.dtype)


def masked_logaddexp(input, other, *, dtype=None, input_mask=None, other_mask=None):
    first, second = _left(input, input_mask, _least(input.dtype)), _left(other, other_mask, _least(other.dtype))
    return _tensor_method("to")(_torch("logaddexp")(first, second), dtype or input.dtype)


def masked_norm(input, ord=2.0, dim=None, *, keepdim=False, dtype=None, mask=None):
    left = _left(input, mask, float("inf") if ord == float("-inf") else 0)
    dims = _named_dims(dim, input.ndim)
    norm = _torch("linalg.vector_norm")
    return norm(left, 2.0 if ord is None else ord, dims or None, bool(keepdim), dtype=dtype or input.dtype)


def masked_var(input, dim=None, unbiased=None, *, correction=None, keepdim=False, dtype=None, mask=None):
    if unbiased is not None and correction is not None:
        raise AssertionError("Only one of unbiased and correction may be given")
    less = float(unbiased is not False) if correction is None else float(correction)
    real = input.is_floating_point() or input.is_complex()
    made = dtype or (input.dtype if real else paddle.float32)
    count = _count_of_left(input, dim, True, mask)
    mean = _torch("div")(masked_sum(input, dim, keepdim=True, dtype=made, mask=mask), count)
    away = _torch("sub")(input, mean)
    square = _torch("mul")(away, _torch("conj")(away))
    total = masked_sum(square, dim, keepdim=keepdim, dtype=made, mask=mask)
    count = count.reshape(total.shape)
    if less:
        count = (count.astype(paddle.float32) - less).clip(0)
        of_real = {paddle.complex64: paddle.float32, paddle.complex128: paddle.float64}
        count = count.astype(of_real.get(made, made))
    return _tensor_method("to")(_torch("div")(total, count), made)


def masked_std(input, dim=None, unbiased=None, *, correction=None, keepdim=False, dtype=None, mask=None):
    rest = {"correction": correction, "keepdim": keepdim, "dtype": dtype, "mask": mask}
    return _torch("sqrt")(masked_var(input, dim, unbiased, **rest))


def _masked_share(name, bound):
    def share(input, dim, *, dtype=None, mask=None):
        (dim,) = _named_dims(dim, input.ndim)
        left = _left(input, mask, bound(input.dtype) if mask is not None else 0)
        return _torch(f"nn.functional.{name}")(left, dim, dtype=dtype or input.dtype)

    return share


masked_softmax = _masked_share("softmax", _least)
masked_log_softmax = _masked_share("log_softmax", _least)
masked_softmin = _masked_share("softmin", _greatest_of)


def masked_normalize(input, ord, dim, *, eps=1e-12, dtype=None, mask=None):
    length = masked_norm(input, ord, dim, keepdim=True, dtype=dtype, mask=mask)
    length = _torch("maximum")(length, paddle.full([], eps, dtype=length.dtype))
    return _torch("div")(_left(input, mask, 0), length)
