from .equal_of_tensors import equal
from .methods_of_tensors import _methods


_methods(equal=equal)
