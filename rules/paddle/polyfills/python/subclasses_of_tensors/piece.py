import paddle
from paddle.base import core
from paddle.base.framework import EagerParamBase

from .disabled_torch_function import _disabled_torch_function_impl
from .methods_of_tensors import _methods
from .put_off import _Later
from .torchs_meaning import _torch

_OF_PARAMETERS = {
    "optimize_attr": {"learning_rate": 1.0}, "regularizer": None, "do_model_average": None, "need_clip": True,
    "is_distributed": False, "_init_func": None, "_init_op_creator": None,
}  # fmt: skip


def _make_subclass(cls, data, require_grad=False, **options):
    """A tensor of a class, of the same memory as another one."""
    _of_subclasses("_begin")(cls)
    made = paddle.Tensor.__new__(cls)
    core.eager.Tensor.__init__(made, data.detach())
    if isinstance(made, EagerParamBase):
        vars(made).update(_OF_PARAMETERS)
    made.stop_gradient = not require_grad
    return made


def _of_subclasses(name):
    """What is used of a module that is imported when there is a class derived from Tensor."""
    return _torch("_tensor._convert").__globals__[name]


def _defined(cls, /, **options):
    """A class that makes its objects in __new__ needs no __init__: Paddle's would take the arguments, too."""
    if "__new__" in vars(cls) and "__init__" not in vars(cls):
        setattr(cls, "__init__", lambda self, *args, **kwargs: None)
    _of_subclasses("_complete")(cls)


_methods(
    _make_subclass=staticmethod(_make_subclass),
    _make_wrapper_subclass=_Later(lambda: staticmethod(_of_subclasses("_make_wrapper_subclass"))),
    as_subclass=_Later(lambda: _of_subclasses("as_subclass")),
    __torch_function__=_Later(lambda: classmethod(_of_subclasses("_asked_of_subclass"))),
    __init_subclass__=classmethod(_defined),
)
setattr(EagerParamBase, "__torch_function__", _disabled_torch_function_impl)
