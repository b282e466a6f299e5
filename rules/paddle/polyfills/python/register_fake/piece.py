_FAKES = {}  # operator -> what computes its outputs' shapes and dtypes


def _name_of(op):
    """The qualified name of an operator, or of what torch.ops has of it."""
    if hasattr(op, "namespace"):
        return f"{op.namespace}::{op.name}"
    name = op if isinstance(op, str) else getattr(op, "_qualname", None) or op._name
    return name.removesuffix(".default")


def register_fake(op, func=None, /, *, lib=None, _stacklevel=1, allow_override=False):
    """Keep what computes the shapes of an operator's outputs."""
    if func is None:
        return lambda func: register_fake(op, func)
    _FAKES[_name_of(op)] = func
    return func
