import functools

import paddle
from paddle.autograd import PyLayer


def _raising_as_it_is(run):
    @functools.wraps(run)
    def call(*args, **kwargs):
        PyLayer.raised = None  # by a backward pass, whichever unit it is of
        try:
            return run(*args, **kwargs)
        except OSError:
            if PyLayer.raised is None:
                raise
            error, PyLayer.raised = PyLayer.raised, None
        raise error

    return call


grad = _raising_as_it_is(paddle.grad)
backward = _raising_as_it_is(paddle.autograd.backward)
_methods(backward=_raising_as_it_is(paddle.Tensor.backward))
