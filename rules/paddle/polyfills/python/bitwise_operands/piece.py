import paddle

from .computing import _computed, _writing
from .methods_of_tensors import _methods
from .overrides import _register
from .promotion import _KINDS, _kind, _result_dtype


_WHOLE = {*_KINDS[0], *_KINDS[1]}  # of two of the same, Paddle gives what torch does


def _bitwise(name):
    theirs = getattr(paddle, name)

    def function(input, other):
        own = getattr(input, "dtype", None)
        if own in _WHOLE and own == getattr(other, "dtype", None):
            return theirs(input, other)
        dtype = _result_dtype(input, other)
        if _kind(dtype) > 1:
            raise NotImplementedError(f"{name} is not implemented for {dtype}")
        return _computed(theirs, input, other)

    return function


_bits = {name: _bitwise(f"bitwise_{name}") for name in ("and", "or", "xor")}
_register({}, {f"torch.bitwise_{name}": function for name, function in _bits.items()})
_methods(**{f"bitwise_{name}": function for name, function in _bits.items()})
_methods(**{f"bitwise_{name}_": _writing(function) for name, function in _bits.items()})
_methods(**{f"__{name}__": function for name, function in _bits.items()})
_methods(**{f"__r{name}__": function for name, function in _bits.items()})
