import inspect

import paddle

from .jit_script import _is_scripted, _script_of
from .noted import _note


class Error(Exception):
    """What a scripted module raises where its author does."""


class TracerWarning(Warning):
    """A warning of a trace, which is not made."""


class _KindOfScripts(type):
    def __instancecheck__(cls, value):
        if _is_scripted(value):
            raise NotImplementedError(f"nothing is scripted under Paddle: whether this is a {cls.__name__} cannot be told")
        return super().__instancecheck__(value)


class ScriptModule(paddle.nn.Layer, metaclass=_KindOfScripts):
    """A module whose methods run as they are."""


class RecursiveScriptModule(ScriptModule):
    pass


class TracedModule(ScriptModule):
    pass


class TopLevelTracedModule(TracedModule):
    pass


def script_method(fn):
    return fn


def script_if_tracing(fn):
    return fn


_script_if_tracing = script_if_tracing


def _run_once(func, example_inputs, example_kwarg_inputs=None):
    _note("torch.jit.trace")
    given = example_inputs if isinstance(example_inputs, (tuple, list)) else (example_inputs,)
    if example_kwarg_inputs is not None:
        given = ()
    elif example_inputs is None:
        raise RuntimeError("example_kwarg_inputs should be a dict")
    with paddle.no_grad():
        func(*given, **(example_kwarg_inputs or {}))


def trace(func, example_inputs=None, *args, example_kwarg_inputs=None, **options):
    """The function itself, or a module with the tensors of the module, called once: nothing is recorded."""
    if inspect.ismethod(func) and func.__name__ == "forward" and isinstance(func.__self__, paddle.nn.Layer):
        func = func.__self__
    _run_once(func, example_inputs, example_kwarg_inputs)
    return _script_of(func) if isinstance(func, paddle.nn.Layer) else func


def trace_module(mod, inputs, *args, **options):
    """A module with the tensors of the module, of which each method was called once: nothing is recorded."""
    for method, given in inputs.items():
        _run_once(getattr(mod, method), given)
    return _script_of(mod)


def jit_save(m, f, *args, **options):
    """Refused: there is no program to write, only a Python object."""
    raise NotImplementedError(f"torch.jit.save({type(m).__name__}): nothing is scripted under Paddle; save its state_dict")


def jit_load(f, *args, **options):
    """Refused: Paddle cannot run TorchScript."""
    raise NotImplementedError(f"torch.jit.load({f!r}): Paddle cannot run TorchScript; make the module, and load its state_dict")
