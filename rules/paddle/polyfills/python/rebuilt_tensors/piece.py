import paddle

from .torchs_meaning import _tensor_method, _torch


def _rebuild_tensor(storage, storage_offset, size, stride):
    """A tensor of a storage."""
    made = paddle.empty([0], dtype=getattr(storage, "dtype", paddle.uint8))
    return _tensor_method("set_")(made, storage, storage_offset, tuple(size), tuple(stride))


def _rebuild_tensor_v2(storage, storage_offset, size, stride, requires_grad, backward_hooks, metadata=None):
    made = _rebuild_tensor(storage, storage_offset, size, stride)
    _refuse_hooks(backward_hooks)
    made.stop_gradient = not requires_grad
    return made


def _refuse_hooks(hooks):
    if hooks:  # torch itself writes an empty dict, and warns where a tensor has hooks
        raise NotImplementedError("Under Paddle a tensor is not rebuilt with hooks: register them afterwards")


def _rebuild_parameter(data, requires_grad, backward_hooks):
    """A parameter with these values."""
    _refuse_hooks(backward_hooks)
    return _torch("nn.Parameter")(data, requires_grad)


def _rebuild_parameter_with_state(data, requires_grad, backward_hooks, state):
    """The same with attributes that were set on it."""
    made = _rebuild_parameter(data, requires_grad, backward_hooks)
    of_dict, of_slots = state if isinstance(state, tuple) else (state, None)
    for values in (of_dict, of_slots):
        for name, value in (values or {}).items():
            setattr(made, name, value)
    return made
