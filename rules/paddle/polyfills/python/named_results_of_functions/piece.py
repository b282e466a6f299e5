import functools

import paddle

from .methods_of_tensors import _wrap_functions, _wrap_methods
from .return_types import _kinds_of_results


def _in_result_type(theirs, name):
    kind = _kinds_of_results[name.replace(".", "_")]

    @functools.wraps(theirs)
    def called(*args, **kwargs):
        made = theirs(*args, **kwargs)
        return kind(made) if isinstance(made, (tuple, list)) else made

    return called


_wrap_functions(_in_result_type, [name.replace("linalg_", "linalg.") for name in _kinds_of_results])
_wrap_methods(_in_result_type, [name for name in _kinds_of_results if hasattr(paddle.Tensor, name)])
