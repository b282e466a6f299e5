import contextlib

import paddle


@contextlib.contextmanager
def nvtx_range(msg, *args, **kwargs):
    """A named range for NVIDIA's tools; also as a decorator."""
    if not paddle.is_compiled_with_cuda():
        raise RuntimeError("NVTX functions not installed. Are you sure you have a CUDA build?")
    paddle.cuda.nvtx.range_push(msg.format(*args, **kwargs))
    try:
        yield
    finally:
        paddle.cuda.nvtx.range_pop()
