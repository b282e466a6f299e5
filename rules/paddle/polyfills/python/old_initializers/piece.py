import functools
import warnings

from .initial_values import (
    constant_,
    dirac_,
    eye_,
    kaiming_normal_,
    kaiming_uniform_,
    normal_,
    orthogonal_,
    sparse_,
    uniform_,
    xavier_normal_,
    xavier_uniform_,
)


def _old(function):
    """The name without its last line, which torch has for older code."""

    @functools.wraps(function)
    def called(*args, **kwargs):
        name = function.__name__
        message = f"`nn.init.{name[:-1]}` is now deprecated in favor of `nn.init.{name}`."
        warnings.warn(message, FutureWarning, stacklevel=2)
        return function(*args, **kwargs)

    return called


init_uniform = _old(uniform_)
init_normal = _old(normal_)
init_constant = _old(constant_)
init_eye = _old(eye_)
init_dirac = _old(dirac_)
init_xavier_uniform = _old(xavier_uniform_)
init_xavier_normal = _old(xavier_normal_)
init_kaiming_uniform = _old(kaiming_uniform_)
init_kaiming_normal = _old(kaiming_normal_)
init_orthogonal = _old(orthogonal_)
init_sparse = _old(sparse_)
