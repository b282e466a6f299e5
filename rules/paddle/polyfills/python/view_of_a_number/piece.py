import paddle

from .methods_of_tensors import _method, _methods

_view = _method("view")


def _view_of_any(self, *shape, **options):
    sizes = self.shape
    if 0 in sizes and shape and not isinstance(shape[0], (str, paddle.dtype)):
        return self.reshape(*shape, **options)
    source = self.unsqueeze(0) if not sizes and shape and shape != ([],) else self
    return _view(source, *shape, **options)


def _view_as(self, other):
    return _view_of_any(self, other.shape)


_methods(view=_view_of_any, view_as=_view_as)
