from .overrides import _function


def impl_abstract(qualname, func=None, *, lib=None, _stacklevel=1):
    """The function itself; register_fake gets it where the unit has that."""
    if func is None:
        return lambda func: impl_abstract(qualname, func, lib=lib)
    keep = _function("library.register_fake")
    return func if keep is None else keep(qualname, func, lib=lib)
