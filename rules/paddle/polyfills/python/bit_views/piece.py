import paddle

from .methods_of_tensors import _method, _methods

_view_at = _method("view")


def _bit_view(self, *shape, **options):
    dtype = shape[0] if shape else options.get("dtype")
    if self.offset and isinstance(dtype, paddle.dtype):
        old, new = self.element_size(), paddle.empty([], dtype).element_size()
        if self.offset % new:
            raise RuntimeError("view: the offset is not divisible by the size of the dtype")
        if old != new:  # so that it is right once Paddle has multiplied it with old / new
            self = paddle.as_strided(self, self.shape, self.strides, self.offset * new // old)
    return _view_at(self, *shape, **options)


_methods(view=_bit_view)
