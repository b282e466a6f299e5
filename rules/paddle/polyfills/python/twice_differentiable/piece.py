import functools

import paddle

from .computing import _seen_from
from .derivatives_of_elements import (
    _BETWEEN_TENSORS,
    _DERIVATIVES,
    _EXACT,
    _SLOPES_OF_ELEMENTS,
    _STEPS_OF_ELEMENTS,
    _with_second_gradient,
)
from .methods_of_tensors import _static, _wrap_methods
from .put_off import _used_instead
from .second_gradients_of_layers import _SLOPES_OF_LAYERS, _STEPS_OF_LAYERS
from .second_gradients_of_linear_operators import (
    _BILINEAR,
    _LINEAR,
    _back_through_bilinear,
    _back_through_linear,
    _flatten,
    _in_steps_of_slices,
)
from .second_gradients_of_matrices import _SLOPES_OF_MATRICES, _STEPS_OF_MATRICES
from .second_gradients_of_reductions import _POOLS, _SLOPES_OF_REDUCTIONS, _STEPS_OF_REDUCTIONS
from .steps_of_gradients import (
    _OPS,
    _as_list,
    _conj,
    _has_complex,
    _is_asked_of,
    _is_differentiable,
    _is_recorded_for,
    _positional,
    _tensors_among,
    _times,
    _Way,
)

_NAMES_OF_AXES = {"dim": "axis", "dim1": "axis1", "dim2": "axis2"}  # torch's for Paddle's

# The tensors whose own gradient does not read them.
_READ_BY_OTHERS = {"multiply": (0, 1), "divide": (0,), "matmul": (0, 1), "einsum": (0, 1, 2, 3)}


def _ways_back():
    """What makes an operator of Paddle's one that has second gradients, by name."""
    found = {name: _by_slope(slope, name in _EXACT) for name, slope in _DERIVATIVES.items()}
    for names, (of, affine) in _LINEAR.items():
        found |= dict.fromkeys(names.split(), _back_through_linear(of, affine))
    found |= dict.fromkeys(_BILINEAR.split(), _Way(_back_through_bilinear))
    for name, (formula, when) in {
        **_SLOPES_OF_ELEMENTS, **_SLOPES_OF_LAYERS, **_SLOPES_OF_MATRICES, **_SLOPES_OF_REDUCTIONS,
    }.items():  # fmt: skip
        found[name] = _by_formula_of(formula, when or _is_recorded_for, _READ_BY_OTHERS.get(name, ()))
    for name, (steps, when) in {
        "flatten": (_flatten, None),
        **_STEPS_OF_ELEMENTS, **_STEPS_OF_LAYERS, **_STEPS_OF_MATRICES, **_STEPS_OF_REDUCTIONS,
    }.items():  # fmt: skip
        found[name] = functools.partial(_by_other_steps, steps, when or _is_recorded_for)
    return found | _POOLS


def _by_slope(slope, exact):
    def back(g, x, *args, **options):
        args = [each for each in args if each is not None]  # a name, which Paddle's functions have
        return _times(g, _conj(slope(x, *args, **options)))

    return _by_formula_of(back, _has_complex if exact else _is_recorded_for)


def _by_formula_of(formula, when, apart=()):
    """By a formula of the gradient of the output, or a list of those, and the arguments."""

    def back(call, given):
        g = given[0] if call.count == 1 else given
        found = _as_list(formula(g, *call.args, **_by_paddles_names(call.kwargs)))
        return found + [None] * (len(call.tensors) - len(found))

    return _Way(back, when, apart=apart)


def _by_other_steps(steps, when, theirs):
    @functools.wraps(theirs)
    def run(*args, **kwargs):
        if _is_asked_of([*_tensors_among([*args, *kwargs.values()])], when):
            args, kwargs = _positional(args, kwargs)
            return steps(*args, **_by_paddles_names(kwargs))
        return theirs(*args, **kwargs)

    return run


def _by_paddles_names(options):
    return {_NAMES_OF_AXES.get(key, key): value for key, value in options.items()}


_KEPT_IN_PLACE = frozenset({"where_", "assign_out_", "reshape_", "flatten_", "squeeze_", "unsqueeze_", "transpose_"})


def _writing_what(ours, theirs):
    """An operator in place: that which has second gradients, of a copy, whose result is written."""

    @functools.wraps(theirs)
    def write(x, *args, **kwargs):
        if x.stop_gradient or not paddle.is_grad_enabled():
            return theirs(x, *args, **kwargs)
        return _OPS.assign_out_(ours(x.clone(), *args, **kwargs), x)

    return write


def _fill(theirs):
    @functools.wraps(theirs)
    def write(x, value=0):
        if x.stop_gradient or not paddle.is_grad_enabled() or not _is_differentiable(x):
            return theirs(x, value)
        return _OPS.assign_out_(_seen_from(paddle.full_like(x, value), [x.clone()]), x)

    return write


def _replace_operators():
    """Replace Paddle's operators, for all code: what they compute and their gradients are the same."""
    for name, make in _ways_back().items():
        theirs = getattr(_OPS, name, None)
        if theirs is not None:
            _used_instead[id(theirs)] = ours = make(theirs)
            setattr(_OPS, name, ours)
            in_place = getattr(_OPS, f"{name}_", None)
            if in_place is not None and f"{name}_" not in _KEPT_IN_PLACE:
                _used_instead[id(in_place)] = written = _writing_what(ours, in_place)
                setattr(_OPS, f"{name}_", written)
    _used_instead[id(_OPS.fill_)] = written = _fill(_OPS.fill_)
    _OPS.fill_ = written
    for name in _BETWEEN_TENSORS:
        known = _static(paddle.Tensor, name)
        if hasattr(known, "homes"):
            known.theirs = _with_second_gradient(known.theirs, name)
        elif known is not None:
            setattr(paddle.Tensor, name, _with_second_gradient(known, name))
    _wrap_methods(_in_steps_of_slices, ["__getitem__"])
    scoped = [name for name in _BETWEEN_TENSORS if hasattr(_static(paddle.Tensor, name), "homes")]
    _wrap_methods(_with_second_gradient, scoped)
