from .methods_of_tensors import _method, _methods
from .overrides import _function


def _of_no_dimension(theirs):
    def squeeze(input, *args, **kwargs):
        dim = args[0] if args else kwargs.get("dim")
        if isinstance(dim, tuple) and not dim:
            return input
        return theirs(input, *args, **kwargs)

    return squeeze


squeeze = _of_no_dimension(_function("squeeze"))
_methods(squeeze=_of_no_dimension(_method("squeeze")), squeeze_=_of_no_dimension(_method("squeeze_")))
