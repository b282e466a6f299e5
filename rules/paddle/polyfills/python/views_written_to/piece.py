import functools

import paddle

from .methods_of_tensors import _wrap_functions, _wrap_methods
from .related_views import _VIEW_OF, _VIEWS, _follow_write, _is_related, _note_view

_ONE_VIEW = """
    view view_as view_as_real view_as_complex reshape reshape_as flatten unflatten ravel squeeze unsqueeze t transpose
    swapaxes swapdims permute movedim moveaxis adjoint select narrow diagonal as_strided unfold expand
    expand_as atleast_1d atleast_2d atleast_3d
""".split()
_VIEWS_OF_PARTS = "split split_with_sizes chunk unbind tensor_split hsplit vsplit dsplit".split()
_TO_OTHER_MEMORY = "detach_ requires_grad_ rename_ share_memory_ set_ resize_ resize_as_".split()
_OF_THE_SHAPE = "t_ transpose_ swapaxes_ swapdims_ squeeze_ unsqueeze_ reshape_ flatten_ as_strided_".split()


def _noting(theirs, name):
    """A function or method that gives views of its first argument."""

    @functools.wraps(theirs)
    def view(*given, **options):
        made = theirs(*given, **options)
        if not paddle.is_grad_enabled():
            return made
        self, args, kwargs = _called_on(given, options)
        if not isinstance(self, paddle.Tensor):
            return made
        if isinstance(made, paddle.Tensor):
            in_order = name != "as_strided" or self.is_contiguous()
            _note_view(made, self, theirs, args, kwargs, writable=in_order)
        elif isinstance(made, (tuple, list)):
            for part, each in enumerate(made):
                _note_view(each, self, theirs, args, kwargs, part, writable=False)
        return made

    return view


def _called_on(args, kwargs):
    """The first argument of a call, and the others."""
    if args:
        return args[0], args[1:], kwargs
    first = "input" if "input" in kwargs else "self"
    return kwargs.get(first), (), {name: value for name, value in kwargs.items() if name != first}


def _following(theirs, name):
    """A function or method that writes to its first argument."""

    @functools.wraps(theirs)
    def write(*args, **kwargs):
        self = _called_on(args, kwargs)[0] if paddle.is_grad_enabled() else None
        followed = isinstance(self, paddle.Tensor) and _is_related(self)
        if not (followed and any(map(_has_gradient, (*args, *kwargs.values())))):
            return theirs(*args, **kwargs)
        view = getattr(self, _VIEW_OF, None)
        if view is not None and name not in _IN_PLACE_IF_ASKED:
            _refuse_write(view)
        if name == "__setitem__" and isinstance(args[2], paddle.Tensor) and args[2]._is_shared_buffer_with(self):
            args = (*args[:2], args[2].clone())  # `x[0] += y`: Paddle keeps the value, until it is written to
        version = self.inplace_version
        made = theirs(*args, **kwargs)
        if name in _OF_THE_SHAPE:
            for noted in (_VIEW_OF, _VIEWS):
                self.__dict__.pop(noted, None)
        elif not self.stop_gradient and self.inplace_version != version:
            _follow_write(self)
        return made

    return write


def _refuse_write(view):
    if not view.writable:
        raise RuntimeError(
            "this is one of several views that one call gave, or a view in another order of what is not contiguous, "
            "and is being modified inplace: replace the inplace operation by an out-of-place one"
        )
    if view.base.is_leaf and not view.base.stop_gradient:
        raise RuntimeError("a view of a leaf Variable that requires grad is being used in an in-place operation.")


def _noting_property(theirs, name):
    return property(_noting(theirs.__get__, name))


def _has_gradient(value):
    return isinstance(value, paddle.Tensor) and not value.stop_gradient


_WRITING = [name for name in dir(paddle.Tensor) if name.endswith("_") and not name.endswith("__")]
_WRITING = [name for name in _WRITING if not name.startswith("_") and name not in _TO_OTHER_MEMORY]
_IN_PLACE_IF_ASKED = [
    f"nn.functional.{name}"
    for name in """
    alpha_dropout celu dropout dropout1d dropout2d dropout3d elu feature_alpha_dropout hardsigmoid hardswish hardtanh
    leaky_relu mish relu relu6 rrelu selu silu threshold
    """.split()
]
_AUGMENTING = "add sub mul truediv floordiv mod pow and or xor lshift rshift".split()
_wrap_methods(_noting, ["__getitem__", *_ONE_VIEW, *_VIEWS_OF_PARTS])
_wrap_methods(_noting_property, ["T", "mT"])
_wrap_functions(_noting, [*_ONE_VIEW, *_VIEWS_OF_PARTS])
_wrap_methods(_following, ["__setitem__", *_WRITING, *(f"__i{name}__" for name in _AUGMENTING)])
_wrap_functions(_following, [*_WRITING, *_IN_PLACE_IF_ASKED])
