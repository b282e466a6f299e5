import collections
import functools
import importlib

import paddle

from .errors_in_backward import _switched_on
from .methods_of_tensors import _wrap_functions

_Eigen = collections.namedtuple("linalg_eigh", "eigenvalues eigenvectors")  # type: ignore[name-match]


def _of_steps(module, name):
    """What a module of steps has by a name: it is imported when it is used."""
    found = globals().get(name)  # of a vendored unit: all is in this module
    package = __name__.rpartition(".")[0]
    return found or getattr(importlib.import_module(f"{package}.{module}"), name)


@functools.cache
def _eigen_of_batches():
    slopes = _of_steps("second_gradients_of_matrices", "_eigh")
    way = _of_steps("steps_of_gradients", "_Way")(lambda call, given: [slopes(given, *call.args)])
    return way(paddle._C_ops.eigh)


def _with_gradients_of_batches(theirs, name):
    """The same, but for the gradients of what are several matrices, which are computed by a formula."""

    @functools.wraps(theirs)
    def function(A, UPLO="L", **kwargs):
        if A.stop_gradient or A.ndim < 3 or kwargs or _switched_on or not paddle.is_grad_enabled():
            return theirs(A, UPLO, **kwargs)
        found = _Eigen(*_eigen_of_batches()(A, UPLO))
        return found.eigenvalues if name == "linalg.eigvalsh" else found

    return function


_wrap_functions(_with_gradients_of_batches, ["linalg.eigh", "linalg.eigvalsh"])
