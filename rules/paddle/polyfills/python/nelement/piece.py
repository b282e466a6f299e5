import math

from .methods_of_tensors import _methods

_methods(nelement=lambda self: math.prod(self.shape))
