import paddle


def make_tensor(
    *shape,
    dtype,
    device="cpu",
    low=None,
    high=None,
    requires_grad=False,
    noncontiguous=False,
    exclude_zero=False,
    memory_format=None,
):
    """Random numbers from low (-9; 0 for those without a sign) up to but without high."""
    if len(shape) == 1 and not isinstance(shape[0], int):
        shape = shape[0]
    whole = [*shape[:-1], 2 * shape[-1]] if noncontiguous and shape else list(shape)
    start = (0 if dtype in (paddle.bool, paddle.uint8) else -9) if low is None else low
    kind = str(dtype)
    if "float" in kind or "complex" in kind:
        stop = 9 if high is None else high
        out = paddle.uniform(whole, "float64", start, stop)
        if "complex" in kind:
            out = paddle.complex(out, paddle.uniform(whole, "float64", start, stop))
    else:
        stop = (2 if dtype == paddle.bool else 10) if high is None else high
        out = paddle.randint(int(start), int(stop), whole, "int64")
    if exclude_zero:
        out = paddle.where(out == 0, paddle.ones_like(out), out)
    out = out.astype(dtype).to(device)
    out = out[..., ::2] if noncontiguous and shape else out
    out.stop_gradient = not requires_grad
    return out
