import contextlib


def is_compiling():
    """Never: functions run as they are."""
    return False


is_dynamo_compiling = is_exporting = is_compiling


def disable(fn=None, recursive=True, *, reason=None):
    """The function itself; also as a decorator with arguments."""
    return fn if fn is not None else lambda fn: fn


def allow_in_graph(fn):
    """The function itself."""
    return fn


assume_constant_result = nested_compile_region = allow_in_graph


def substitute_in_graph(original_fn, **options):
    """What gives the function that would stand for another one in a graph."""
    return allow_in_graph


class set_stance(contextlib.ContextDecorator):
    """How a compiler would behave; for good, in a block or a function."""

    def __init__(self, stance="default", *, force_backend=None, **options):
        known = ("default", "force_eager", "eager_on_recompile", "fail_on_recompile")
        if stance not in (*known, "eager_then_compile", "aot_eager_then_compile"):
            raise RuntimeError(f"invalid torch.compile stance {stance!r}")

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return None


def list_backends(exclude_tags=()):
    """None: nothing is compiled."""
    return []


def reset():
    """There is nothing compiled to forget."""


cudagraph_mark_step_begin = reset
