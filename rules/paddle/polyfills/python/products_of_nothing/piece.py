import functools

from .methods_of_tensors import _wrap_functions, _wrap_methods
from .tensors_of_nothing import _is_of_nothing, _of_nothing

_OF_TWO = ("matmul", "mm", "bmm", "addmm", "baddbmm")


def _of_empty_operands(theirs, name):
    @functools.wraps(theirs)
    def run(*args, **kwargs):
        if _is_of_nothing(args):
            return _of_nothing(
                functools.partial(theirs, *args, **kwargs), (*args, *kwargs.values())
            )
        return theirs(*args, **kwargs)

    return run


_wrap_functions(
    _of_empty_operands,
    (*_OF_TWO, "linalg.matmul", "nn.functional.linear", "nn.functional.layer_norm"),
)
_wrap_methods(_of_empty_operands, (*_OF_TWO, "__matmul__"))
