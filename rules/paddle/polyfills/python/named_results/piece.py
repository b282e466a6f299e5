import collections
import functools

from .methods_of_tensors import _methods
from .overrides import _function


def _with_names(name, fields):
    theirs = _function(name)
    Found = collections.namedtuple(name.replace(".", "_"), fields)

    @functools.wraps(theirs)
    def function(*args, **kwargs):
        return Found(*theirs(*args, **kwargs))

    return function


cummax, cummin = _with_names("cummax", "values indices"), _with_names("cummin", "values indices")
linalg_eig = _with_names("linalg.eig", "eigenvalues eigenvectors")
linalg_eigh = _with_names("linalg.eigh", "eigenvalues eigenvectors")
_methods(cummax=cummax, cummin=cummin)
