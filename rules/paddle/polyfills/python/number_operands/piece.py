import paddle

_ORDER = {bool: 0, int: 1, float: 2}
_OPERATIONS = "add sub subtract mul multiply div divide true_divide floor_divide remainder".split()
_COMPARISONS = "ge gt le lt ne greater_equal less_equal not_equal".split()


def _operands(tensor, number, in_place):
    """Both as tensors, of the dtype that torch computes in."""
    order = 2 if tensor.is_floating_point() else int(tensor.dtype != paddle.bool)
    if tensor.is_complex() or _ORDER[type(number)] <= order:
        dtype = tensor.dtype
    else:
        dtype = paddle.int64 if type(number) is int else paddle.get_default_dtype()
        if in_place:
            raise RuntimeError(f"result type {dtype} can't be cast to {tensor.dtype}")
        tensor = tensor.astype(dtype)
    return tensor, paddle.to_tensor(number, dtype=dtype, place=tensor.place)


def _taking_numbers(theirs, in_place=False):
    def method(self, other, *args, **kwargs):
        if type(other) in _ORDER:
            self, other = _operands(self, other, in_place)
        return theirs(self, other, *args, **kwargs)

    return method


_out_of_place = {
    name: _taking_numbers(getattr(paddle.Tensor, name)) for name in _OPERATIONS + _COMPARISONS
}
_in_place = {
    f"{name}_": _taking_numbers(getattr(paddle.Tensor, f"{name}_"), in_place=True)
    for name in _OPERATIONS
    if hasattr(paddle.Tensor, f"{name}_")
}
_in_place["true_divide_"] = _in_place["div_"]
_methods(**_out_of_place, **_in_place)
_register({}, {f"torch.{name}": function for name, function in _out_of_place.items()})
