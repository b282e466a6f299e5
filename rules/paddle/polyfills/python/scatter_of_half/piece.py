import paddle

_HALVES = (paddle.float16, paddle.bfloat16)


def _in_float32(name):
    theirs = getattr(paddle.Tensor, name)

    def method(self, *args, **kwargs):
        if self.dtype not in _HALVES or not self.place.is_cpu_place():
            return theirs(self, *args, **kwargs)

        def larger(value):
            half = isinstance(value, paddle.Tensor) and value.dtype == self.dtype
            return value.astype("float32") if half else value

        kwargs = {key: larger(value) for key, value in kwargs.items()}
        out = theirs(larger(self), *map(larger, args), **kwargs).astype(self.dtype)
        return paddle.assign(out, self) if name.endswith("_") else out

    return method


_of_half = {
    name: _in_float32(name)
    for name in ("gather", "scatter", "scatter_", "scatter_add", "scatter_add_", "index_add_")
}
_methods(**_of_half)
_register({}, {f"torch.{n}": f for n, f in _of_half.items() if not n.endswith("_")})
