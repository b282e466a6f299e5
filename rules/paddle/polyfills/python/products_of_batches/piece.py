import paddle

from .computing import _applied, _writing
from .matrices import _added
from .methods_of_tensors import _as_in_torch, _methods


def _product_of_batches(first, second):
    """Paddle's bmm takes neither integers nor bool."""
    if first.dtype == paddle.bool:
        return paddle.matmul(first.astype("int64"), second.astype("int64")) > 0
    return paddle.matmul(first, second)


def bmm(input, mat2, *, out=None):
    for at, each in enumerate((input, mat2)):
        if each.ndim != 3:
            raise RuntimeError(f"batch{at + 1} must be a 3D tensor")
    made = (paddle.bmm if input.is_floating_point() else _product_of_batches)(input, mat2)
    return made if out is None else paddle.assign(made, out)


def baddbmm(input, batch1, batch2, *, beta=1, alpha=1):
    values = input, batch1, batch2
    return _applied(lambda x, y, z: _added(x, _product_of_batches(y, z), beta, alpha), batch1.dtype, *values)


def addbmm(input, batch1, batch2, *, beta=1, alpha=1):
    def added(x, y, z):
        return _added(x, _product_of_batches(y, z).sum(0), beta, alpha)

    return _applied(added, batch1.dtype, input, batch1, batch2)


def addr(input, vec1, vec2, *, beta=1, alpha=1):
    def added(x, y, z):
        if x.dtype == paddle.bool:
            return (y.unsqueeze(1) & z & bool(alpha)) | (x & bool(beta))
        return _added(x, y.unsqueeze(1) * z, beta, alpha)

    return _applied(added, input.dtype, input, vec1, vec2)


def bilinear(input1, input2, weight, bias=None):
    """The products of all pairs of features, weighted."""

    def joined(x, y, w, *more):
        pairs = (x.unsqueeze(-1) * y.unsqueeze(-2)).flatten(-2)
        made = paddle.matmul(pairs, w.flatten(1), transpose_y=True)
        return made + more[0] if more else made

    return _applied(joined, input1.dtype, input1, input2, weight, *([] if bias is None else [bias]))


_as_in_torch(bmm, baddbmm, addbmm, addr)
_methods(baddbmm_=_writing(baddbmm), addbmm_=_writing(addbmm), addr_=_writing(addr))
