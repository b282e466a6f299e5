import numbers

import paddle


def full(size, fill_value, *, dtype=None, layout=None, **options):
    if str(layout).rpartition(".")[2] not in ("None", "strided"):
        raise NotImplementedError(f"full() makes no {layout} tensors under Paddle")
    if isinstance(fill_value, paddle.Tensor):
        fill_value = fill_value.item()
    if (
        dtype is None
        and isinstance(fill_value, numbers.Integral)
        and not isinstance(fill_value, bool)
    ):
        dtype = paddle.int64
    if dtype is None and isinstance(fill_value, complex):
        double = str(paddle.get_default_dtype()).endswith("float64")
        dtype = paddle.complex128 if double else paddle.complex64
    return paddle.full(size, fill_value, dtype=dtype, **options)
