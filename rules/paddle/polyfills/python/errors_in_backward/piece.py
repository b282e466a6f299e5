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
_backward_of_tensor = _raising_as_it_is(paddle.Tensor.backward)


def _backward_as_in_torch(self, gradient=None, retain_graph=None, create_graph=False, inputs=None):
    if create_graph or inputs is not None:
        raise NotImplementedError("Tensor.backward under Paddle takes no create_graph, no inputs")
    if isinstance(gradient, (tuple, list)):
        gradient = gradient[0]
    return _backward_of_tensor(self, gradient, bool(retain_graph))


_methods(backward=_backward_as_in_torch)
