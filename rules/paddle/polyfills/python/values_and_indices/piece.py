from paddle import compat

from .methods_of_tensors import _as_in_torch

_as_in_torch(compat.sort, compat.max, compat.min, compat.median)
