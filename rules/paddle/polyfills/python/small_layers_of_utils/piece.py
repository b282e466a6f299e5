import copy

import paddle

from .checkpoint import checkpoint
from .iterators_of_modules import parameters_to_vector, vector_to_parameters
from .states_of_modules import _IncompatibleKeys, _register_load_state_dict_pre_hook, _register_state_dict_hook
from .torchs_meaning import _torch

module__IncompatibleKeys = _IncompatibleKeys
convert_parameters_parameters_to_vector = parameters_to_vector
convert_parameters_vector_to_parameters = vector_to_parameters


def clip_grad_norm(parameters, max_norm, norm_type=2.0, error_if_nonfinite=False, foreach=None):
    """The old name of clip_grad_norm_."""
    return _torch("nn.utils.clip_grad_norm_")(parameters, max_norm, norm_type, error_if_nonfinite)


def _addindent(s_, numSpaces):
    first, *rest = s_.split("\n")
    return "\n".join([first, *(" " * numSpaces + line for line in rest)])


def _parameters_like(pairs):
    made = _torch("nn.Parameter")
    return tuple(made(value.detach(), requires_grad=not old.stop_gradient) for value, old in pairs)


def fuse_conv_bn_weights(conv_w, conv_b, bn_rm, bn_rv, bn_eps, bn_w, bn_b, transpose=False):
    """The weights of a convolution that does what it and a batch normalization after it do."""
    bias = paddle.zeros_like(bn_rm) if conv_b is None else conv_b
    scale = paddle.rsqrt(bn_rv + bn_eps) * (1 if bn_w is None else bn_w)
    channels = ([1, -1] if transpose else [-1, 1]) + [1] * (conv_w.ndim - 2)
    weight = (conv_w * scale.reshape(channels)).astype(conv_w.dtype)
    shift = (bias - bn_rm) * scale + (0 if bn_b is None else bn_b)
    return _parameters_like([(weight, conv_w), (shift.astype(bias.dtype), bias)])


def fuse_linear_bn_weights(linear_w, linear_b, bn_rm, bn_rv, bn_eps, bn_w, bn_b):
    """The same for a linear layer."""
    bias = paddle.zeros_like(bn_rm) if linear_b is None else linear_b
    scale = bn_w * paddle.rsqrt(bn_rv + bn_eps)
    weight, shift = linear_w * scale.unsqueeze(-1), (bias - bn_rm) * scale + bn_b
    return _parameters_like([(weight.astype(linear_w.dtype), linear_w), (shift.astype(bias.dtype), bias)])


def _fused(layer, bn, fuse, *options):
    if layer.training or bn.training:
        raise AssertionError("Fusion only for eval!")
    made = copy.deepcopy(layer)
    given = bn.running_mean, bn.running_var, bn.eps, bn.weight, bn.bias
    made.weight, made.bias = fuse(made.weight, made.bias, *given, *options)
    return made


def fuse_conv_bn_eval(conv, bn, transpose=False):
    return _fused(conv, bn, fuse_conv_bn_weights, transpose)


def fuse_linear_bn_eval(linear, bn):
    return _fused(linear, bn, fuse_linear_bn_weights)


_WRAPPED = "_checkpoint_wrapped_module."


def _without_wrapper(module, state, prefix, *rest):
    """The names of a state as they are without the wrapper."""
    for key in [key for key in state if key.startswith(prefix + _WRAPPED)]:
        state[prefix + key.removeprefix(prefix + _WRAPPED)] = state.pop(key)


def _with_wrapper(state, prefix, *rest):
    for key in [key for key in state if key.startswith(prefix)]:
        state[prefix + _WRAPPED + key.removeprefix(prefix)] = state.pop(key)


class CheckpointWrapper(paddle.nn.Layer):
    """A module whose values inside are computed again for its gradient."""

    def __init__(self, mod, checkpoint_impl=None, checkpoint_fn=None, **options):
        super().__init__()
        self._checkpoint_wrapped_module = mod
        self._run = checkpoint_fn or checkpoint
        self._options = options or ({"use_reentrant": False} if checkpoint_fn is None else {})
        _register_state_dict_hook(self, _without_wrapper)
        _register_load_state_dict_pre_hook(self, _with_wrapper)

    def named_parameters(self, *args, **kwargs):
        for name, parameter in super().named_parameters(*args, **kwargs):
            yield name.replace(_WRAPPED, ""), parameter

    def __getattr__(self, name):
        try:
            return super().__getattr__(name)
        except AttributeError:
            return getattr(self._checkpoint_wrapped_module, name)

    def __getitem__(self, key):
        return self._checkpoint_wrapped_module[key]

    def forward(self, *args, **kwargs):
        return self._run(self._checkpoint_wrapped_module, *args, **self._options, **kwargs)


def checkpoint_wrapper(module, checkpoint_impl=None, checkpoint_fn=None, **options):
    return CheckpointWrapper(module, checkpoint_impl, checkpoint_fn, **options)


def apply_activation_checkpointing(
    model, checkpoint_wrapper_fn=checkpoint_wrapper, check_fn=lambda _: True, auto_wrap_policy=None
):
    """Wrap the modules within one that a function picks."""
    if auto_wrap_policy is not None:
        raise NotImplementedError("policies of FSDP are not taken under Paddle: give check_fn")
    for name, inner in [*model._sub_layers.items()]:
        if inner is not None:
            apply_activation_checkpointing(inner, checkpoint_wrapper_fn, check_fn)
            if check_fn(inner):
                setattr(model, name, checkpoint_wrapper_fn(inner))
