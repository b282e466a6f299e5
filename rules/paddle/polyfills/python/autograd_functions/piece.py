import functools

import paddle
from paddle.autograd import PyLayer
from paddle.autograd.py_layer import PyLayerContext


def _flat(values):
    """The tensors among values, and in lists among them."""
    for value in values:
        if isinstance(value, paddle.Tensor):
            yield value
        elif isinstance(value, (list, tuple)):
            yield from _flat(value)


def _as_torch_calls(cls, **options):
    """Give a new autograd function, written for torch, the forms that Paddle calls."""
    super(PyLayer, cls).__init_subclass__(**options)
    for name, form in (("forward", _forward), ("backward", _backward)):
        own = vars(cls).get(name)
        if isinstance(own, (staticmethod, classmethod)):
            setattr(cls, name, classmethod(functools.wraps(own.__func__)(form(own))))


def _forward(own):
    def forward(cls, ctx, *args, **kwargs):
        for value in _flat(args):
            if not (value.is_floating_point() or value.is_complex()):
                value.stop_gradient = True  # what topk finds has a node that takes no None
        ctx.needs_input_grad = tuple(
            isinstance(value, paddle.Tensor) and not value.stop_gradient for value in args
        )
        ctx._tensors = [len(list(_flat([value]))) for value in args]
        call = own.__get__(None, cls)
        if not hasattr(cls, "setup_context"):
            return _written(call(ctx, *args, **kwargs), args)
        output = call(*args, **kwargs)
        cls.setup_context(ctx, args, output)
        return _written(output, args)

    return forward


def _written(output, args):
    """The output; in the place of an input that was written to, and is in no graph for Paddle to
    go on with, another tensor of the same storage."""
    if isinstance(output, (tuple, list)):
        return tuple(_written(each, args) for each in output)
    same = isinstance(output, paddle.Tensor) and any(output is each for each in args)
    if same and output.stop_gradient and output.is_leaf:
        return output.unsqueeze(0).squeeze(0)
    return output


def _backward(own):
    def backward(cls, ctx, *gradients):
        try:
            found = own.__get__(None, cls)(ctx, *gradients)
        except Exception as error:
            PyLayer.raised = error
            raise
        given = found if isinstance(found, tuple) else (found,)
        counts = ctx._tensors
        if len(given) < len(counts) or any(each is not None for each in given[len(counts) :]):
            return found  # not torch's form: Paddle says what is wrong with it
        kept = []
        for gradient, count, wanted in zip(given, counts, ctx.needs_input_grad, strict=False):
            if count == 1 and not wanted and not isinstance(gradient, (list, tuple)):
                gradient = None  # torch drops it, Paddle refuses it
            kept += gradient if isinstance(gradient, (list, tuple)) else [gradient] * count
        return kept[0] if len(kept) == 1 else tuple(kept)

    return backward


if not hasattr(PyLayerContext, "needs_input_grad"):
    PyLayer.__init_subclass__ = classmethod(_as_torch_calls)
if not hasattr(PyLayerContext, "mark_dirty"):
    PyLayerContext.mark_dirty = lambda ctx, *tensors: None
if not hasattr(PyLayerContext, "save_for_forward"):  # of a mode that Paddle has not
    PyLayerContext.save_for_forward = lambda ctx, *tensors: None
