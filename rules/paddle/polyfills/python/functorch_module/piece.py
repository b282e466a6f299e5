import copy
import sys
import types

from .torchs_meaning import _torch

_OF_FUNC = frozenset("functionalize grad grad_and_value hessian jacfwd jacrev jvp linearize vjp vmap".split())


def _of_torch_func(name):
    if name in _OF_FUNC:
        return _torch(f"func.{name}")
    raise AttributeError(f"module 'functorch' has no attribute '{name}'")


def _stateless_call(model, names):
    """Calls a model with these values in the place of its own."""
    stateless = copy.deepcopy(model)

    def call(*values_and_args, **kwargs):
        values, args = values_and_args[: len(names)], values_and_args[len(names) :]
        state = {}
        for own, given in zip(names, values, strict=True):
            state |= zip(own, given, strict=True)
        return _torch("func.functional_call")(stateless, state, args, kwargs)

    return call


def _state_of(named, tracked):
    names, values = zip(*named, strict=True) if named else ((), ())
    return names, tuple(values if tracked else (value.detach() for value in values))


def make_functional(model, disable_autograd_tracking=False):
    """A function of the parameters of a model and of its arguments, and the parameters."""
    if [*model.buffers()]:
        raise RuntimeError("make_functional: the model has buffers: use make_functional_with_buffers")
    names, values = _state_of([*model.named_parameters()], not disable_autograd_tracking)
    return _stateless_call(model, [names]), values


def make_functional_with_buffers(model, disable_autograd_tracking=False):
    names, values = _state_of([*model.named_parameters()], not disable_autograd_tracking)
    buffers, held = _state_of([*model.named_buffers()], tracked=True)
    return _stateless_call(model, [names, buffers]), values, held


functorch = types.ModuleType("functorch")
vars(functorch).update(
    __getattr__=_of_torch_func,
    make_functional=make_functional,
    make_functional_with_buffers=make_functional_with_buffers,
)
functorch.__path__ = []  # so that an import of a module below it is looked for
sys.modules.setdefault("functorch", functorch)
