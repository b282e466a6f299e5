import functools

import numpy
import paddle

from .methods_of_tensors import _wrap_functions
from .torchs_meaning import _torch

_MOST = 1000  # elements of a list that is looked through: larger ones are of numbers


def _elements_of(data):
    """The elements of nested lists, of those that are not too long."""
    for each in data if len(data) <= _MOST else ():
        if isinstance(each, (list, tuple)):
            yield from _elements_of(each)
        else:
            yield each


def _of_elements(data):
    """Nested lists with each tensor in them as one number, which it has to have."""
    if isinstance(data, (list, tuple)):
        return [_of_elements(each) for each in data]
    if not isinstance(data, paddle.Tensor):
        return data
    if data.size != 1:
        raise ValueError("only one element tensors can be converted to Python scalars")
    return data.item()


def _dtype_of_element(element):
    if isinstance(element, paddle.Tensor):
        return element.dtype
    if isinstance(element, numpy.generic):
        return getattr(paddle, element.dtype.name, None)
    kinds = {bool: paddle.bool, int: paddle.int64, float: paddle.get_default_dtype()}
    name = kinds.get(type(element))
    return None if name is None else getattr(paddle, name) if isinstance(name, str) else name


def _with_tensors_as_elements(theirs, _):
    @functools.wraps(theirs)
    def made(data, *args, **kwargs):
        if isinstance(data, (list, tuple)):
            elements = [*_elements_of(data)]
            tensors = any(isinstance(each, paddle.Tensor) for each in elements)
            if tensors or any(isinstance(each, numpy.generic) for each in elements):
                dtypes = {_dtype_of_element(each) for each in elements}
                if kwargs.get("dtype") is None and not args and None not in dtypes:
                    kwargs["dtype"] = functools.reduce(_torch("promote_types"), dtypes)
                data = _of_elements(data) if tensors else data
        return theirs(data, *args, **kwargs)

    return made


_wrap_functions(_with_tensors_as_elements, ("tensor", "as_tensor"))
