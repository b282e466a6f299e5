import paddle
from paddle._ops import OverloadedOpFunction
from paddle.autograd import PyLayer

_STEPS = {}  # operator -> what calls it as a step of the graph


def register_autograd(op, backward, /, *, setup_context=None, lib=None):
    """Give the operator "namespace::name" this backward pass."""
    name = _name_of(op)
    space, last = name.split("::")
    op = getattr(getattr(paddle.ops, space), last)
    _recording(type(op))
    _STEPS[name] = _step_of(op, backward, setup_context)


def _recording(kind):
    """Let operators of a class be steps of the graph where an argument wants a gradient."""
    if "_alone" in vars(kind):
        return

    def call(self, *args, **kwargs):
        step = _STEPS.get(_name_of(self))
        if step is not None and paddle.is_grad_enabled():
            if any(not each.stop_gradient for each in _flat((*args, *kwargs.values()))):
                return step.apply(*args, **kwargs)
        return kind._alone(self, *args, **kwargs)

    kind._alone, kind.__call__ = kind.__call__, call


# What asked for `.default` before a backward pass was registered has it, too.
_recording(OverloadedOpFunction)
OverloadedOpFunction.default = property(lambda self: self)


def _step_of(op, run, setup_context):
    class Step(PyLayer):
        @staticmethod
        def forward(ctx, *args, **kwargs):
            output = op._alone(*args, **kwargs)
            if setup_context is not None:
                known = {"keyword_only_inputs": kwargs} if kwargs else {}
                setup_context(ctx, args, output, **known)
            return output

        @staticmethod
        def backward(ctx, *gradients):
            return run(ctx, *gradients)

    return Step
