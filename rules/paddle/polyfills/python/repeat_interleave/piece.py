import paddle


def repeat_interleave(input, repeats=None, dim=None, *, output_size=None):
    """Each element as often as `repeats` says; of counts alone, the index of each."""
    if repeats is None:
        input, repeats, dim = paddle.arange(len(input)), input, 0
    return paddle.repeat_interleave(input, repeats, dim)
