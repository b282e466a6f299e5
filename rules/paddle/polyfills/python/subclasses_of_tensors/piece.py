import paddle
from paddle.base import core
from paddle.base.framework import EagerParamBase

from .methods_of_tensors import _methods

_OF_PARAMETERS = {
    "optimize_attr": {"learning_rate": 1.0}, "regularizer": None, "do_model_average": None, "need_clip": True,
    "is_distributed": False, "_init_func": None, "_init_op_creator": None,
}  # fmt: skip


def _make_subclass(cls, data, require_grad=False, **options):
    """A tensor of a class, of the same memory as another one."""
    made = paddle.Tensor.__new__(cls)
    core.eager.Tensor.__init__(made, data.detach())
    if isinstance(made, EagerParamBase):
        vars(made).update(_OF_PARAMETERS)
    made.stop_gradient = not require_grad
    return made


def _made_by_new(cls, /, **options):
    """A class that makes its objects in __new__ needs no __init__: Paddle's would take the arguments, too."""
    if "__new__" in vars(cls) and "__init__" not in vars(cls):
        setattr(cls, "__init__", lambda self, *args, **kwargs: None)


_methods(_make_subclass=staticmethod(_make_subclass), __init_subclass__=classmethod(_made_by_new))
