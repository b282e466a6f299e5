import functools

import paddle

_KINDS = (
    (paddle.bool,),
    (paddle.uint8, paddle.int8, paddle.int16, paddle.int32, paddle.int64),
    (paddle.float16, paddle.bfloat16, paddle.float32, paddle.float64),
    (paddle.complex64, paddle.complex128),
)
_DTYPES = [dtype for kind in _KINDS for dtype in kind]
_KIND = {dtype: index for index, kind in enumerate(_KINDS) for dtype in kind}
_JOINED = {
    (paddle.uint8, paddle.int8): paddle.int16,
    (paddle.float16, paddle.bfloat16): paddle.float32,
    (paddle.float64, paddle.complex64): paddle.complex128,
}


def _kind(dtype):
    return _KIND[dtype]


def _default_dtype():
    return getattr(paddle, str(paddle.get_default_dtype()).rpartition(".")[2])


def _dtype_of(value):
    """The dtype of a tensor, or the one that a number has among tensors."""
    if isinstance(value, paddle.Tensor):
        return value.dtype
    if isinstance(value, complex):
        return _promoted(paddle.complex64, _default_dtype())
    integers = paddle.bool if isinstance(value, bool) else paddle.int64
    return _default_dtype() if isinstance(value, float) else integers


@functools.lru_cache(None)
def _promoted(type1, type2):
    pair = tuple(sorted((type1, type2), key=_DTYPES.index))
    return _JOINED.get(pair, pair[1])


promote_types = _promoted


def _result_dtype(*values):
    """The dtype that torch computes in: what has no dimensions only lends its kind."""
    found = [None, None, None]  # of tensors, of tensors without dimensions, of numbers
    for value in values:
        level = int(value.ndim == 0) if isinstance(value, paddle.Tensor) else 2
        dtype = _dtype_of(value)
        found[level] = dtype if found[level] is None else _promoted(found[level], dtype)
    result = None
    for dtype in (each for each in reversed(found) if each is not None):
        if result is None or _kind(result) <= _kind(dtype):
            result = dtype
        else:
            result = _promoted(dtype, result)
    return result


def result_type(tensor1, tensor2):
    return _result_dtype(tensor1, tensor2)


def can_cast(from_, to):
    return _kind(from_) <= _kind(to)
