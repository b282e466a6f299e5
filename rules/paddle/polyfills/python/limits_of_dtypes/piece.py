import paddle


class _Limits:
    """What numbers of a dtype can be."""

    def __init__(self, type):
        name = f"{self.__class__.__name__}()"
        if not isinstance(type, paddle.dtype):
            raise TypeError(f"{name}: argument 'type' (position 1) must be torch.dtype, not {type.__class__.__name__}")
        try:
            self._of = self._limits(type)
        except ValueError:
            raise TypeError(f"torch.{name} has nothing for {type}") from None

    def __getattr__(self, name):
        if name.startswith("_") or name not in self._fields:
            raise AttributeError(f"'torch.{type(self).__name__}' object has no attribute {name!r}")
        return getattr(self._of, name)

    def __eq__(self, other):
        return isinstance(other, type(self)) and other.dtype == self.dtype

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self):
        numbers = ", ".join(f"{each}={getattr(self, each):g}" for each in self._written)
        return f"{type(self).__name__}({numbers}, dtype={self.dtype})"


class finfo(_Limits):
    _fields = ("bits", "dtype", "eps", "max", "min", "resolution", "smallest_normal", "tiny")
    _written = ("resolution", "min", "max", "eps", "smallest_normal", "tiny")

    def __init__(self, type=None):
        super().__init__(getattr(paddle, str(paddle.get_default_dtype())) if type is None else type)

    def _limits(self, dtype):
        real = {paddle.complex64: paddle.float32, paddle.complex128: paddle.float64}
        return paddle.finfo(real.get(dtype, dtype))


class iinfo(_Limits):
    _fields = ("bits", "dtype", "max", "min")
    _written = ("min", "max")

    def __init__(self, type):
        super().__init__(type)

    def _limits(self, dtype):
        return paddle.iinfo(dtype)
