import paddle

from .operators import _registered


def register_fake(op, func=None, /, *, lib=None, _stacklevel=1, allow_override=True):
    """Keep what computes the shapes of an operator's outputs; also as a decorator."""
    if func is None:
        return lambda func: register_fake(op, func, lib=lib, allow_override=allow_override)
    try:
        found = _registered(op)
    except AttributeError:
        if getattr(type(paddle.ops), "not_loaded", None):  # a library that may have it
            return func
        raise RuntimeError(f"operator {op} does not exist") from None
    except NotImplementedError:
        return func
    if not allow_override and hasattr(found, "_fake"):
        raise RuntimeError(f"register_fake(...): the operator {op} already has a fake impl")
    found._fake = func
    return func
