import functools

import paddle

from .methods_of_tensors import _wrap_functions, _wrap_methods


def _of_both_gradients(theirs, _):
    @functools.wraps(theirs)
    def cross(input, other, *args, **kwargs):
        if paddle.is_grad_enabled() and input.stop_gradient != other.stop_gradient:
            if input.stop_gradient:
                input = input.detach()
                input.stop_gradient = False
            else:
                other = other.detach()
                other.stop_gradient = False
        return theirs(input, other, *args, **kwargs)

    return cross


_wrap_functions(_of_both_gradients, ["cross", "linalg.cross"])
_wrap_methods(_of_both_gradients, ["cross"])
