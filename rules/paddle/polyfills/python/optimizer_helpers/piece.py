import collections.abc
import functools
import typing

import paddle

from .torchs_meaning import _torch

_Iterable = collections.abc.Iterable
ParamsT: typing.TypeAlias = (
    _Iterable[paddle.Tensor] | _Iterable[dict[str, typing.Any]] | _Iterable[tuple[str, paddle.Tensor]]
)
_params_doc = "params (iterable): the parameters, pairs of name and parameter, or dicts of groups"
_foreach_doc = "foreach (bool, optional): no effect here"
_fused_doc = "fused (bool, optional): no effect here"
_capturable_doc = "capturable (bool, optional): whether a step can be captured in a CUDA graph"
_differentiable_doc = "differentiable (bool, optional): whether autograd records the step"
_maximize_doc = "maximize (bool, optional): whether the objective is to become larger"


def _use_grad_for_differentiable(func):
    """A step that is recorded only if the optimizer is differentiable."""

    @functools.wraps(func)
    def step(*args, **kwargs):
        with _torch("set_grad_enabled")(args[0].defaults["differentiable"]):
            return func(*args, **kwargs)

    return step


def _get_value(x):
    return x.item() if isinstance(x, paddle.Tensor) else x


def _stack_if_compiling(x):
    return x


def _to_scalar(x):
    return x.squeeze() if isinstance(x, paddle.Tensor) and x.ndim else x


def _get_scalar_dtype(is_fused=None):
    return paddle.float64 if not is_fused and paddle.get_default_dtype() == "float64" else paddle.float32


def _default_to_fused_or_foreach(params, differentiable, use_fused=False):
    """(whether fused, whether foreach): one tensor at a time."""
    return False, False


def _disable_dynamo_if_unsupported(single_tensor_fn=None):
    return lambda func: func


def _view_as_real(params, *state_and_grads):
    """Views of the complex numbers as pairs, put in their places in the lists."""
    for i, param in enumerate(params):
        if param.is_complex():
            for each in (params, *state_and_grads):
                each[i] = _torch("view_as_real")(each[i])
