import operator

import paddle

from .torchs_meaning import _tensor_method

_kinds_of_results: dict = {}  # by the name of the function


def _new_results(cls, values, _names=None):
    made = tuple.__new__(cls, values)
    if len(made) != cls.n_fields:
        raise TypeError(f"{cls.__module__}.{cls.__name__}() takes a {cls.n_fields}-sequence ({len(made)}-sequence given)")
    return made


def _text_of_results(results):
    text = _tensor_method("__repr__")
    texts = [text(each) if isinstance(each, paddle.Tensor) else repr(each) for each in results]
    named = ",\n".join(map("=".join, zip(results.__match_args__, texts)))
    return f"{type(results).__module__}.{type(results).__name__}(\n{named})"


def _result_type(name, fields):
    """A class of tuples with names, as torch's structure sequences: with no other base."""
    names = tuple(fields.split())
    members = {each: property(operator.itemgetter(at)) for at, each in enumerate(names)}
    members |= {"n_fields": len(names), "n_sequence_fields": len(names), "n_unnamed_fields": 0, "__match_args__": names}
    members |= {"__slots__": (), "__module__": "torch.return_types", "__new__": _new_results}
    members |= {"__repr__": _text_of_results, "__reduce__": lambda results: (type(results), (tuple(results), {}))}
    made = _kinds_of_results[name] = type(name, (tuple,), members)
    return made


# torch/csrc/utils/structseq and native_functions.yaml: what is returned by functions, and by their methods
return_types_aminmax = _result_type("aminmax", "min max")
return_types_cummax = _result_type("cummax", "values indices")
return_types_cummin = _result_type("cummin", "values indices")
return_types_frexp = _result_type("frexp", "mantissa exponent")
return_types_geqrf = _result_type("geqrf", "a tau")
return_types_histogram = _result_type("histogram", "hist bin_edges")
return_types_histogramdd = _result_type("histogramdd", "hist bin_edges")
return_types_kthvalue = _result_type("kthvalue", "values indices")
return_types_linalg_cholesky_ex = _result_type("linalg_cholesky_ex", "L info")
return_types_linalg_eig = _result_type("linalg_eig", "eigenvalues eigenvectors")
return_types_linalg_eigh = _result_type("linalg_eigh", "eigenvalues eigenvectors")
return_types_linalg_inv_ex = _result_type("linalg_inv_ex", "inverse info")
return_types_linalg_lstsq = _result_type("linalg_lstsq", "solution residuals rank singular_values")
return_types_linalg_lu = _result_type("linalg_lu", "P L U")
return_types_linalg_lu_factor = _result_type("linalg_lu_factor", "LU pivots")
return_types_linalg_lu_factor_ex = _result_type("linalg_lu_factor_ex", "LU pivots info")
return_types_linalg_qr = _result_type("linalg_qr", "Q R")
return_types_linalg_slogdet = _result_type("linalg_slogdet", "sign logabsdet")
return_types_linalg_solve_ex = _result_type("linalg_solve_ex", "result info")
return_types_linalg_svd = _result_type("linalg_svd", "U S Vh")
return_types_lu_unpack = _result_type("lu_unpack", "P L U")
return_types_max = _result_type("max", "values indices")
return_types_median = _result_type("median", "values indices")
return_types_min = _result_type("min", "values indices")
return_types_mode = _result_type("mode", "values indices")
return_types_nanmedian = _result_type("nanmedian", "values indices")
return_types_qr = _result_type("qr", "Q R")
return_types_slogdet = _result_type("slogdet", "sign logabsdet")
return_types_sort = _result_type("sort", "values indices")
return_types_svd = _result_type("svd", "U S V")
return_types_topk = _result_type("topk", "values indices")
return_types_triangular_solve = _result_type("triangular_solve", "solution cloned_coefficient")
