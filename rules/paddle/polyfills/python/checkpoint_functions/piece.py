import contextlib
import functools
import warnings

import paddle

from .autograd_functions import Function, _wants_gradient
from .errors_in_backward import _running, backward
from .random_states import fork_rng, get_rng_state, set_rng_state
from .torchs_meaning import _torch


def _tensors_of(values):
    return [each for each in values if isinstance(each, paddle.Tensor)]


def _is_checkpoint_valid():
    """Whether a backward pass runs that is for all leaves, not that of autograd.grad."""
    return not _running.asked


def check_backward_validity(inputs):
    if not any(each.requires_grad for each in _tensors_of(inputs)):
        said = "None of the inputs have requires_grad=True. Gradients will be None"
        warnings.warn(said, stacklevel=2)


def detach_variable(inputs):
    """The same values apart from the graph, as leaves that want gradients where the inputs do."""
    if not isinstance(inputs, tuple):
        kind = type(inputs).__name__
        raise RuntimeError(f"Only tuple of tensors is supported. Got Unsupported input type: {kind}")
    found = tuple(each.detach() if isinstance(each, paddle.Tensor) else each for each in inputs)
    for detached, each in zip(found, inputs, strict=True):
        if isinstance(each, paddle.Tensor):
            detached.stop_gradient = each.stop_gradient
    return found


def get_device_states(*args):
    """The devices of the tensors but the CPU, by number, and the state of each one's generator."""
    devices = [each.place.gpu_device_id() for each in _tensors_of(args) if each.place.is_gpu_place()]
    return devices, [paddle.get_rng_state(f"gpu:{number}")[0] for number in devices]


def set_device_states(devices, states, *, device_type=None):
    for number, state in zip(devices, states, strict=True):
        paddle.set_rng_state([state], f"gpu:{number}")


def _autocast_that_is_on():
    """Makes a context with the autocast of now."""
    kinds = {paddle.get_device().partition(":")[0].replace("gpu", "cuda"), "cpu"}
    on = {kind: _torch("get_autocast_dtype")(kind) for kind in kinds if _torch("is_autocast_enabled")(kind)}

    @contextlib.contextmanager
    def entered():
        with contextlib.ExitStack() as contexts:
            for kind, dtype in on.items():
                contexts.enter_context(_torch("amp.autocast")(kind, dtype=dtype))
            yield

    return entered if on else contextlib.nullcontext


class CheckpointFunction(Function):
    """A call whose inner results are not kept, but computed again in the backward pass."""

    @staticmethod
    def forward(ctx, run_function, preserve_rng_state, *args):
        check_backward_validity(args)
        ctx.run_function, ctx.preserve_rng_state = run_function, preserve_rng_state
        ctx.autocast = _autocast_that_is_on()
        if preserve_rng_state:
            ctx.fwd_cpu_state = get_rng_state()
            ctx.fwd_devices, ctx.fwd_device_states = get_device_states(*args)
        ctx.inputs = [None if isinstance(each, paddle.Tensor) else each for each in args]
        ctx.tensor_indices = [at for at, each in enumerate(args) if isinstance(each, paddle.Tensor)]
        ctx.save_for_backward(*_tensors_of(args))
        with paddle.no_grad():
            return run_function(*args)

    @staticmethod
    def backward(ctx, *args):
        if not _is_checkpoint_valid():
            raise RuntimeError(
                "When use_reentrant=True, torch.utils.checkpoint is incompatible with .grad(): "
                "set use_reentrant=False, or call .backward() instead"
            )
        inputs = [*ctx.inputs]
        for at, each in zip(ctx.tensor_indices, ctx.saved_tensors, strict=True):
            inputs[at] = each
        inputs = detach_variable(tuple(inputs))
        with fork_rng(enabled=ctx.preserve_rng_state), paddle.enable_grad(), ctx.autocast():
            if ctx.preserve_rng_state:
                set_rng_state(ctx.fwd_cpu_state)
                set_device_states(ctx.fwd_devices, ctx.fwd_device_states)
            outputs = ctx.run_function(*inputs)
        outputs = outputs if isinstance(outputs, tuple) else (outputs,)
        pairs = [pair for pair in zip(outputs, args, strict=True) if _wants_gradient(pair[0])]
        if not pairs:
            raise RuntimeError("none of output has requires_grad=True, this checkpoint() is not necessary")
        backward(*zip(*pairs, strict=True))
        return None, None, *(each.grad if isinstance(each, paddle.Tensor) else None for each in inputs)
