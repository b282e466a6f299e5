import paddle
from paddle._ops import OverloadedOpFunction
from paddle.autograd import PyLayer

_STEPS = {}  # operator -> what calls it as a step of the graph


def register_autograd(op, backward, /, *, setup_context=None, lib=None):
    """Give the operator "namespace::name" this backward pass."""
    name = _name_of(op)
    space, last = name.split("::")
    _STEPS[name] = _step_of(getattr(getattr(paddle.ops, space), last), backward, setup_context)


def _called_in_graph(self, *args, **kwargs):
    """Call an operator, as a step of the graph where an argument wants a gradient."""
    step = _STEPS.get(f"{self.namespace}::{self.name}")
    if step is not None and paddle.is_grad_enabled():
        if any(not each.stop_gradient for each in _flat((*args, *kwargs.values()))):
            return step.apply(*args, **kwargs)
    return self.callable_fn(*args, **kwargs)


# What asked for `.default` before a backward pass was registered has it, too.
OverloadedOpFunction.__call__ = _called_in_graph
OverloadedOpFunction.default = property(lambda self: self)


def _step_of(op, run, setup_context):
    class Step(PyLayer):
        @staticmethod
        def forward(ctx, *args, **kwargs):
            output = op.callable_fn(*args, **kwargs)
            if setup_context is not None:
                known = {"keyword_only_inputs": kwargs} if kwargs else {}
                setup_context(ctx, args, output, **known)
            return output

        @staticmethod
        def backward(ctx, *gradients):
            return run(ctx, *gradients)

    return Step
