import types


def _marked(fn=None, *args, **kwargs):
    """The function itself, or what takes one."""
    return fn if fn is not None else _marked


_dynamo = types.ModuleType("paddle._dynamo")
vars(_dynamo).update(
    allow_in_graph=_marked,
    disable=_marked,
    disallow_in_graph=_marked,
    graph_break=lambda msg="": None,
    is_compiling=lambda: False,
    mark_dynamic=lambda *args, **kwargs: None,
    reset=lambda: None,
)
