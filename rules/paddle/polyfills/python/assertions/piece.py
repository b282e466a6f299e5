import functools

import paddle

from .runtime_checks import _check
from .torch_function import handle_torch_function, has_torch_function
from .torchs_meaning import _tensor_method


def _assert(condition, message):
    """Fail with a message unless a condition holds."""
    if not isinstance(condition, (bool, paddle.Tensor)) and has_torch_function((condition,)):
        return handle_torch_function(_assert, (condition,), condition, message)
    assert condition, message
    return None


def _assert_async(input, assert_msg=""):
    """Fail if the only element is zero; a wait for it, where torch fails later on a GPU."""
    if not bool(input):
        raise RuntimeError(assert_msg or "Expected Tensor with single nonzero value, but got zero")


def _check_is_size(i, message=None, *, max=None):
    _check(i >= 0 and (max is None or i <= max), message)


def typename(obj, /):
    """The type of a tensor as `type()` names it; of other objects, the qualified name."""
    if isinstance(obj, paddle.Tensor):
        return _tensor_method("type")(obj)
    named = obj if hasattr(obj, "__qualname__") else type(obj)
    module = getattr(named, "__module__", None)
    return named.__qualname__ if module in (None, "builtins") else f"{module}.{named.__qualname__}"


def is_inference(input):
    return False


def is_distributed(input):
    return False


def _removed(instead, *args, **kwargs):
    raise RuntimeError(f"This function was deprecated since version 1.9 and is now removed. {instead}")


symeig = functools.partial(_removed, "Use `torch.linalg.eigh` or `torch.linalg.eigvalsh` instead.")
eig = functools.partial(_removed, "Use `torch.linalg.eig` instead.")
matrix_rank = functools.partial(_removed, "Use `torch.linalg.matrix_rank` instead.")
