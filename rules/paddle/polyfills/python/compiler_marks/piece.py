def is_compiling():
    """Never: functions run as they are."""
    return False


is_dynamo_compiling = is_exporting = is_compiling


def disable(fn=None, recursive=True, *, reason=None):
    """The function itself; also as a decorator with arguments."""
    return fn if fn is not None else disable


def allow_in_graph(fn):
    """The function itself."""
    return fn


assume_constant_result = allow_in_graph


def reset():
    """There is nothing compiled to forget."""


cudagraph_mark_step_begin = reset
