import functools

import paddle

from .methods_of_tensors import _wrap_functions, _wrap_methods

_WITHOUT_GRADIENT = frozenset(
    {paddle.bool, paddle.uint8, paddle.int8, paddle.int16, paddle.int32, paddle.int64}
)


def _without_gradients_of_indices(theirs, name):
    """A function that gives whole numbers, or truths, at times or beside others: they have no gradient."""

    @functools.wraps(theirs)
    def function(*args, **kwargs):
        made = theirs(*args, **kwargs)
        if isinstance(made, tuple):
            for each in made:
                _end_gradient(each)
        elif not args or made is not args[0]:
            _end_gradient(made)
        return made

    return function


def _end_gradient(tensor):
    if not getattr(tensor, "stop_gradient", True) and tensor.dtype in _WITHOUT_GRADIENT:
        tensor.stop_gradient = True


_WITH_INDICES = ["cummax", "cummin", "frexp", "sort", "topk"]
_POOLS_WITH_INDICES = [f"nn.functional.max_pool{rank}d" for rank in (1, 2, 3)]
_wrap_methods(_without_gradients_of_indices, ["long", "int", "short", "char", "byte", "bool", "to", "type", "type_as", "view"])
_wrap_methods(_without_gradients_of_indices, _WITH_INDICES)
_wrap_functions(_without_gradients_of_indices, [*_WITH_INDICES, *_POOLS_WITH_INDICES])
