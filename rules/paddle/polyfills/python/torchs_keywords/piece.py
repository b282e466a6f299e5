import functools

from .methods_of_tensors import _unchanged_if_plain, _wrap_functions, _wrap_methods
from .torchs_meaning import _tensor_method

# Names of parameters of torch's functions (torch/_C/_VariableFunctions.pyi) that Paddle's do not take, in their order;
# those of methods begin after the first.
_PARAMETERS = """\
atan2_ input other|bitwise_not input|bitwise_left_shift input other|bitwise_left_shift_ input other
bitwise_right_shift input other|bitwise_right_shift_ input other|cholesky_solve input input2 upper|cumsum_ input dim
cumprod_ input dim|cummax input dim|cummin input dim|expand_as input other|diag input diagonal|diag_ input diagonal
eq_ input other|ge_ input other|greater_equal_ input other|gt_ input other|greater_ input other|le_ input other
less_equal_ input other|lt_ input other|less_ input other|ne_ input other|not_equal_ input other|fmax input other
fmin input other|hypot input other|hypot_ input other|nextafter input other|nextafter_ input other
heaviside input values|heaviside_ input values|i0 input|imag input|reciprocal input|square input|isreal input
lgamma input|inverse input|diagflat input offset|logit input eps|bincount input weights minlength|select_scatter input src dim index
column_stack tensors|hstack tensors|vstack tensors|row_stack tensors|dstack tensors|ormqr input input2 input3 left transpose
moveaxis input source destination|swapaxes input axis0 axis1|swapaxes_ input axis0 axis1|squeeze_ input dim
unsqueeze_ input dim|kron input other|masked_scatter input mask source|masked_scatter_ input mask source|rot90 input k dims
where condition input other|nn.functional.pdist input p
nn.functional.pixel_shuffle input upscale_factor|nn.functional.pixel_unshuffle input downscale_factor\
"""
_parameters = {name: names for name, *names in (each.split() for each in _PARAMETERS.replace("\n", "|").split("|"))}


@_unchanged_if_plain
def _by_torchs_keywords(theirs, parameters):
    """A function that takes parameters by torch's names, too, by their places."""

    @functools.wraps(theirs)
    def run(*args, **kwargs):
        if kwargs:
            for each in parameters[len(args) :]:
                if each not in kwargs:
                    break
                args = (*args, kwargs.pop(each))
        return theirs(*args, **kwargs)

    return run


def _with_place(theirs, _):
    @functools.wraps(theirs)
    def run(*args, device=None, layout=None, **kwargs):
        made = theirs(*args, **kwargs)
        return made if device is None else _tensor_method("to")(made, device)

    return run


_wrap_functions(_with_place, ["tril_indices", "triu_indices"])
_wrap_functions(lambda theirs, name: _by_torchs_keywords(theirs, _parameters[name]), _parameters)
_methods_of_names = [name for name in _parameters if name != "imag"]  # of tensors it is a property
_wrap_methods(lambda theirs, name: _by_torchs_keywords(theirs, ["self", *_parameters[name][1:]]), _methods_of_names)
