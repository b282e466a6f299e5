import paddle


def _gathering(name):
    theirs, in_place = getattr(paddle.Tensor, name), name.endswith("_")

    def method(self, *args, **kwargs):
        half = _is_half_on_cpu(self)
        if not half and not (in_place and _is_recorded(self, *args, *kwargs.values())):
            return theirs(self, *args, **kwargs)

        def larger(value):
            same = half and isinstance(value, paddle.Tensor) and value.dtype == self.dtype
            return value.astype("float32") if same else value

        kwargs = {key: larger(value) for key, value in kwargs.items()}
        copy = self.astype("float32") if half else self.clone()  # theirs keeps it for backward
        out = theirs(copy, *map(larger, args), **kwargs).astype(self.dtype)
        return paddle.assign(out, self) if in_place else out

    return method


_FUNCTIONS = ("gather", "scatter", "scatter_add")
_gatherings = {
    name: _gathering(name) for name in (*_FUNCTIONS, "scatter_", "scatter_add_", "index_add_")
}
_methods(**_gatherings)
_register({}, {f"torch.{name}": _gatherings[name] for name in _FUNCTIONS})
