import functools
from collections.abc import Callable
from typing import NamedTuple

import paddle
from paddle.autograd import PyLayer

from .errors_in_backward import _asked_for, _node_of, _note_made, _note_pass, _note_step, _running, _with_zeros_behind

_OPS = paddle._C_ops  # looked up at each call: what is given there has gradients of any order


def _is_differentiable(value):
    return isinstance(value, paddle.Tensor) and (value.is_floating_point() or value.is_complex())


def _is_recorded_for(value):
    return not value.stop_gradient and _is_differentiable(value)


def _tensors_among(args):
    """The tensors among arguments, and in lists among these."""
    for each in args:
        if isinstance(each, paddle.Tensor):
            yield each
        elif isinstance(each, (list, tuple)) and each and isinstance(each[0], paddle.Tensor):
            yield from each


def _with_tensors(args, tensors):
    """The arguments, with other tensors in the place of theirs."""
    tensors, found = iter(tensors), []
    for each in args:
        count = len([*_tensors_among([each])])
        listed = isinstance(each, (list, tuple)) and count
        one = each if not count else next(tensors)
        found.append([one, *(next(tensors) for _ in each[1:])] if listed else one)
    return found


def _as_list(found):
    return [*found] if isinstance(found, (tuple, list)) else [found]


class _OperatorCall:
    """A call of an operator, until its gradient was computed."""

    def __init__(self, theirs, ours, way, args, kwargs):
        self.theirs, self.ours, self.way, self.args, self.kwargs = theirs, ours, way, args, kwargs
        self.tensors = [*_tensors_among(args)]
        self.at = [i for i, each in enumerate(self.tensors) if _is_recorded_for(each)]
        self.versions = self._versions()

    def _versions(self):
        """Of the tensors that the gradient will read, as often as they were written to."""
        others = {i for i in self.way.apart if self.at == [i]}
        return [
            t.inplace_version
            for i, t in enumerate(self.tensors)
            if i not in self.way.unread and i not in others
        ]

    def run(self):
        with paddle.no_grad():
            found = self.theirs(*self.args, **self.kwargs)
        outputs = _as_list(found)
        self.into = [i for i, each in enumerate(outputs) if _is_differentiable(each)]
        self.count, made = len(outputs), tuple(outputs[i] for i in self.into)
        wanted = (_with_zeros_behind(self.tensors[i]) for i in self.at)
        step = _GradientStep.apply(self, lambda _: made, *wanted)
        for i, each in zip(self.into, step, strict=True):
            outputs[i] = each
        self.own = _note_step(step)
        return type(found)(outputs) if isinstance(found, (tuple, list)) else outputs[0]

    def again(self, run, at):
        """What a function gives for the arguments with other tensors at some places."""
        tensors = [at.get(i, each) for i, each in enumerate(self.tensors)]
        return _as_list(run(*_with_tensors(self.args, tensors), **self.kwargs))

    def back(self, given):
        if self.versions != self._versions():
            raise RuntimeError(
                "one of the variables needed for gradient computation has been modified by an "
                "inplace operation"
            )
        known = dict(zip(self.into, map(self._widened, given), strict=True))
        found = self.way.formula(self, [known.get(i) for i in range(self.count)])
        return tuple(_summed_like(found[i], self.tensors[i]) for i in self.at)

    def _widened(self, gradient):
        """A gradient of half, of an operator that autocast has run in half, in the operands' dtype."""
        wide = any(each.dtype == paddle.float32 for each in self.tensors)
        half = gradient is not None and gradient.dtype in (paddle.float16, paddle.bfloat16)
        return gradient.astype(paddle.float32) if wide and half else gradient


class _GradientStep(PyLayer):
    """A step of the graph: something that has the gradients of its inputs."""

    @staticmethod
    def forward(ctx, call, run, *wanted):
        ctx.call = call
        ctx.nodes = [None if each.stop_gradient else _node_of(each) for each in wanted]
        ctx.set_materialize_grads(False)
        return run(wanted)

    @staticmethod
    def backward(ctx, *given):
        if all(each is None for each in given):
            return None if len(ctx.nodes) == 1 else (None,) * len(ctx.nodes)
        _note_pass(getattr(ctx.call, "own", ()))
        try:
            pairs = zip(ctx.call.back(given), ctx.nodes, strict=True)
            found = [
                each if node is not None and _asked_for(node) else None for each, node in pairs
            ]
        except Exception as error:
            PyLayer.raised = error
            raise
        return found[0] if len(found) == 1 else tuple(found)


def _stepped(call, *wanted):
    """What a step gives that is no call of an operator, but a part of a gradient."""
    made = _GradientStep.apply(call, call.run, *wanted)
    _note_made(made)
    return made


def _summed_like(gradient, tensor):
    """A gradient as that of a tensor that was broadcast, and promoted."""
    if gradient is None:
        return None
    if gradient.is_complex() and not tensor.is_complex():
        gradient = paddle.real(gradient)
    if gradient.shape != tensor.shape:
        extra = gradient.ndim - tensor.ndim
        wide = [extra + i for i, n in enumerate(tensor.shape) if n == 1]
        gradient = gradient.sum([*range(extra), *wide], keepdim=True).reshape(tensor.shape)
    return gradient if gradient.dtype == tensor.dtype else gradient.astype(tensor.dtype)


class _Way(NamedTuple):
    """A way back: a formula of a call and the gradients of its outputs; which tensors it does not read, and which
    only for the gradients of others."""

    formula: Callable
    when: Callable = _is_recorded_for
    unread: tuple = ()
    apart: tuple = ()

    def __call__(self, theirs):
        """An operator of Paddle's with this way back, for arguments that want a gradient and are so."""

        @functools.wraps(theirs)
        def run(*args, **kwargs):
            if kwargs:
                args, kwargs = _positional(args, kwargs)
            if _is_asked_of([*_tensors_among(args)], self.when):
                return _OperatorCall(theirs, run, self, args, kwargs).run()
            return theirs(*args, **kwargs)

        return run


def _is_asked_of(tensors, when):
    return (
        not _running.once
        and paddle.is_grad_enabled()
        and any(map(_is_recorded_for, tensors))
        and any(map(when, tensors))
    )


def _positional(args, kwargs):
    """The arguments with the first tensors among them: these may be given by torch's names or by Paddle's."""
    kwargs, first = {**kwargs}, []
    for names in (("x", "input"), ("y", "other")):
        first += [kwargs.pop(name) for name in names if name in kwargs]
    return (*args, *first), {key: value for key, value in kwargs.items() if value is not None}


def _has_complex(tensor):
    return tensor.is_complex()


def _conj(tensor):
    return paddle.conj(tensor) if tensor.is_complex() else tensor


def _times(*factors):
    product = factors[0]
    for each in factors[1:]:
        product = (
            _OPS.multiply(product, each) if isinstance(each, paddle.Tensor) else product * each
        )
    return product


def _over(x, y):
    return _OPS.divide(x, y)
