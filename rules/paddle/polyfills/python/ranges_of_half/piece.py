import functools

import paddle

from .overrides import _function, _register

_ROUNDED = (paddle.float16, paddle.bfloat16)


def _rounded(theirs, dtypes=_ROUNDED):
    """What makes numbers: from float32 in dtypes that Paddle has no kernel for."""

    @functools.wraps(theirs)
    def function(*args, dtype=None, requires_grad=False, **options):
        if dtype not in dtypes:
            return theirs(*args, dtype=dtype, requires_grad=requires_grad, **options)
        out = theirs(*args, dtype=paddle.float32, **options).astype(dtype)
        out.stop_gradient = not requires_grad
        return out

    return function


_register({}, {f"torch.{name}": _rounded(_function(name)) for name in ("arange", "linspace")})
_register({}, {"torch.eye": _rounded(_function("eye"), (*_ROUNDED, paddle.bool))})
