import paddle
from paddle.base.framework import EagerParamBase

from .methods_of_tensors import _methods
from .put_off import _Later
from .torch_function import _disabled_torch_function_impl
from .torchs_meaning import _torch


def _of_subclasses(name):
    """What is used of a module that is imported when there is a class derived from Tensor."""
    return _torch("_tensor._convert").__globals__[name]


def _defined(cls, /, **options):
    """A class that makes its objects in __new__ needs no __init__: Paddle's would take the arguments, too."""
    if "__new__" in vars(cls) and "__init__" not in vars(cls):
        setattr(cls, "__init__", lambda self, *args, **kwargs: None)
    _of_subclasses("_complete")(cls)


_methods(
    _make_subclass=_Later(lambda: staticmethod(_of_subclasses("_make_subclass"))),
    _make_wrapper_subclass=_Later(lambda: staticmethod(_of_subclasses("_make_wrapper_subclass"))),
    as_subclass=_Later(lambda: _of_subclasses("as_subclass")),
    __torch_function__=_Later(lambda: classmethod(_of_subclasses("_asked_of_subclass"))),
    __init_subclass__=classmethod(_defined),
)
setattr(EagerParamBase, "__torch_function__", _disabled_torch_function_impl)
