import typing


def is_scripting():
    """Never: functions run as they are."""
    return False


is_tracing = is_scripting


def unused(fn):
    """The function itself."""
    return fn


export = unused


def ignore(drop=False, **options):
    """The function itself; also as a decorator with arguments."""
    return drop if callable(drop) else unused


def annotate(the_type, the_value):
    """The value itself."""
    return the_value


def _unwrap_optional(x):
    """The value itself, if it is not None."""
    assert x is not None, "Unwrapping null optional"
    return x


def interface(obj):
    """The class itself."""
    return obj


Final = typing.Final
