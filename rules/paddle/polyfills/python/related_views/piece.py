import weakref
from collections.abc import Callable
from typing import NamedTuple

import paddle
from paddle.autograd import PyLayer
from paddle.base.framework import EagerParamBase

from .errors_in_backward import _note_step

_VIEW_OF, _VIEWS = "_view_of", "_views"
_NONE: dict = {}


class _Steps(NamedTuple):
    """How a view was made of the tensor that is no view itself."""

    before: "_Steps | None"
    function: Callable
    args: tuple
    kwargs: dict
    part: int | None  # which one of several that the function gives

    def derive(self, tensor):
        steps, todo = self, []
        while steps is not None:
            todo.append(steps)
            steps = steps.before
        for _, function, args, kwargs, part in reversed(todo):
            tensor = function(tensor, *args, **kwargs)
            tensor = tensor if part is None else tensor[part]
        return tensor


class _View(NamedTuple):
    base: paddle.Tensor
    steps: _Steps
    writable: bool  # not one of several of one call


class _Views(list):
    """Weak references to the views of a tensor."""

    most = 8  # before those that are gone are taken out

    def note(self, view):
        if len(self) >= self.most:
            self[:] = [each for each in self if each() is not None]
            self.most = max(8, 2 * len(self))
        self.append(weakref.ref(view))


def _note_view(view, source, function, args=(), kwargs=_NONE, part=None, writable=True):
    """Note that a tensor is what a function gives of another one, if they share memory."""
    if view is source or not isinstance(view, paddle.Tensor) or not view._is_shared_buffer_with(source):
        return
    base, before, of_writable = source.__dict__.get(_VIEW_OF, (source, None, True))
    steps = _Steps(before, function, args, kwargs, part)
    view.__dict__[_VIEW_OF] = _View(base, steps, writable and of_writable)
    if not isinstance(base, EagerParamBase):  # which is copied with what is noted in it
        views = base.__dict__.get(_VIEWS)
        if views is None:
            views = base.__dict__[_VIEWS] = _Views()
        views.note(view)


def _is_related(tensor):
    """Whether a tensor is a view, or has views."""
    noted = tensor.__dict__
    return _VIEW_OF in noted or any(each() is not None for each in noted.get(_VIEWS, ()))


def _product_of(x, y):
    """Of half on a CPU, too, for which Paddle has no kernel."""
    return (x.astype("float32") * y.astype("float32")).astype(x.dtype) if x.dtype == paddle.float16 else x * y


class _WrittenView(PyLayer):
    """A base after a view of it was written to."""

    @staticmethod
    def forward(ctx, derive, base, view):
        ctx.derive, ctx.recorded = derive, [not each.stop_gradient for each in (base, view)]
        return base.detach().as_strided(base.shape, base.strides)

    @staticmethod
    def backward(ctx, gradient):
        with paddle.no_grad():
            kept = paddle.ones_like(gradient)
            ctx.derive(kept).zero_()
        of_base, of_view = ctx.recorded
        return _product_of(gradient, kept) if of_base else None, ctx.derive(gradient).clone() if of_view else None


def _follow_write(written):
    """Give the base of a tensor that was written to, and its views, what was recorded of it."""
    view = written.__dict__.get(_VIEW_OF)
    base = written if view is None else view.base
    if view is not None:
        recorded = _WrittenView.apply(view.steps.derive, base, written)
        _note_step([recorded])
        base._share_underline_tensor_to(recorded)  # the memory, beside the new history
        base.reconstruct_from_(recorded)
    for each in (ref() for ref in base.__dict__.get(_VIEWS, ())):
        if each is not None and each is not written and (each.stop_gradient or not each.is_leaf):
            each.reconstruct_from_(each.__dict__[_VIEW_OF].steps.derive(base))


def _follow_write_if_recorded(written):
    if paddle.is_grad_enabled() and not written.stop_gradient and _is_related(written):
        _follow_write(written)
