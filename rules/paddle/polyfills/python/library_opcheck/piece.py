import types

import paddle

from .library_context import _UnknownSize
from .noted import _note
from .operators import _parsed, _registered, _tensors_in
from .testing_assert_close import assert_close


class OpCheckError(Exception):
    """What a check found."""


def opcheck(
    op,
    args,
    kwargs=None,
    *,
    test_utils=(
        "test_schema",
        "test_autograd_registration",
        "test_faketensor",
        "test_aot_dispatch_dynamic",
    ),
    raise_exception=True,
    rtol=None,
    atol=None,
):
    """What each check said: "SUCCESS", or the error that it raises."""
    _note("torch.library.opcheck")
    if (rtol is None) != (atol is None):
        raise ValueError("opcheck: if you specify one of rtol/atol, you must specify both")
    checks = {
        "test_schema": _keeps_to_schema,
        "test_autograd_registration": _has_autograd,
        "test_faketensor": _fake_agrees,
        "test_aot_dispatch_static": _repeats,
        "test_aot_dispatch_dynamic": _repeats,
    }
    wanted = (test_utils,) if isinstance(test_utils, str) else test_utils
    wanted = checks if test_utils == "ALL" else wanted
    if not set(wanted) <= set(checks):
        raise ValueError(f"opcheck: of {test_utils=} there is only {', '.join(checks)}")
    found, said = _registered(getattr(op, "_qualified_op_name", op)), {}
    for name in wanted:
        try:
            checks[name](found, args, kwargs or {}, {"rtol": rtol, "atol": atol})
            said[name] = "SUCCESS"
        except Exception as error:
            if raise_exception:
                raise OpCheckError(f"opcheck({found}): {name} failed with {error}") from error
            said[name] = error
    return said


def _copy_of(value):
    if not isinstance(value, paddle.Tensor):
        return type(value)(map(_copy_of, value)) if isinstance(value, (list, tuple)) else value
    copy = value.detach().clone()
    copy.stop_gradient = value.stop_gradient
    return copy


def _called(op, args, kwargs):
    """The output, and all arguments as the call left them."""
    values = [_copy_of(value) for value in op._bound(args, kwargs)]
    with paddle.no_grad():
        return op._run(values), values


def _keeps_to_schema(op, args, kwargs, tolerances):
    schema, before = _parsed(op._schema), [*map(_copy_of, op._bound(args, kwargs))]
    output, after = _called(op, args, kwargs)
    outputs = [*_tensors_in([output])]
    for parameter, old, new in zip(schema.parameters, before, after):
        pairs = zip(_tensors_in([old]), _tensors_in([new]))
        if not parameter.written_to and any(not _same(*pair) for pair in pairs):
            raise RuntimeError(
                f"Argument {parameter.name} is not defined as mutable but was mutated"
            )
        shared = [
            t for t in _tensors_in([new]) if any(o._is_shared_buffer_with(t) for o in outputs)
        ]
        if shared and not parameter.aliased:
            raise RuntimeError(
                f"Argument {parameter.name} is not defined to alias output but was aliasing"
            )


def _same(first, second):
    return first.shape == second.shape and first.numpy().tobytes() == second.numpy().tobytes()


def _has_autograd(op, args, kwargs, tolerances):
    values = op._bound(args, kwargs)
    marks = [each.stop_gradient for each in _tensors_in(values)]
    keys = ("Autograd", "CompositeImplicitAutograd", "AutogradCPU", "AutogradCUDA")
    if all(marks) or op._calls or any(key in op._kernels for key in keys):
        return
    made = [each for each in _tensors_in([op._run(values)]) if not each.stop_gradient]
    if any(all(each is not value for value in _tensors_in(values)) for each in made):
        raise AssertionError(f"{op}: an output wants a gradient, but no kernel is for autograd")


def _fake_agrees(op, args, kwargs, tolerances):
    fake = getattr(op, "_fake", None)
    if fake is None:
        known = op._calls or "CompositeImplicitAutograd" in op._kernels
        if known or not _parsed(op._schema).returns:
            return
        raise RuntimeError(f"There was no fake impl registered for {op}")
    real, _ = _called(op, args, kwargs)
    values = [_copy_of(value) for value in op._bound(args, kwargs)]
    try:
        with paddle.no_grad():
            told = op._taking(fake)(values)
    except _UnknownSize:
        return
    real, told = [*_tensors_in([real])], [*_tensors_in([told])]
    if len(real) != len(told):
        raise AssertionError(f"{len(told)} tensors are told, {len(real)} come")
    for ours, theirs in zip(told, real, strict=True):
        for what in ("shape", "dtype"):
            if getattr(ours, what) != getattr(theirs, what):
                raise AssertionError(
                    f"register_fake tells the {what} {getattr(ours, what)}, "
                    f"the operator has {getattr(theirs, what)}"
                )


def _repeats(op, args, kwargs, tolerances):
    first, second = _called(op, args, kwargs), _called(op, args, kwargs)
    pairs = zip(_tensors_in(first), _tensors_in(second), strict=True)
    for one, other in pairs:
        assert_close(one, other, **tolerances, equal_nan=True)


optests = types.ModuleType("paddle.testing._internal.optests")
vars(optests).update(opcheck=opcheck, OpCheckError=OpCheckError)
