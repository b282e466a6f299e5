import paddle


def _clamping(name):
    theirs = getattr(paddle.Tensor, name)

    def method(self, *args, **kwargs):
        half = self.dtype in (paddle.float16, paddle.bfloat16)
        if not half or not self.place.is_cpu_place():
            return theirs(self, *args, **kwargs)

        def larger(value):
            return value.astype("float32") if isinstance(value, paddle.Tensor) else value

        kwargs = {key: larger(value) for key, value in kwargs.items()}
        out = theirs(larger(self), *map(larger, args), **kwargs).astype(self.dtype)
        return paddle.assign(out, self) if name.endswith("_") else out

    return method


_methods(clamp=_clamping("clamp"), clamp_=_clamping("clamp_"))
_register({}, {"torch.clamp": _clamping("clamp")})
