import contextlib
from collections.abc import Mapping

import paddle

from .calls_of_modules import _called_as_torch


def _tensors_of_layers(layer, prefix=""):
    """The name of each parameter and buffer, the table it is in, and its name there."""
    for table in (layer._parameters, layer._buffers):
        yield from ((prefix + name, table, name) for name, value in table.items() if value is not None)
    for name, inner in layer._sub_layers.items():
        yield from _tensors_of_layers(inner, f"{prefix}{name}.") if inner is not None else ()


def _with_tied(places, given):
    """What is given, also for the other names of a tensor that is there more than once."""
    names = {}
    for name, (table, own) in places.items():
        names.setdefault(id(table[own]), []).append(name)
    tied = dict(given)
    for group in names.values():
        values = [given[name] for name in group if name in given]
        if any(value is not values[0] for value in values):
            raise ValueError(f"functional_call got different values for {sorted(group)}, which are tied.")
        tied.update(dict.fromkeys(group, values[0]) if values else {})
    return tied


@contextlib.contextmanager
def _reparametrize_module(module, parameters_and_buffers, tie_weights=False, strict=False, stack_weights=False):
    """A module with other tensors for its own; what it writes in their place is in the mapping then."""
    places = {name: (table, own) for name, table, own in _tensors_of_layers(module)}
    given = _with_tied(places, parameters_and_buffers) if tie_weights else dict(parameters_and_buffers)
    missing, unexpected = sorted(places.keys() - given.keys()), sorted(given.keys() - places.keys())
    if strict and (missing or unexpected):
        said = [f"\n\tMissing key(s): {', '.join(map(repr, missing))}."] if missing else []
        said += [f"\n\tUnexpected key(s): {', '.join(map(repr, unexpected))}."] if unexpected else []
        raise RuntimeError(f"Error(s) in reparametrizing for {type(module).__name__}:" + "".join(said))
    kept = {name: places[name][0][places[name][1]] for name in places if name in given}
    try:
        for name in kept:
            table, own = places[name]
            table[own] = given[name]
        yield
    finally:
        for name, before in kept.items():
            table, own = places[name]
            if name in parameters_and_buffers:
                parameters_and_buffers[name] = table[own]
            table[own] = before


def functional_call(module, parameter_and_buffer_dicts, args=None, kwargs=None, *, tie_weights=True, strict=False):
    """What a module gives with other parameters and buffers."""
    given = parameter_and_buffer_dicts
    if not isinstance(given, Mapping):
        if not all(isinstance(each, Mapping) for each in given):
            raise ValueError("Expected all elements of parameter_and_buffer_dicts to be dictionaries")
        names = [name for each in given for name in each]
        repeated = {name for name in names if names.count(name) > 1}
        if repeated:
            raise ValueError(f"{sorted(repeated)} appeared in multiple dictionaries; behavior of functional call is ambiguous")
        given = {name: value for each in given for name, value in each.items()}
    args = () if args is None else args if isinstance(args, tuple) else (args,)
    with _reparametrize_module(module, given, tie_weights, strict):
        return _called_as_torch(module, *args, **(kwargs or {}))


def stack_module_state(models):
    """The parameters and the buffers of modules of one kind, stacked by name."""
    models = [*models]
    if not models:
        raise RuntimeError("stack_module_state: Expected at least one model, got 0.")
    if len({model.training for model in models}) > 1:
        raise RuntimeError("stack_module_state: Expected all models to have the same training/eval mode.")
    if len({type(model) for model in models}) > 1:
        raise RuntimeError("stack_module_state: Expected all models to be of the same class.")
    every = [{name: table[own] for name, table, own in _tensors_of_layers(model)} for model in models]
    parameters = dict(models[0].named_parameters())
    stacked = {}
    for name, first in every[0].items():
        stacked[name] = paddle.stack([each[name].detach() for each in every])
        stacked[name].stop_gradient = first.stop_gradient
    return (
        {name: value for name, value in stacked.items() if name in parameters},
        {name: value for name, value in stacked.items() if name not in parameters},
    )
