import paddle


def _of_nothing(run, operands):
    """What a function gives: where that is empty, with gradients of zeros, for which Paddle finds no memory."""
    with paddle.no_grad():
        made = run()
    if 0 not in made.shape:
        return run()
    half = made.dtype in (paddle.float16, paddle.bfloat16)  # Paddle adds none on a CPU
    wide = made.astype(paddle.float32) if half else made
    for each in operands:
        if isinstance(each, paddle.Tensor) and not each.stop_gradient:
            wide = wide + 0 * each.astype(wide.dtype).sum()
    return wide.astype(made.dtype)


def _is_of_nothing(values):
    if paddle.is_grad_enabled():
        for each in values:
            if isinstance(each, paddle.Tensor) and 0 in each.shape:
                return True
    return False
