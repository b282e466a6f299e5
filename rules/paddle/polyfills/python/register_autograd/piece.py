import paddle
from paddle.autograd import PyLayer


def register_autograd(op, backward, /, *, setup_context=None, lib=None):
    """Give the operator "namespace::name" this backward pass."""
    name = _name_of(op)
    space = getattr(paddle.ops, name.partition("::")[0])
    last = name.partition("::")[2]
    vars(space)[last] = _Recorded(name, getattr(space, last), backward, setup_context)


class _Recorded:
    """An operator that is a step of the graph where an argument wants a gradient."""

    def __init__(self, name, op, backward, setup_context):
        self._name = self._qualified_op_name = name
        self._op, self._step = op, _step_of(op, backward, setup_context)

    @property
    def default(self):
        return self

    def __getattr__(self, name):
        return getattr(self._op, name)

    def __call__(self, *args, **kwargs):
        wanted = any(not each.stop_gradient for each in _flat((*args, *kwargs.values())))
        call = self._step.apply if wanted and paddle.is_grad_enabled() else self._op
        return call(*args, **kwargs)


def _step_of(op, run, setup_context):
    class Step(PyLayer):
        @staticmethod
        def forward(ctx, *args, **kwargs):
            output = op(*args, **kwargs)
            if setup_context is not None:
                known = {"keyword_only_inputs": kwargs} if kwargs else {}
                setup_context(ctx, args, output, **known)
            return output

        @staticmethod
        def backward(ctx, *gradients):
            return run(ctx, *gradients)

    return Step
