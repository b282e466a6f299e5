import functools

import paddle


def _as_in_torch(*functions):
    """Give torch, and its tensors, these functions, whose first argument is a tensor."""
    _register({}, {f"torch.{function.__name__}": function for function in functions})
    for function in functions:
        name = function.__name__
        setattr(paddle.Tensor, name, _method(function, getattr(paddle.Tensor, name, None)))


def _method(ours, theirs):
    @functools.wraps(ours)
    def method(self, *args, **kwargs):
        call = theirs if theirs is not None and {"axis", "name"} & kwargs.keys() else ours
        return call(self, *args, **kwargs)

    return method
