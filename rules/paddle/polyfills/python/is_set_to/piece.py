from .methods_of_tensors import _methods


def _is_set_to(self, tensor):
    """Whether both are the same elements of the same storage in the same order."""
    same = self.data_ptr() == tensor.data_ptr() and self.shape == tensor.shape
    return same and list(self.strides) == list(tensor.strides)


_methods(is_set_to=_is_set_to)
