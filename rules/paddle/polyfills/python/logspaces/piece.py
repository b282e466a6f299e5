import paddle

from .linspace_of_complex import linspace


def logspace(start, end, steps, base=10.0, *, dtype=None, requires_grad=False, **options):
    """Powers of a base whose exponents are at equal distances."""
    given = [v.item() if isinstance(v, paddle.Tensor) else v for v in (start, end, base)]
    wide = paddle.complex128 if any(isinstance(v, complex) for v in given) else paddle.float64
    if dtype is None:
        dtype = paddle.complex64 if wide == paddle.complex128 else paddle.get_default_dtype()
    exponents = linspace(*given[:2], steps, dtype=wide, **options)
    made = (paddle.to_tensor(given[2], dtype=wide) ** exponents).astype(dtype)
    made.stop_gradient = not requires_grad
    return made
