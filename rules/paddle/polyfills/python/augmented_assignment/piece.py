import numbers

import paddle

from .computing import _refuse_cast, _refuse_leaf, _write
from .errors_in_backward import _switched_on
from .methods_of_tensors import _method, _methods
from .promotion import _result_dtype
from .related_views import _is_related
from .sparse_arguments import _called_on_sparse


def _assigning(operator):
    def method(self, other):
        if not isinstance(other, (paddle.Tensor, numbers.Number)):
            return NotImplemented
        if not self.is_dense():
            return _called_on_sparse(f"{operator.strip('_')}_", (self, other), {})
        _refuse_leaf(self)
        _refuse_cast(_result_dtype(self, other), self)
        recorded = paddle.is_grad_enabled() and not (self.stop_gradient and getattr(other, "stop_gradient", True))
        in_its_memory = self.stop_gradient or _is_related(self)
        steps = _switched_on and not self.stop_gradient  # which keep the tensor, not its memory
        made = _method(operator)(self.clone() if recorded and in_its_memory or steps else self, other)
        if paddle.is_grad_enabled() and not in_its_memory:
            # what was recorded with the old values keeps them: the new ones have other memory
            paddle.empty_like(self.detach())._share_underline_tensor_to(self)
        return _write(made, self)

    return method


def _declined(self, other):
    """What Python asks for `x += y` before `x + y`, of code that is not of this package."""
    return NotImplemented


_NUMERIC = "add sub mul truediv floordiv mod pow and or xor lshift rshift".split()
_AUGMENTED = {f"__i{name}__": _assigning(f"__{name}__") for name in _NUMERIC}
for _augmented in _AUGMENTED:
    if not hasattr(paddle.Tensor, _augmented):
        setattr(paddle.Tensor, _augmented, _declined)
_methods(**_AUGMENTED)
