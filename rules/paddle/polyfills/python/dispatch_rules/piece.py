from .operators import _autocasting, _registered


def register_torch_dispatch(op, torch_dispatch_class, func=None, /, *, lib=None):
    raise NotImplementedError("there is no __torch_dispatch__ under Paddle")


def register_autocast(op, device_type, cast_inputs, /, *, lib=None):
    """Run an operator with its floating-point tensors in a dtype where autocast is on."""
    _autocasting(_registered(op), device_type, cast_inputs)
