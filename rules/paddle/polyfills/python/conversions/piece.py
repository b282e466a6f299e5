from .methods_of_tensors import _method, _methods
from .sparse_arguments import _called_on_sparse, _sparse_made


def _converting(name):
    theirs = _method(name)

    def method(self, memory_format=None):
        if _sparse_made and name != "cpu" and not self.is_dense():
            return _called_on_sparse(name, (self,), {})
        made = theirs(self)
        if repr(memory_format).startswith("torch.channels_last"):
            return _method("contiguous")(made, memory_format=memory_format)
        return made

    return method


_CONVERSIONS = "bfloat16 bool byte cdouble cfloat char cpu double float half int long short".split()
_methods(**{name: _converting(name) for name in _CONVERSIONS})
