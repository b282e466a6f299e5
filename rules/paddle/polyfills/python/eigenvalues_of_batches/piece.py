import collections
import functools

import paddle

from .errors_in_backward import _switched_on
from .methods_of_tensors import _wrap_functions
from .second_gradients_of_matrices import _eigh
from .steps_of_gradients import _Way

_Eigen = collections.namedtuple("linalg_eigh", "eigenvalues eigenvectors")  # type: ignore[name-match]
_eigen = _Way(lambda call, given: [_eigh(given, *call.args)])(paddle._C_ops.eigh)


def _with_gradients_of_batches(theirs, name):
    """The same, but for the gradients of what are several matrices, which are computed by a formula."""

    @functools.wraps(theirs)
    def function(A, UPLO="L", **kwargs):
        if A.stop_gradient or A.ndim < 3 or kwargs or _switched_on or not paddle.is_grad_enabled():
            return theirs(A, UPLO, **kwargs)
        found = _Eigen(*_eigen(A, UPLO))
        return found.eigenvalues if name == "linalg.eigvalsh" else found

    return function


_wrap_functions(_with_gradients_of_batches, ["linalg.eigh", "linalg.eigvalsh"])
