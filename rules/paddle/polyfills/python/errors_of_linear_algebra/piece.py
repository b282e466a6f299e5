import functools

import paddle

from .linear_algebra import _LinAlgError
from .overrides import _register

LinAlgError = _LinAlgError


def _raising_torchs(function):
    @functools.wraps(function)
    def called(*args, **kwargs):
        try:
            return function(*args, **kwargs)
        except (ValueError, RuntimeError) as error:
            if "invertible" in str(error) or "decomposition was not" in str(error):
                raise LinAlgError(str(error)) from error
            raise

    return called


_register(
    {},
    {
        name: _raising_torchs(
            getattr(paddle.linalg, name.rpartition(".")[2].replace("inverse", "inv"))
        )
        for name in (
            "torch.linalg.inv",
            "torch.linalg.solve",
            "torch.linalg.cholesky",
            "torch.inverse",
        )
    },
)
