import importlib.util

import paddle


def has_triton_package():
    """Whether Triton is installed."""
    return importlib.util.find_spec("triton") is not None


def has_triton():
    """Whether Triton is installed and there is a GPU for it."""
    gpus = paddle.device.cuda.device_count() if paddle.device.is_compiled_with_cuda() else 0
    return has_triton_package() and gpus > 0
