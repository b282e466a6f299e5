import paddle


def _bitwise(name):
    theirs = getattr(paddle, name)

    def function(input, other):
        dtype = _result_dtype(input, other)
        if _kind(dtype) > 1:
            raise NotImplementedError(f"{name} is not implemented for {dtype}")
        return _computed(theirs, input, other)

    return function


def _declined(self, other):
    """What Python asks for x |= y before x | y, of code that is not of this package."""
    return NotImplemented


for _operator in ("__iand__", "__ior__", "__ixor__"):
    if not hasattr(paddle.Tensor, _operator):
        setattr(paddle.Tensor, _operator, _declined)
_bits = {name: _bitwise(f"bitwise_{name}") for name in ("and", "or", "xor")}
_register({}, {f"torch.bitwise_{name}": function for name, function in _bits.items()})
_methods(**{f"bitwise_{name}": function for name, function in _bits.items()})
_methods(**{f"bitwise_{name}_": _writing(function) for name, function in _bits.items()})
_methods(**{f"__{name}__": function for name, function in _bits.items()})
_methods(**{f"__r{name}__": function for name, function in _bits.items()})
_methods(**{f"__i{name}__": _writing(function) for name, function in _bits.items()})
