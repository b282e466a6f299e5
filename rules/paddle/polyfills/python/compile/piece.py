import functools
import inspect
import os

from .noted import _note

_MODES = ("default", "lite", "reduce-overhead", "max-autotune-no-cudagraphs", "max-autotune")


def compile(
    model=None,
    *,
    fullgraph=False,
    dynamic=None,
    backend="inductor",
    mode=None,
    options=None,
    disable=False,
    **rest,
):
    """The function or module itself: nothing is compiled; also as a decorator."""
    if set(rest) - {"recompile_limit", "guard_filter_fn", "shapes_spec"}:
        raise TypeError(f"compile() got an unexpected keyword argument {[*rest][0]!r}")
    if mode is not None and options is not None:
        raise RuntimeError("Either mode or options can be specified, but both can't be specified")
    if mode is not None and mode not in _MODES and backend == "inductor":
        raise RuntimeError(f"Unrecognized mode={mode}, should be one of: {', '.join(_MODES)}")
    if model is None:
        return lambda model: compile(model, disable=disable)
    if not callable(model):
        raise AssertionError(f"A callable function is expected, but {type(model)} is provided.")
    if disable:
        return model
    _note("torch.compile")
    if not ("PORTER_NOTED" in os.environ and inspect.isfunction(model)):
        return model

    @functools.wraps(model)
    def eagerly(*args, **kwargs):
        _note("torch.compile")
        return model(*args, **kwargs)

    return eagerly
