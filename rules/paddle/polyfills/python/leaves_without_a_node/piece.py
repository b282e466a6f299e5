from .errors_in_backward import _node_of
from .methods_of_tensors import _methods


def _node_of_result(self):
    return None if self.is_leaf else _node_of(self)


_methods(grad_fn=property(_node_of_result))
