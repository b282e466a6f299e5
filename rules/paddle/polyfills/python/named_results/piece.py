import collections
import functools

from .methods_of_tensors import _methods
from .overrides import _function


def _named(name, fields):
    theirs = _function(name)
    Found = collections.namedtuple(name.replace(".", "_"), fields)

    @functools.wraps(theirs)
    def function(*args, **kwargs):
        return Found(*theirs(*args, **kwargs))

    return function


cummax, cummin = _named("cummax", "values indices"), _named("cummin", "values indices")
linalg_eig = _named("linalg.eig", "eigenvalues eigenvectors")
linalg_eigh = _named("linalg.eigh", "eigenvalues eigenvectors")
_methods(cummax=cummax, cummin=cummin)
