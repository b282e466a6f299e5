import paddle

from .methods_of_tensors import _method, _methods

_paddles_to = _method("to")
_ALONE = frozenset({"device", "dtype"})


def to(self, *args, non_blocking=False, copy=False, memory_format=None, **kwargs):
    """A tensor of another dtype or on another device; a copy of its own, if asked for."""
    if len(args) + len(kwargs) == 1 and kwargs.keys() <= _ALONE and not copy and memory_format is None:
        (asked,) = args or kwargs.values()
        if isinstance(asked, paddle.dtype):
            return self if self.dtype == asked else self.astype(asked)
        if not isinstance(asked, paddle.Tensor) and getattr(asked, "type", asked) == "cpu" and self.place.is_cpu_place():
            return self
    flags = [value for value in args if isinstance(value, bool)]  # non_blocking, copy
    given = [value for value in args if not isinstance(value, bool) and value is not None]
    kwargs = {key: value for key, value in kwargs.items() if value is not None}
    made = _paddles_to(self, *given, **kwargs) if given or kwargs else self
    if made is self and (copy or flags[1:] == [True]):
        made = self.clone()
    if repr(memory_format).startswith("torch.channels_last"):
        made = _method("contiguous")(made, memory_format=memory_format)
    return made


_methods(to=to)
