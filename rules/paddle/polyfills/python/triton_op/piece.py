from .custom_op import custom_op


def triton_op(name, fn=None, /, *, mutates_args, schema=None):
    """Make a function that launches Triton kernels an operator; also as a decorator."""
    return custom_op(name, fn, mutates_args=mutates_args, schema=schema)


def wrap_triton(triton_kernel, /):
    """The kernel itself."""
    if not type(triton_kernel).__module__.startswith("triton."):
        raise RuntimeError("wrap_triton takes only what triton.jit or triton.autotune gave")
    return triton_kernel


capture_triton = wrap_triton
