import inspect

import paddle

from .random_states import fork_rng
from .torchs_meaning import _torch


def get_total_norm(tensors, norm_type=2.0, error_if_nonfinite=False, foreach=None):
    """The norm of all elements of the tensors together."""
    tensors = [tensors] if isinstance(tensors, paddle.Tensor) else [*tensors]
    if not tensors:
        return paddle.to_tensor(0.0)
    norm, order = _torch("linalg.vector_norm"), float(norm_type)
    with paddle.no_grad():
        total = norm(paddle.stack([norm(each, order) for each in tensors]), order)
    if error_if_nonfinite and not bool(paddle.isfinite(total)):
        raise RuntimeError(
            f"The total norm of order {order} for gradients from `parameters` is non-finite, so it cannot be clipped. To "
            "disable this error and scale the gradients by the non-finite norm anyway, set `error_if_nonfinite=False`"
        )
    return total


def clip_grads_with_norm_(parameters, max_norm, total_norm, foreach=None):
    """Scale the gradients as clip_grad_norm_ does that finds this norm."""
    parameters = [parameters] if isinstance(parameters, paddle.Tensor) else parameters
    gradients = [each.grad for each in parameters if each.grad is not None]
    scale = paddle.clip(float(max_norm) / (total_norm + 1e-6), max=1.0)
    with paddle.no_grad():
        for gradient in gradients:
            gradient.multiply_(scale.astype(gradient.dtype))


def clip_grad_clip_grad_norm_(*args, **kwargs):
    return _torch("nn.utils.clip_grad_norm_")(*args, **kwargs)


def clip_grad_clip_grad_value_(*args, **kwargs):
    return _torch("nn.utils.clip_grad_value_")(*args, **kwargs)


_get_total_norm = get_total_norm
_clip_grads_with_norm_ = clip_grads_with_norm_


def skip_init(module_cls, *args, **kwargs):
    """A layer whose parameters nobody may rely on; nothing is drawn for them."""
    if not issubclass(module_cls, paddle.nn.Layer):
        raise RuntimeError(f"Expected a Module; got {module_cls}")
    if "device" not in inspect.signature(module_cls).parameters:
        raise RuntimeError("Module must support a 'device' arg to skip initialization")
    with fork_rng():
        return module_cls(*args, **{"device": "cpu", **kwargs})


def consume_prefix_in_state_dict_if_present(state_dict, prefix):
    """Drop a prefix of the names, and of those of the modules beside them."""
    for key in [key for key in state_dict if key.startswith(prefix)]:
        state_dict[key[len(prefix) :]] = state_dict.pop(key)
    noted = getattr(state_dict, "_metadata", {})
    for key in [key for key in noted if key and (key.startswith(prefix) or key == prefix.replace(".", ""))]:
        noted[key[len(prefix) :]] = noted.pop(key)


def _reverse_repeat_tuple(t, n):
    return tuple(each for each in reversed(t) for _ in range(n))


def _list_with_default(out_size, defaults):
    if isinstance(out_size, int):
        return out_size
    if len(defaults) <= len(out_size):
        raise ValueError(f"Input dimension should be at least {len(out_size) + 1}")
    return [d if size is None else size for size, d in zip(out_size, defaults[-len(out_size) :], strict=False)]
