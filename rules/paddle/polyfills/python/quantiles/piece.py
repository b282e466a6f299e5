import paddle

from .methods_of_tensors import _as_in_torch


def _between(low, high, rest, interpolation):
    if interpolation == "linear":
        return low + (high - low) * rest
    if interpolation == "midpoint":
        return low + (high - low) * (rest > 0).astype(low.dtype) / 2
    return low if interpolation == "lower" else high


def _of_ranks(input, q, dim, keepdim, interpolation, without_nan):
    if not input.is_floating_point():
        raise RuntimeError("quantile() input tensor must be either float or double dtype")
    if interpolation not in ("linear", "lower", "higher", "midpoint", "nearest"):
        raise RuntimeError(f"quantile() interpolation {interpolation} is not known")
    q = q if isinstance(q, paddle.Tensor) else paddle.full([], q, dtype=input.dtype)
    if q.ndim > 1 or q.dtype != input.dtype:
        raise RuntimeError("quantile() q must be a scalar or 1D tensor of the dtype of the input")
    if q.place.is_cpu_place() and bool(((q < 0) | (q > 1)).any()):  # torch waits for no device
        raise RuntimeError("quantile() q must be in the range [0, 1]")
    if not input.size:
        raise RuntimeError("quantile() input tensor must be non-empty")
    flat = dim is None or not input.ndim
    rows = input.flatten() if flat else paddle.moveaxis(input, dim, -1)
    nan = paddle.isnan(rows)
    values = paddle.where(nan, paddle.full_like(rows, float("inf")), rows).sort(-1)
    last = (~nan).sum(-1, keepdim=True).astype(rows.dtype) - 1
    unknown = last < 0 if without_nan else nan.any(-1, keepdim=True)
    ranks = q.flatten() * last.clip(min=0)
    ranks = paddle.round(ranks) if interpolation == "nearest" else ranks
    below, above = (each.detach().astype("int64") for each in (ranks.floor(), ranks.ceil()))
    low, high = (paddle.take_along_axis(values, each, -1) for each in (below, above))
    rest = ranks - below.astype(rows.dtype)
    how = "lower" if interpolation == "nearest" else interpolation
    found = _between(low, high, rest, how)
    found = paddle.where(unknown, paddle.full_like(found, float("nan")), found)
    found = paddle.moveaxis(found, -1, 0)
    if keepdim:
        shape = [1] * input.ndim if flat else [1 if n == dim % input.ndim else m for n, m in enumerate(input.shape)]
        found = found.reshape([found.shape[0], *shape])
    return found if q.ndim else found.squeeze(0)


def quantile(input, q, dim=None, keepdim=False, *, interpolation="linear"):
    """The values below which parts of the elements are; nan where one of them is."""
    return _of_ranks(input, q, dim, keepdim, interpolation, False)


def nanquantile(input, q, dim=None, keepdim=False, *, interpolation="linear"):
    """The quantiles of the elements that are not nan."""
    return _of_ranks(input, q, dim, keepdim, interpolation, True)


_as_in_torch(quantile, nanquantile)
