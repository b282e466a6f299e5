import paddle

from .jit_script import _note_scripted, _scripted
from .noted import _note


class Error(RuntimeError):
    """An error of TorchScript's, which is not there to raise it."""


class TracerWarning(Warning):
    """A warning of a trace, which is not made."""


class _KindOfScripts(type):
    def __instancecheck__(cls, value):
        if isinstance(value, paddle.nn.Layer) and value in _scripted:
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


def trace(func, example_inputs=None, *args, example_kwarg_inputs=None, **options):
    """The function or module itself, called once: nothing is recorded."""
    _note("torch.jit.trace")
    given = example_inputs if isinstance(example_inputs, (tuple, list)) else (example_inputs,)
    if example_kwarg_inputs is not None:
        given = ()
    elif example_inputs is None:
        raise RuntimeError("example_kwarg_inputs should be a dict")
    with paddle.no_grad():
        func(*given, **(example_kwarg_inputs or {}))
    _note_scripted(func)
    return func


def trace_module(mod, inputs, *args, **options):
    for method, given in inputs.items():
        trace(getattr(mod, method), given)
    return mod


def jit_save(m, f, *args, **options):
    """Refused: there is no program to write, only a Python object."""
    raise NotImplementedError(f"torch.jit.save({type(m).__name__}): nothing is scripted under Paddle; save its state_dict")


def jit_load(f, *args, **options):
    """Refused: Paddle cannot run TorchScript."""
    raise NotImplementedError(f"torch.jit.load({f!r}): Paddle cannot run TorchScript; make the module, and load its state_dict")
