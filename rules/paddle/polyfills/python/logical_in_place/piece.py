from .computing import _writing
from .methods_of_tensors import _method, _methods

_LOGICAL = [f"logical_{name}" for name in ("and", "or", "xor", "not")]
_methods(**{f"{name}_": _writing(_method(name)) for name in _LOGICAL})
