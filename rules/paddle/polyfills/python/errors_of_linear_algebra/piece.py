import functools

import paddle

from .linear_algebra import _error_of, _LinAlgError, _not_positive, _places_of_zeros
from .methods_of_tensors import _methods
from .overrides import _register

LinAlgError = _LinAlgError


def _raising_torchs(function, name=None):
    """A function of matrices that says with torch's error, and text, which of them has no inverse or no such factor."""
    name = name or {"solve": "torch.linalg.solve"}.get(function.__name__, f"linalg.{function.__name__}")

    @functools.wraps(function)
    def called(*args, **kwargs):
        try:
            return function(*args, **kwargs)
        except (ValueError, RuntimeError) as error:
            A = next(each for each in (*args, *kwargs.values()) if isinstance(each, paddle.Tensor))
            if isinstance(error, LinAlgError):
                raise
            if "invertible" in str(error):
                raise _error_of(name, _places_of_zeros(A)) from error
            if "decomposition was not" in str(error):
                minors = [_not_positive(each) for each in A.detach().reshape([-1, *A.shape[-2:]])]
                raise _error_of(name, paddle.to_tensor(minors).reshape(A.shape[:-2])) from error
            raise

    return called


_paddle_inverse = paddle.linalg.inv
inv, inverse = _raising_torchs(_paddle_inverse, "linalg.inv"), _raising_torchs(_paddle_inverse, "linalg.inv")
_register(
    {},
    {
        "torch.linalg.inv": inv,
        "torch.linalg.solve": _raising_torchs(paddle.linalg.solve),
        "torch.linalg.cholesky": _raising_torchs(paddle.linalg.cholesky),
        "torch.inverse": inverse,
    },
)
_methods(inverse=_raising_torchs(_paddle_inverse, "linalg.inv"))
