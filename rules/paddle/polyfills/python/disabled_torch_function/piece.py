def _disabled_torch_function_impl(func, types, args=(), kwargs=None):
    return func(*args, **(kwargs or {}))
