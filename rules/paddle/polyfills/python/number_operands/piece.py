import paddle

from .computing import _assign
from .half_on_cpu import _is_half_on_cpu, _is_recorded
from .methods_of_tensors import _methods
from .overrides import _register

_ORDER = {bool: 0, int: 1, float: 2, complex: 3}
_OPERATIONS = "add sub subtract mul multiply div divide true_divide floor_divide remainder".split()
_COMPARISONS = "ge gt le lt ne greater_equal less_equal not_equal".split()
_QUOTIENTS = ("div", "divide", "true_divide")
_OF_TWO_NUMBERS = frozenset("add sub subtract mul multiply div divide true_divide floor_divide".split())
_SAVING = ("div_", "divide_", "true_divide_")  # keep what torch's may lose before a backward pass


def _operands(tensor, number, in_place):
    """Both as tensors, of the dtype that torch computes in."""
    order = 2 if tensor.is_floating_point() else int(tensor.dtype != paddle.bool)
    if tensor.is_complex() or _ORDER[type(number)] <= order:
        dtype = tensor.dtype
    else:
        dtype = paddle.int64 if type(number) is int else paddle.get_default_dtype()
        if type(number) is complex:
            real = tensor.dtype if tensor.is_floating_point() else paddle.to_tensor(0.0).dtype
            dtype = paddle.complex128 if real == paddle.float64 else paddle.complex64
        if in_place:
            raise RuntimeError(f"result type {dtype} can't be cast to {tensor.dtype}")
        tensor = tensor.astype(dtype)
    return tensor, paddle._C_ops.full([], number, dtype, tensor.place)


def _is_float(value):
    return isinstance(value, paddle.Tensor) and value.dtype in (paddle.float32, paddle.float64)


def _first_of_two(number, name):
    """The first of two numbers as the tensor that torch takes it for, which it does for sums, products and quotients."""
    if name not in _OF_TWO_NUMBERS:
        raise TypeError(f"{name}() received an invalid combination of arguments")
    dtype = paddle.get_default_dtype() if type(number) is float else paddle.int64 if type(number) is int else paddle.bool
    return paddle.to_tensor(number, dtype=dtype, place=paddle.CPUPlace())


def _out_of_place(name):
    theirs, product = getattr(paddle.Tensor, name), name in ("mul", "multiply")

    def method(input, other, *args, **kwargs):
        if product and not args and not kwargs and type(other) in (int, float) and _is_float(input):
            return paddle._C_ops.scale(input, float(other), -0.0, True)  # + 0.0 would change -0.0
        if type(other) in _ORDER:
            if type(input) in _ORDER:  # torch makes a tensor of two numbers
                input = _first_of_two(input, name)
            input, other = _operands(input, other, in_place=False)
        elif type(input) in _ORDER:  # of a function
            other, input = _operands(other, input, in_place=False)
        if name in _QUOTIENTS and input.dtype == other.dtype == paddle.bool:
            input, other = input.astype("int64"), other.astype("int64")  # its quotients are bool
        if not _is_half_on_cpu(input) or other.dtype != input.dtype:
            return theirs(input, other, *args, **kwargs)
        out = theirs(input.astype("float32"), other.astype("float32"), *args, **kwargs)
        return out if out.dtype == paddle.bool else out.astype(input.dtype)

    return method


def _in_place(name):
    theirs, ours = getattr(paddle.Tensor, name, None), _functions[name[:-1]]

    def method(self, other, *args, **kwargs):
        if type(other) in _ORDER:
            other = _operands(self, other, in_place=True)[1]
        if _is_half_on_cpu(self) or (name in _SAVING and _is_recorded(self, other)):
            return _assign(ours(self.clone(), other, *args, **kwargs), self)
        return theirs(self, other, *args, **kwargs)

    return method


_functions = {name: _out_of_place(name) for name in _OPERATIONS + _COMPARISONS}
_methods(**_functions)
_methods(**{f"{n}_": _in_place(f"{n}_") for n in _OPERATIONS if hasattr(paddle.Tensor, f"{n}_")})
_methods(true_divide_=_in_place("div_"))
_register({}, {f"torch.{name}": function for name, function in _functions.items()})
