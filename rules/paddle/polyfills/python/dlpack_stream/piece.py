from .methods_of_tensors import _method, _methods


_dlpack = _method("__dlpack__")


def __dlpack__(self, *, stream=None, **kwargs):
    return _dlpack(self, stream=None if self.place.is_cpu_place() else stream, **kwargs)


_methods(__dlpack__=__dlpack__)
