def _get_tracing_state():
    """Of no function that is being traced."""


def _is_tracing():
    return False


def _setting(value, answers=False):
    """Functions that ask for a setting and change it; some of these return what it was."""
    held = [value]

    def ask():
        return held[0]

    def change(enabled):
        before, held[0] = held[0], enabled
        return before if answers else None

    return ask, change


_profiling_executor, _jit_set_profiling_executor = _setting(True, answers=True)
_profiling_mode, _jit_set_profiling_mode = _setting(True, answers=True)
_fusion_strategy, _jit_set_fusion_strategy = _setting([("STATIC", 2), ("DYNAMIC", 10)], answers=True)
_jit_get_num_profiled_runs, _jit_set_num_profiled_runs = _setting(1, answers=True)
_jit_can_fuse_on_cpu, _jit_override_can_fuse_on_cpu = _setting(False)
_jit_can_fuse_on_gpu, _jit_override_can_fuse_on_gpu = _setting(False)
_jit_texpr_fuser_enabled, _jit_set_texpr_fuser_enabled = _setting(True)
_debug_get_fusion_group_inlining, _debug_set_fusion_group_inlining = _setting(True)
_get_graph_executor_optimize, _set_graph_executor_optimize = _setting(True)
_inlines_everything, _jit_set_inline_everything_mode = _setting(False)


def _jit_set_bailout_depth(depth):
    """An older name for a strategy of one kind."""
    return sum(times for _, times in _jit_set_fusion_strategy([("STATIC", depth)]))


def _jit_nvfuser_enabled():
    """torch has no such fuser any more, and its functions do nothing."""


def _jit_set_nvfuser_enabled(enabled):
    pass


def _jit_clear_class_registry():
    pass


class _OfScript:
    def __init__(self, *args):
        raise NotImplementedError(f"{type(self).__name__}: Paddle has no graphs of TorchScript")


class Graph(_OfScript):
    pass


class Block(_OfScript):
    pass


class Node(_OfScript):
    pass


class Value(_OfScript):
    pass


class Argument(_OfScript):
    pass


class FunctionSchema(_OfScript):
    pass
