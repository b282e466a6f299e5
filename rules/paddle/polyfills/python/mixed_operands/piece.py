import paddle

_KINDS = (
    (paddle.bool,),
    (paddle.uint8, paddle.int8, paddle.int16, paddle.int32, paddle.int64),
    (paddle.float16, paddle.bfloat16, paddle.float32, paddle.float64),
    (paddle.complex64, paddle.complex128),
)
_DTYPES = [dtype for kind in _KINDS for dtype in kind]
_JOINED = {
    (paddle.uint8, paddle.int8): paddle.int16,
    (paddle.float16, paddle.bfloat16): paddle.float32,
    (paddle.float64, paddle.complex64): paddle.complex128,
}


def _kind(dtype):
    return next(index for index, kind in enumerate(_KINDS) if dtype in kind)


def _promoted(first, second):
    if first is None or second is None:
        return second if first is None else first
    pair = tuple(sorted((first, second), key=_DTYPES.index))
    return _JOINED.get(pair, pair[1])


def _result_dtype(*tensors):
    """The dtype that torch computes in: a tensor without dimensions only lends its kind."""
    found = [None, None]
    for tensor in tensors:
        level = int(tensor.ndim == 0)
        found[level] = _promoted(found[level], tensor.dtype)
    large, small = found
    if large is not None and small is not None and _kind(small) <= _kind(large):
        return large
    return _promoted(large, small)


def _of_two_dtypes(name):
    theirs = _method(name)  # by then one of larger_dtypes, which wants operands of one dtype
    in_place = name.endswith("_") and not name.endswith("__")

    def method(self, other, *args, **kwargs):
        if isinstance(other, paddle.Tensor) and other.dtype != self.dtype:
            dtype = _result_dtype(self, other)
            if in_place and _kind(dtype) > _kind(self.dtype):
                raise RuntimeError(f"result type {dtype} can't be cast to {self.dtype}")
            other = other.astype(self.dtype if in_place else dtype)
            self = self if in_place else self.astype(dtype)
        return theirs(self, other, *args, **kwargs)

    return method


_BINARY = [f"__{name}__" for name in "add sub mul truediv floordiv mod pow eq ne lt le gt ge".split()]
_BINARY += (
    "add sub subtract mul multiply div divide remainder pow eq ne lt le gt ge maximum minimum "
    "add_ sub_ subtract_ mul_ multiply_ div_ divide_"
).split()
_methods(**{name: _of_two_dtypes(name) for name in _BINARY if hasattr(paddle.Tensor, name)})
