import contextlib
import functools

import paddle
from paddle.distributed.fleet.utils import recompute

from .generators import default_generator


def noop_context_fn():
    return contextlib.nullcontext(), contextlib.nullcontext()


def checkpoint(
    function,
    *args,
    use_reentrant=None,
    context_fn=noop_context_fn,
    determinism_check="default",
    debug=False,
    early_stop=True,
    preserve_rng_state=True,
    **kwargs,
):
    """What a function gives; what it gave inside is computed again for its gradient."""
    reentrant = use_reentrant is None or use_reentrant
    if reentrant and kwargs:
        raise ValueError("Unexpected keyword arguments: " + ",".join(kwargs))
    if reentrant and (context_fn is not noop_context_fn or debug):
        said = "Passing `context_fn` or `debug` is only supported when use_reentrant=False."
        raise ValueError(said)
    tensors = [value for value in args if isinstance(value, paddle.Tensor)]
    recorded = not reentrant or any(not tensor.stop_gradient for tensor in tensors)
    if not (recorded and paddle.is_grad_enabled()):
        with paddle.no_grad():
            return function(*args, **kwargs)
    first, again = context_fn()
    ahead, started = [first], default_generator.get_state()

    def run(*values):
        redrawn = not ahead and preserve_rng_state
        outer = default_generator.get_state()
        if redrawn:
            default_generator.set_state(started)
        try:
            with ahead.pop() if ahead else again:
                return function(*values, **kwargs)
        finally:
            if redrawn:
                default_generator.set_state(outer)

    # Not Paddle's reentrant one: within autograd.grad it gives parameters no gradient.
    return recompute(run, *args, use_reentrant=False, preserve_rng_state=preserve_rng_state)


def checkpoint_sequential(functions, segments, input, use_reentrant=None, **kwargs):
    """What functions give one after the other; all parts but the last are computed again."""
    preserve = kwargs.pop("preserve_rng_state", True)
    if kwargs:
        raise ValueError("Unexpected keyword arguments: " + ",".join(kwargs))
    functions = [*(functions.children() if hasattr(functions, "children") else functions)]
    length = len(functions) // segments

    def part(chosen):
        return lambda value: functools.reduce(lambda found, each: each(found), chosen, value)

    for at in range(0, length * (segments - 1), length):
        input = checkpoint(
            part(functions[at : at + length]),
            input,
            use_reentrant=use_reentrant,
            preserve_rng_state=preserve,
        )
    return part(functions[length * (segments - 1) :])(input)
