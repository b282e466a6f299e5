import functools

import paddle

from .methods_of_tensors import _wrap_functions, _wrap_methods
from .overrides import _function
from .promotion import _default_dtype, _kind, _result_dtype


_TO_FLOATS = """\
sqrt rsqrt exp expm1 log log1p log2 log10 sin cos tan sinh cosh tanh asin acos atan asinh acosh atanh sigmoid reciprocal
lgamma deg2rad rad2deg logit i0 cov\
""".split()
_QUOTIENTS_OF_ANY = "div divide true_divide __truediv__ __rtruediv__".split()
_OF_OPERANDS = """\
add sub subtract mul multiply pow remainder floor_divide rsub __add__ __radd__ __sub__ __rsub__ __mul__ __rmul__
__pow__ __rpow__ __mod__ __rmod__ __floordiv__ __rfloordiv__\
""".split()
_WINDOWS = "hann_window hamming_window blackman_window bartlett_window kaiser_window".split()


def _is_whole(value):
    return isinstance(value, paddle.Tensor) and _kind(value.dtype) < 2


def _with_default_of_one(theirs, _):
    @functools.wraps(theirs)
    def run(*args, **kwargs):
        if args and _is_whole(args[0]):
            args = (args[0].astype(_default_dtype()), *args[1:])
        elif _is_whole(kwargs.get("input")):
            kwargs["input"] = kwargs["input"].astype(_default_dtype())
        return theirs(*args, **kwargs)

    return run


def _with_default_of_two(theirs, name):
    @functools.wraps(theirs)
    def run(*args, **kwargs):
        named = {k: v for k, v in kwargs.items() if k in ("input", "other", "exponent")}
        values = [*args[:2], *named.values()]
        if any(map(_is_whole, values)) and all(_is_whole(v) or isinstance(v, (int, float, complex)) for v in values):
            dtype = _result_dtype(*values)
            if name in _QUOTIENTS_OF_ANY and kwargs.get("rounding_mode") is None and _kind(dtype) < 2:
                dtype = _default_dtype()
            if _kind(dtype) > 1:
                args = [each.astype(dtype) if _is_whole(each) else each for each in args]
                kwargs |= {k: v.astype(dtype) for k, v in named.items() if _is_whole(v)}
        return theirs(*args, **kwargs)

    return run


def _with_default_made(theirs, _):
    @functools.wraps(theirs)
    def run(*args, **kwargs):
        if kwargs.get("dtype") is None:
            kwargs["dtype"] = _default_dtype()
        return theirs(*args, **kwargs)

    return run


_set_default = _function("set_default_dtype")
_defaults_set: list = []


def set_default_dtype(d):
    """From the first other one than float32 on, integers become floats of the default dtype, as under torch."""
    _set_default(d)
    if _default_dtype() != paddle.float32 and not _defaults_set:
        _defaults_set.append(True)
        for wrapper, names in ((_with_default_of_one, _TO_FLOATS), (_with_default_of_two, _QUOTIENTS_OF_ANY + _OF_OPERANDS)):
            _wrap_functions(wrapper, names)
            _wrap_methods(wrapper, names)
        _wrap_functions(_with_default_made, _WINDOWS)

