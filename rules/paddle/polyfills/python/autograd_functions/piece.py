import functools
import inspect
import sys
import types

import paddle
from paddle.autograd import PyLayer

from .errors_in_backward import (
    _asked_for, _differentiating, _node_of, _note_pass, _note_step, _switched_on, _with_zeros_behind,
)
from .nodes_of_graphs import _contexts, graph_Node

_dual_levels: list = []  # of forward mode: none, or one

class FunctionCtx:
    """What forward and backward of one call share."""

    saved_tensors = needs_input_grad = _non_differentiable = _dirty = ()
    _materialize, _for_forward = True, None

    def save_for_backward(self, *tensors):
        for at, each in enumerate(tensors):
            if not isinstance(each, (paddle.Tensor, type(None))):
                kind = type(each).__name__
                raise TypeError(
                    f"save_for_backward takes tensors, but argument {at} is of type {kind}"
                )
        self.saved_tensors = tensors

    def save_for_forward(self, *tensors):
        """Keep what jvp finds as saved_tensors."""
        self._for_forward = tensors

    def mark_dirty(self, *tensors):
        self._dirty = tensors

    def mark_non_differentiable(self, *tensors):
        self._non_differentiable = tensors

    def set_materialize_grads(self, value):
        self._materialize = value


def _with_gradient(tensor):
    """Whether there are gradients for tensors of its dtype."""
    return tensor.is_floating_point() or tensor.is_complex()


def _wants_gradient(value):
    """Whether it is a tensor that a gradient is for; what topk finds says so too, and is whole."""
    return isinstance(value, paddle.Tensor) and not value.stop_gradient and _with_gradient(value)


class Function(PyLayer):
    """A step of the graph that knows its way back."""

    _backward_cls = graph_Node

    def __init_subclass__(cls, **options):
        super().__init_subclass__(**options)
        cls._backward_cls = type(f"{cls.__name__}Backward", (graph_Node,), {"_forward_cls": cls})

    @staticmethod
    def forward(*args, **kwargs):
        raise NotImplementedError("You must implement the forward function for autograd.Function.")

    @staticmethod
    def setup_context(ctx, inputs, output):
        raise NotImplementedError("setup_context is not implemented.")

    @staticmethod
    def backward(ctx, *gradients):
        raise NotImplementedError("You must implement either the backward or vjp method.")

    vjp = backward

    @staticmethod
    def jvp(ctx, *tangents):
        raise NotImplementedError("You must implement the jvp function for custom autograd.Function to use it with forward mode AD.")

    @classmethod
    def apply(cls, *args, **kwargs):
        """The outputs of forward, in the graph where an argument wants a gradient."""
        separate = cls.setup_context is not Function.setup_context
        ctx = FunctionCtx()
        if separate or kwargs:
            first = () if separate else (ctx,)
            bound = inspect.signature(cls.forward).bind(*first, *args, **kwargs)
            if separate:
                bound.apply_defaults()
            args, kwargs = bound.args[len(first) :], bound.kwargs
        inputs = [each for each in args if isinstance(each, paddle.Tensor)]
        needs = ctx.needs_input_grad = tuple(map(_wants_gradient, args))
        tangents = [*map(_dual_levels[0].tangent_of, args)] if _dual_levels else ()
        with paddle.no_grad():
            output = cls.forward(*([] if separate else [ctx]), *args, **kwargs)
            if separate:
                cls.setup_context(ctx, args, output)
        outputs = [*output] if isinstance(output, tuple) else [output]
        made = [at for at, each in enumerate(outputs) if isinstance(each, paddle.Tensor)]
        unmarked = [at for at in made if _with_gradient(outputs[at])]
        into = [at for at in unmarked if all(outputs[at] is not t for t in ctx._non_differentiable)]
        for at in made:
            unchanged = all(outputs[at] is not each for each in ctx._dirty)
            # what is given back unchanged, or detached, is another tensor of the same storage
            leaf = at in into and outputs[at].is_leaf and not outputs[at].stop_gradient
            if unchanged and (leaf or any(_is_the_same(outputs[at], each) for each in inputs)):
                outputs[at] = outputs[at].unsqueeze(0).squeeze(0)
            elif at not in into:
                outputs[at].stop_gradient = True
        wanted = [*filter(_wants_gradient, args)]
        if any(each is not None for each in tangents):
            if ctx._materialize:
                pairs = zip(args, tangents, strict=True)
                tangents = [paddle.zeros_like(v) if t is None and isinstance(v, paddle.Tensor) else t for v, t in pairs]
            outputs = _dual_levels[0].through(cls, ctx, tangents, outputs, into)
        elif wanted and into and paddle.is_grad_enabled():
            if any(each.is_leaf and not each.stop_gradient for each in ctx._dirty):
                raise RuntimeError("a leaf Variable that requires grad is used in-place")
            wanted = [*map(_with_zeros_behind, wanted)] if _switched_on else wanted
            call = _FunctionCall(cls, ctx, args, outputs, into)
            call.needs, call.nodes = needs, [*map(_node_of, wanted)]
            if "_step" not in vars(cls):
                cls._step = type(cls.__name__, (_FunctionStep,), {})
            for at, each in zip(into, cls._step.apply(call, *wanted), strict=True):
                outputs[at] = each
            call.own, ctx._node_class = _note_step([outputs[at] for at in into]), cls._backward_cls
            if _records_gradients(cls.vjp if cls.backward is Function.backward else cls.backward):
                _differentiating.update(call.own)
            _contexts.update(dict.fromkeys(call.own, ctx))
        return tuple(outputs) if isinstance(output, tuple) else outputs[0]


@functools.lru_cache(256)
def _records_gradients(function, depth=2):
    """Whether a function, or one that it calls by its name, switches the recording of gradients on."""
    code = getattr(function, "__code__", None)
    codes = [] if code is None else [code, *(each for each in code.co_consts if isinstance(each, types.CodeType))]
    names = {name for each in codes for name in each.co_names}
    if not names.isdisjoint(("enable_grad", "set_grad_enabled")):
        return True
    called = (vars(sys.modules.get(function.__module__, object)).get(name) for name in names) if codes and depth else ()
    return any(_records_gradients(each, depth - 1) for each in called if isinstance(each, types.FunctionType))


def _is_the_same(one, other):
    """Whether Paddle would take one tensor for the other, written to: also if it is that detached."""
    if one is other or not one.is_dense():
        return one is other
    return one._is_shared_underline_tensor_with(other) if one.size else not other.size


class InplaceFunction(Function):
    """A function that its object tells whether it works in place."""

    def __init__(self, inplace=False):
        super().__init__()
        self.inplace = inplace


BackwardCFunction = FunctionCtx  # what backward is given
FunctionMeta = type(Function)


class _FunctionStep(PyLayer):
    """One call of a Function, for Paddle: of the tensors alone that are in the graph."""

    @staticmethod
    def forward(ctx, call, *wanted):
        ctx.call, made = call, call.made
        del call.made
        ctx.set_materialize_grads(False)
        return made

    @staticmethod
    def backward(ctx, *gradients):
        _note_pass(ctx.call.own)
        try:
            found = ctx.call.back(gradients)
        except Exception as error:
            PyLayer.raised = error
            raise
        return found[0] if len(found) == 1 else found


class _FunctionCall:
    """What is known of a call until it goes back."""

    def __init__(self, function, ctx, args, outputs, into):
        self.function, self.ctx, self.into = function, ctx, into
        self.made = tuple(outputs[at] for at in into)
        self.inputs = [
            (each.shape, each.dtype) if isinstance(each, paddle.Tensor) else None for each in args
        ]
        self.outputs = [
            (each.shape, each.dtype) if isinstance(each, paddle.Tensor) else None
            for each in outputs
        ]

    def back(self, gradients):
        """The gradients of the inputs that want one, of those of the outputs in the graph."""
        if not paddle.is_grad_enabled():
            gradients = [each if each is None else each.detach() for each in gradients]
        known = dict(zip(self.into, gradients, strict=True))
        given = [known.get(at) for at in range(len(self.outputs))]
        if self.ctx._materialize:
            for at, output in enumerate(self.outputs):
                if output is not None and given[at] is None:
                    given[at] = paddle.zeros(*output)
        run = self.function.backward
        if run is Function.backward:
            run = self.function.vjp
        found = run(self.ctx, *given)
        found = found if isinstance(found, tuple) else (found,)
        said = f"function {self.function.__name__}Backward returned"
        count = len(self.inputs)
        if len(found) < count or any(each is not None for each in found[count:]):
            raise RuntimeError(
                f"{said} an incorrect number of gradients (expected {count}, got {len(found)})"
            )
        for at, (known, gradient) in enumerate(zip(self.inputs, found)):
            if gradient is not None and known is None:
                raise RuntimeError(
                    f"{said} a gradient different from None at position {at + 1}, "
                    "but the corresponding forward input was not a Variable"
                )
            if gradient is not None and not isinstance(gradient, paddle.Tensor):
                raise RuntimeError(f"{said} {type(gradient).__name__}, no Tensor, at index {at}")
        fitting = [
            None if each is None else _fitting(each, *self.inputs[at], f"{said} at index {at}")
            for at, each in enumerate(found[:count])
            if self.needs[at]
        ]
        if not paddle.is_grad_enabled():  # Paddle adds other gradients up in this memory, which something else may have
            fitting = [each.clone() if each is not None and each.is_dense() else each for each in fitting]
        # Paddle takes no gradient for what torch.autograd.grad did not ask for
        return tuple(each if _asked_for(node) else None for each, node in zip(fitting, self.nodes))


def _fitting(gradient, shape, dtype, said):
    """A gradient in the shape and dtype of its input, summed where that was broadcast."""
    if list(gradient.shape) != list(shape):
        over = gradient.ndim - len(shape)
        pairs = [*zip(gradient.shape[max(over, 0) :], shape)]
        if over < 0 or any(one != other and other != 1 for one, other in pairs):
            raise RuntimeError(f"{said} a gradient of the shape {gradient.shape} for {shape}")
        summed = [*range(over), *(over + at for at, (one, k) in enumerate(pairs) if one != k)]
        gradient = gradient.sum(axis=summed).reshape(shape)
    return gradient if gradient.dtype == dtype else gradient.astype(dtype)
