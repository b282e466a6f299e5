import contextlib

import paddle


def _with_cuda():
    if not paddle.is_compiled_with_cuda():
        raise AssertionError("Torch not compiled with CUDA enabled")
    return paddle.base.core


def start():
    """Let a profiler that runs record this process."""
    _with_cuda().nvprof_start()


def stop():
    _with_cuda().nvprof_stop()


@contextlib.contextmanager
def profiler_profile():
    """A profiler that runs records what is in it."""
    start()
    try:
        yield
    finally:
        stop()


def memory_summary(device=None, abbreviated=False):
    """How much memory of a GPU is used, as a table."""
    _with_cuda()
    cuda = paddle.device.cuda
    named = {
        "Allocated memory": (cuda.memory_allocated, cuda.max_memory_allocated),
        "GPU reserved memory": (cuda.memory_reserved, cuda.max_memory_reserved),
    }
    rows = [
        f"| {name:21} | {now(device) >> 10:8} KiB | {most(device) >> 10:8} KiB |" for name, (now, most) in named.items()
    ]
    line = "|" + "-" * (len(rows[0]) - 2) + "|"
    head = f"| {'Metric':21} | {'Cur Usage':>12} | {'Peak Usage':>12} |"
    return "\n".join([line, head, line, *rows, line]) + "\n"
