import math

import paddle

from .computing import _of_itself
from .norms import vector_norm
from .rounded_steps import _sloped, _takes_half
from .slopes import _of_quotient


@_takes_half
def normalize(input, p=2.0, dim=1, eps=1e-12, out=None):
    """Vectors along a dimension by their norms, which are at least eps."""
    lengths = _of_itself(lambda x: x.clip(min=eps, max=math.inf), vector_norm(input, p, dim, True))
    made = _sloped(paddle.divide, _of_quotient, input.dtype, input, lengths)
    return made if out is None else paddle.assign(made, out)
