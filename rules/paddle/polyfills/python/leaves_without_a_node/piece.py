import paddle

from .methods_of_tensors import _methods, _static

_node = _static(paddle.Tensor, "grad_fn")


def _node_of_result(self):
    return None if self.is_leaf else _node.__get__(self, type(self))


_methods(grad_fn=property(_node_of_result))
