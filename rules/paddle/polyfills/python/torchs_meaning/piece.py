import functools

from .methods_of_tensors import _method
from .overrides import _function


@functools.lru_cache(None)
def _torch(name):
    """A function with torch's meaning; asked for in calls, when all pieces have given theirs."""
    return _function(name)


@functools.lru_cache(None)
def _tensor_method(name):
    """A method of tensors with torch's meaning."""
    return _method(name)
