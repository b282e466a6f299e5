import contextlib
import enum


class CheckpointError(RuntimeError):
    pass


class DefaultDeviceType:
    """The kind of device for a checkpoint whose arguments are on none."""

    _default_device_type = "cuda"

    @staticmethod
    def set_device_type(device="cuda"):
        DefaultDeviceType._default_device_type = device

    @staticmethod
    def get_device_type():
        return DefaultDeviceType._default_device_type


@contextlib.contextmanager
def set_checkpoint_early_stop(enable):
    """Whether computing again may end before the end; it does not."""
    yield


@contextlib.contextmanager
def set_checkpoint_debug_enabled(enabled):
    """Whether an error about what was computed again says more; there is none."""
    yield


class CheckpointPolicy(enum.Enum):
    """What to do with the result of an operator."""

    MUST_SAVE = 0
    PREFER_SAVE = 1
    MUST_RECOMPUTE = 2
    PREFER_RECOMPUTE = 3
    MUST_CPU_OFFLOAD = 4
    PREFER_CPU_OFFLOAD = 5


class SelectiveCheckpointContext:
    """What a policy is told of the pass that asks."""

    def __init__(self, *, is_recompute, op_output=None):
        self.is_recompute, self.op_output = is_recompute, op_output


def create_selective_checkpoint_contexts(policy_fn_or_list, allow_cache_entry_mutation=False):
    """Contexts for a checkpoint: nothing is kept of what it computes, so that all is computed again."""
    if not isinstance(policy_fn_or_list, list) and not callable(policy_fn_or_list):
        raise TypeError("policy_fn_or_list must be either a function or a list of ops.")
    return contextlib.nullcontext(), contextlib.nullcontext()
