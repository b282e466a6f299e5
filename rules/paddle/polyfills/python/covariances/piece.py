import paddle

from .methods_of_tensors import _as_in_torch
from .torchs_meaning import _tensor_method, _torch


def cov(input, *, correction=1, fweights=None, aweights=None):
    if input.ndim > 2:
        raise RuntimeError(
            f"cov(): expected input to have two or fewer dimensions but got an input with {input.ndim} dimensions"
        )
    rows = input if input.ndim == 2 else input.reshape([1, -1])
    weights = aweights if fweights is None else fweights
    if fweights is not None and aweights is not None:
        weights = _torch("mul")(fweights, aweights)
    if weights is None:
        total, heavy = rows.shape[1], rows
        norm = max(total - correction, 0)
        whole = _torch("sum")(rows, dim=1)
    else:
        total, heavy = weights.sum(), _torch("mul")(rows, weights)
        whole = _torch("sum")(heavy, dim=1)
        less = correction if aweights is None else correction * (weights * aweights).sum() / total
        norm = (total - less).clip(min=0)
    mean = _torch("div")(whole, total)
    away = _torch("sub")(rows, mean.unsqueeze(1))
    heavy = away if weights is None else _torch("mul")(away, weights)
    product = _torch("matmul")(away, _torch("conj")(heavy.mT))
    if isinstance(norm, (int, float)):
        norm = paddle.full([], float(norm), dtype=paddle.float32)
    return _torch("div")(product, norm.astype(product.dtype)).squeeze()


def corrcoef(input):
    if input.ndim > 2:
        raise RuntimeError(
            f"corrcoef(): expected input to have two or fewer dimensions but got an input with {input.ndim} dimensions"
        )
    made = cov(input)
    if not made.ndim:
        return _torch("div")(made, made)
    middle = _torch("diagonal")(made)
    spread = _torch("sqrt")(_torch("real")(middle) if made.is_complex() else middle)
    made = _torch("div")(_torch("div")(made, spread.reshape([-1, 1])), spread.reshape([1, -1]))
    if made.is_complex():
        return paddle.complex(*(each.clip(-1, 1) for each in made.as_real().unbind(-1)))
    return _tensor_method("clamp")(made, -1, 1)


_as_in_torch(cov, corrcoef)
