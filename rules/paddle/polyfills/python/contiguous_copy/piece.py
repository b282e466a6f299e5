from .methods_of_tensors import _methods


def contiguous(self):
    return self if self.is_contiguous() else self.clone()


_methods(contiguous=contiguous)
