import functools
import types

import paddle

from .methods_of_tensors import _members, _static
from .torchs_meaning import _torch

_NO_CODE = types.SimpleNamespace(co_varnames=("include_sublayers",))
_paddle_clip = paddle.nn.utils.clip_grad_norm_


def _by_names(theirs, names):
    """A list of a layer's tensors: of a layer whose class names them as torch does, by these names."""
    paddles = _static(paddle.nn.Layer, names)

    @functools.wraps(theirs)
    def listed(self, *args, **kwargs):
        given = _static(type(self), names)
        if given is paddles or "include_sublayers" in getattr(given, "__code__", _NO_CODE).co_varnames:
            return theirs(self, *args, **kwargs)
        recurse = args[0] if args else kwargs.get("recurse", kwargs.get("include_sublayers", True))
        return [tensor for _, tensor in getattr(self, names)(recurse=recurse)]

    return listed


_list_parameters = _by_names(paddle.nn.Layer.parameters, "named_parameters")
_list_buffers = _by_names(paddle.nn.Layer.buffers, "named_buffers")


def _iterate_parameters(self, recurse=True):
    yield from _list_parameters(self, recurse)


def _iterate_buffers(self, recurse=True):
    yield from _list_buffers(self, recurse)


def _iterate_members(self, get_members_fn, prefix="", recurse=True, remove_duplicate=True):
    """What a function finds in a module, and in those in it, by full names: each once, unless asked otherwise."""
    seen = set()
    for path, module in self.named_sublayers(prefix=prefix, include_self=True) if recurse else [(prefix, self)]:
        for name, member in get_members_fn(module):
            if member is not None and not (remove_duplicate and id(member) in seen):
                seen.add(id(member))
                yield f"{path}.{name}" if path else name, member


def parameters_to_vector(parameters):
    return _torch("cat")([each.flatten() for each in parameters])


def vector_to_parameters(vec, parameters):
    return paddle.nn.utils.vector_to_parameters(vec, [*parameters])


def clip_grad_norm_(parameters, max_norm, norm_type=2.0, error_if_nonfinite=False, foreach=None):
    """Paddle goes through the parameters twice: an iterator is at its end when it is time to clip."""
    if not isinstance(parameters, paddle.Tensor):
        parameters = [*parameters]
    return _paddle_clip(parameters, max_norm, norm_type, error_if_nonfinite)


# Paddle's own code asks modules as well: to set gradients to zero.
paddle.nn.Layer.parameters, paddle.nn.Layer.buffers = _list_parameters, _list_buffers
# Code for torch may call it by Paddle's name, with the iterator that `parameters` gives.
paddle.nn.utils.clip_grad_norm_ = clip_grad_norm_
_members(
    paddle.nn.Layer, parameters=_iterate_parameters, buffers=_iterate_buffers, _named_members=_iterate_members
)
