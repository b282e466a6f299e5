import functools

import paddle

from .torchs_meaning import _tensor_method, _torch


def _for_each(operand, count):
    """An operand of all tensors, or the one of each of them."""
    return list(operand) if isinstance(operand, (list, tuple)) else [operand] * count


def _over_lists(name, self, *operands, **settings):
    """What a method gives for each tensor of a list, with its own operands."""
    method = _tensor_method(name)
    if name.rstrip("_") in ("addcdiv", "addcmul"):
        *operands, settings["value"] = operands if len(operands) > 2 else (*operands, settings.get("value", 1))
    if isinstance(settings.get("value"), paddle.Tensor):
        settings["value"] = settings["value"].tolist()
    per_tensor = [name for name, value in settings.items() if isinstance(value, (list, tuple))]
    rows = [_for_each(each, len(self)) for each in operands]
    if any(len(row) != len(self) for row in rows):
        raise RuntimeError(f"Tensor lists must have the same number of tensors, got {len(self)}")
    made = []
    for number, tensor in enumerate(self):
        own = {key: value[number] if key in per_tensor else value for key, value in settings.items()}
        made.append(method(tensor, *(row[number] for row in rows), **own))
    return made


def _over_lists_in_place(name, self, *operands, **settings):
    """The same, written to the tensors of the list, which are given back."""
    _over_lists(f"{name}_", self, *operands, **settings)
    return list(self)


def _foreach_copy_(self, src, non_blocking=False):
    return _over_lists_in_place("copy", self, src)


def _foreach_zero_(self):
    return _over_lists_in_place("zero", self)


def _foreach_norm(self, ord=2, dtype=None):
    return [_torch("linalg.vector_norm")(tensor, ord, dtype=dtype) for tensor in self]


_foreach_abs = functools.partial(_over_lists, "abs")
_foreach_abs_ = functools.partial(_over_lists_in_place, "abs")
_foreach_acos = functools.partial(_over_lists, "acos")
_foreach_acos_ = functools.partial(_over_lists_in_place, "acos")
_foreach_asin = functools.partial(_over_lists, "asin")
_foreach_asin_ = functools.partial(_over_lists_in_place, "asin")
_foreach_atan = functools.partial(_over_lists, "atan")
_foreach_atan_ = functools.partial(_over_lists_in_place, "atan")
_foreach_ceil = functools.partial(_over_lists, "ceil")
_foreach_ceil_ = functools.partial(_over_lists_in_place, "ceil")
_foreach_cos = functools.partial(_over_lists, "cos")
_foreach_cos_ = functools.partial(_over_lists_in_place, "cos")
_foreach_cosh = functools.partial(_over_lists, "cosh")
_foreach_cosh_ = functools.partial(_over_lists_in_place, "cosh")
_foreach_erf = functools.partial(_over_lists, "erf")
_foreach_erf_ = functools.partial(_over_lists_in_place, "erf")
_foreach_erfc = functools.partial(_over_lists, "erfc")
_foreach_erfc_ = functools.partial(_over_lists_in_place, "erfc")
_foreach_exp = functools.partial(_over_lists, "exp")
_foreach_exp_ = functools.partial(_over_lists_in_place, "exp")
_foreach_expm1 = functools.partial(_over_lists, "expm1")
_foreach_expm1_ = functools.partial(_over_lists_in_place, "expm1")
_foreach_floor = functools.partial(_over_lists, "floor")
_foreach_floor_ = functools.partial(_over_lists_in_place, "floor")
_foreach_frac = functools.partial(_over_lists, "frac")
_foreach_frac_ = functools.partial(_over_lists_in_place, "frac")
_foreach_lgamma = functools.partial(_over_lists, "lgamma")
_foreach_lgamma_ = functools.partial(_over_lists_in_place, "lgamma")
_foreach_log = functools.partial(_over_lists, "log")
_foreach_log_ = functools.partial(_over_lists_in_place, "log")
_foreach_log10 = functools.partial(_over_lists, "log10")
_foreach_log10_ = functools.partial(_over_lists_in_place, "log10")
_foreach_log1p = functools.partial(_over_lists, "log1p")
_foreach_log1p_ = functools.partial(_over_lists_in_place, "log1p")
_foreach_log2 = functools.partial(_over_lists, "log2")
_foreach_log2_ = functools.partial(_over_lists_in_place, "log2")
_foreach_neg = functools.partial(_over_lists, "neg")
_foreach_neg_ = functools.partial(_over_lists_in_place, "neg")
_foreach_reciprocal = functools.partial(_over_lists, "reciprocal")
_foreach_reciprocal_ = functools.partial(_over_lists_in_place, "reciprocal")
_foreach_round = functools.partial(_over_lists, "round")
_foreach_round_ = functools.partial(_over_lists_in_place, "round")
_foreach_rsqrt = functools.partial(_over_lists, "rsqrt")
_foreach_rsqrt_ = functools.partial(_over_lists_in_place, "rsqrt")
_foreach_sigmoid = functools.partial(_over_lists, "sigmoid")
_foreach_sigmoid_ = functools.partial(_over_lists_in_place, "sigmoid")
_foreach_sign = functools.partial(_over_lists, "sign")
_foreach_sign_ = functools.partial(_over_lists_in_place, "sign")
_foreach_sin = functools.partial(_over_lists, "sin")
_foreach_sin_ = functools.partial(_over_lists_in_place, "sin")
_foreach_sinh = functools.partial(_over_lists, "sinh")
_foreach_sinh_ = functools.partial(_over_lists_in_place, "sinh")
_foreach_sqrt = functools.partial(_over_lists, "sqrt")
_foreach_sqrt_ = functools.partial(_over_lists_in_place, "sqrt")
_foreach_tan = functools.partial(_over_lists, "tan")
_foreach_tan_ = functools.partial(_over_lists_in_place, "tan")
_foreach_tanh = functools.partial(_over_lists, "tanh")
_foreach_tanh_ = functools.partial(_over_lists_in_place, "tanh")
_foreach_trunc = functools.partial(_over_lists, "trunc")
_foreach_trunc_ = functools.partial(_over_lists_in_place, "trunc")
_foreach_add = functools.partial(_over_lists, "add")
_foreach_add_ = functools.partial(_over_lists_in_place, "add")
_foreach_sub = functools.partial(_over_lists, "sub")
_foreach_sub_ = functools.partial(_over_lists_in_place, "sub")
_foreach_mul = functools.partial(_over_lists, "mul")
_foreach_mul_ = functools.partial(_over_lists_in_place, "mul")
_foreach_div = functools.partial(_over_lists, "div")
_foreach_div_ = functools.partial(_over_lists_in_place, "div")
_foreach_maximum = functools.partial(_over_lists, "clamp_min")
_foreach_maximum_ = functools.partial(_over_lists_in_place, "clamp_min")
_foreach_minimum = functools.partial(_over_lists, "clamp_max")
_foreach_minimum_ = functools.partial(_over_lists_in_place, "clamp_max")
_foreach_pow = functools.partial(_over_lists, "pow")
_foreach_pow_ = functools.partial(_over_lists_in_place, "pow")
_foreach_clamp_max = functools.partial(_over_lists, "clamp_max")
_foreach_clamp_max_ = functools.partial(_over_lists_in_place, "clamp_max")
_foreach_clamp_min = functools.partial(_over_lists, "clamp_min")
_foreach_clamp_min_ = functools.partial(_over_lists_in_place, "clamp_min")
_foreach_addcdiv = functools.partial(_over_lists, "addcdiv")
_foreach_addcdiv_ = functools.partial(_over_lists_in_place, "addcdiv")
_foreach_addcmul = functools.partial(_over_lists, "addcmul")
_foreach_addcmul_ = functools.partial(_over_lists_in_place, "addcmul")
_foreach_lerp = functools.partial(_over_lists, "lerp")
_foreach_lerp_ = functools.partial(_over_lists_in_place, "lerp")
_foreach_clone = functools.partial(_over_lists, "clone")
_foreach_max = functools.partial(_over_lists, "max")
