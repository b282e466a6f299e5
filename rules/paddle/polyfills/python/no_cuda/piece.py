import collections
from typing import Any

import paddle

from .methods_of_tensors import _methods
from .overrides import _register

_OF_A_GPU = (
    "can_device_access_peer current_blas_handle current_device current_stream cudart default_stream "
    "get_device_capability get_device_name get_device_properties get_rng_state init initial_seed "
    "ipc_collect mem_get_info synchronize caching_allocator_alloc current_solver_handle get_per_process_memory_fraction "
    "get_sync_debug_mode set_per_process_memory_fraction set_sync_debug_mode"
).split()
_NOTHING_TAKEN = "max_memory_allocated max_memory_reserved memory_allocated memory_reserved".split()
_OF_A_DRIVER = "clock_rate device_memory_used memory_usage power_draw temperature utilization".split()


def _no_cuda(*args, **kwargs):
    raise AssertionError("Torch not compiled with CUDA enabled")


def _no_driver(device=None):
    raise ModuleNotFoundError("nvidia-ml-py does not seem to be installed or it can't be imported.")


_devices = {paddle.device.get_device().partition(":")[0], *paddle.device.get_all_custom_device_type()}
if _devices == {"cpu"} and not paddle.is_compiled_with_cuda():
    _answers: dict[str, Any] = dict.fromkeys(_OF_A_GPU, _no_cuda)
    _answers |= dict.fromkeys(_NOTHING_TAKEN, lambda device=None: 0)
    _answers |= dict.fromkeys(_OF_A_DRIVER, _no_driver)
    _answers["list_gpu_processes"] = lambda device=None: "pynvml module not found, please install nvidia-ml-py"
    _answers["default_generators"] = ()
    _answers["empty_cache"] = _answers["seed"] = lambda: None
    _answers["memory_stats"] = lambda device=None: collections.OrderedDict()
    _answers["is_bf16_supported"] = lambda including_emulation=True: False
    _register({}, {f"torch.cuda.{name}": answer for name, answer in _answers.items()})
    _methods(cuda=_no_cuda)
