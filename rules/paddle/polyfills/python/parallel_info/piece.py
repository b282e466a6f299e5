import os


def parallel_info():
    """What torch says, as far as scripts look for it."""
    return f"ATen/Parallel:\n\tat::get_num_threads() : {os.cpu_count()}\nATen parallel backend: OpenMP\n"
