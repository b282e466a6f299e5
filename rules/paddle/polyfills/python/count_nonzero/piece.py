from .methods_of_tensors import _methods
from .torchs_meaning import _torch


def count_nonzero(input, dim=None):
    """How many elements are not zero, of all or along dimensions."""
    dims = list(dim) if isinstance(dim, (list, tuple)) else dim
    return _torch("ne")(input, 0).astype("int64").sum(None if dims == [] else dims)


_methods(count_nonzero=count_nonzero)
