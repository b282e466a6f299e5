import types

import paddle


def opcheck(op, args, kwargs=None, *, test_utils=None, raise_exception=True, rtol=None, atol=None):
    """What each check said: "SUCCESS", or the error that it raises."""
    _note("torch.library.opcheck")
    kwargs = kwargs or {}
    checks = {"test_faketensor": _fake_agrees, "test_repeated": _repeats}
    if test_utils is not None:
        wanted = (test_utils,) if isinstance(test_utils, str) else tuple(test_utils)
        if not set(wanted) <= set(checks):
            raise NotImplementedError(f"of opcheck Paddle can run {', '.join(checks)} only")
        checks = {name: checks[name] for name in wanted}
    if _name_of(op) not in _FAKES:
        checks.pop("test_faketensor", None)
    said = {}
    for name, check in checks.items():
        try:
            check(op, args, kwargs, rtol, atol)
            said[name] = "SUCCESS"
        except Exception as error:
            if raise_exception:
                raise RuntimeError(f"opcheck({op}): {name}: {error}") from error
            said[name] = error
    return said


def _copied(value):
    if isinstance(value, paddle.Tensor):
        copy = value.detach().clone()
        copy.stop_gradient = value.stop_gradient
        return copy
    return type(value)(map(_copied, value)) if isinstance(value, (list, tuple)) else value


def _called(op, args, kwargs):
    """The outputs, and the arguments as the call left them."""
    args, kwargs = _copied(tuple(args)), {k: _copied(v) for k, v in kwargs.items()}
    with paddle.no_grad():
        return op(*args, **kwargs), args


def _fake_agrees(op, args, kwargs, rtol, atol):
    fake = _FAKES[_name_of(op)]
    (real, _), (told, _) = _called(op, args, kwargs), _called(fake, args, kwargs)
    real, told = list(_flat([real])), list(_flat([told]))
    if len(real) != len(told):
        raise AssertionError(f"{len(told)} outputs are told, {len(real)} come")
    for ours, theirs in zip(told, real, strict=True):
        for what in ("shape", "dtype"):
            if getattr(ours, what) != getattr(theirs, what):
                raise AssertionError(
                    f"register_fake tells the {what} {getattr(ours, what)}, "
                    f"the operator has {getattr(theirs, what)}"
                )


def _repeats(op, args, kwargs, rtol, atol):
    first, second = _called(op, args, kwargs), _called(op, args, kwargs)
    assert_close(first, second, rtol=rtol, atol=atol, equal_nan=True)


optests = types.ModuleType("paddle.testing._internal.optests")
vars(optests).update(opcheck=opcheck)
