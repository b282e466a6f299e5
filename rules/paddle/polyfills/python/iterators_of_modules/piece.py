import paddle

from .methods_of_tensors import _members

_list_parameters, _list_buffers = paddle.nn.Layer.parameters, paddle.nn.Layer.buffers
_paddle_clip = paddle.nn.utils.clip_grad_norm_


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
    return paddle.concat([each.flatten() for each in parameters])


def vector_to_parameters(vec, parameters):
    return paddle.nn.utils.vector_to_parameters(vec, [*parameters])


def clip_grad_norm_(parameters, max_norm, norm_type=2.0, error_if_nonfinite=False, foreach=None):
    """Paddle goes through the parameters twice: an iterator is at its end when it is time to clip."""
    if not isinstance(parameters, paddle.Tensor):
        parameters = [*parameters]
    return _paddle_clip(parameters, max_norm, norm_type, error_if_nonfinite)


# Code for torch may call it by Paddle's name, with the iterator that `parameters` gives.
paddle.nn.utils.clip_grad_norm_ = clip_grad_norm_
_members(
    paddle.nn.Layer, parameters=_iterate_parameters, buffers=_iterate_buffers, _named_members=_iterate_members
)
