import math

import paddle

from .methods_of_tensors import _methods
from .torchs_meaning import _tensor_method


def _truth(self):
    count = math.prod(self.shape)
    if count != 1:
        which = "more than one value" if count else "no values"
        raise RuntimeError(f"Boolean value of Tensor with {which} is ambiguous")
    return bool(self.item())


def _elements(self):
    if not self.ndim:
        raise TypeError("iteration over a 0-d tensor")
    element = _tensor_method("__getitem__")
    return (element(self, at) for at in range(len(self)))


def _by_index(self):
    """What Python does for an object without __iter__, as other code has it."""
    at = 0
    while True:
        try:
            element = self[at]
        except IndexError:
            return
        yield element
        at += 1


def _holds(self, element):
    if not isinstance(element, (paddle.Tensor, int, float, complex)):
        kind = type(element).__name__
        raise RuntimeError(f"Tensor.__contains__ only supports Tensor or scalar, but you passed in a {kind}.")
    return bool(_tensor_method("eq")(self, element).any().item())


for _special, _otherwise in (  # for other code what Python does without them
    ("__iter__", _by_index),
    ("__contains__", lambda self, element: any(each is element or each == element for each in self)),
):
    if not hasattr(paddle.Tensor, _special):
        setattr(paddle.Tensor, _special, _otherwise)
_methods(__bool__=_truth, __iter__=_elements, __contains__=_holds)
