import os

_threads = [int(os.environ.get("OMP_NUM_THREADS") or os.cpu_count() or 1)]


def set_num_threads(count):
    if count < 1:
        raise RuntimeError("set_num_threads expects a positive integer")
    _threads[0] = count


def get_num_threads():
    return _threads[0]
