import functools

import paddle

from .methods_of_tensors import _wrap_functions, _wrap_methods

# torch/csrc/utils/python_arg_parser.h, ParameterType::SCALARTYPE
_DTYPES_OF_TYPES = {bool: paddle.bool, int: paddle.int64, float: paddle.float64, complex: paddle.complex128}


def _of_dtype(value):
    return _DTYPES_OF_TYPES.get(value, value) if isinstance(value, type) else value


def _taking_pythons_types(theirs, _):
    @functools.wraps(theirs)
    def called(*args, **kwargs):
        dtype = kwargs.get("dtype")
        if isinstance(dtype, type):
            kwargs["dtype"] = _of_dtype(dtype)
        return theirs(*args, **kwargs)

    return called


def _taking_types_first(theirs, _):
    @functools.wraps(theirs)
    def called(*args, **kwargs):
        kwargs = {name: _of_dtype(value) for name, value in kwargs.items()}
        return theirs(*map(_of_dtype, args), **kwargs)

    return called


_WITH_DTYPE = """\
tensor as_tensor asarray scalar_tensor empty empty_like empty_strided eye rand randn rand_like randn_like randint
randint_like randperm full full_like zeros zeros_like ones ones_like arange linspace logspace tril_indices triu_indices\
""".split()
_wrap_functions(_taking_pythons_types, _WITH_DTYPE)
_wrap_functions(_taking_types_first, ["can_cast", "promote_types"])
_wrap_methods(_taking_pythons_types, ["new_tensor", "new_empty", "new_full", "new_zeros", "new_ones"])
_wrap_methods(_taking_types_first, ["to"])
