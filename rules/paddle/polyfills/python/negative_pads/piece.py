from .overrides import _function

_paddles_pad = _function("nn.functional.pad")


def pad(input, pad, mode="constant", value=None):
    """Widths below 0 take elements away, before others are added."""
    if mode in ("constant", "circular") and any(width < 0 for width in pad):
        kept = [slice(None)] * input.ndim
        for at in range(0, len(pad), 2):
            dim = input.ndim - 1 - at // 2
            kept[dim] = slice(max(0, -pad[at]), input.shape[dim] + min(0, pad[at + 1]))
        input, pad = input[tuple(kept)], [max(0, width) for width in pad]
    return _paddles_pad(input, pad, mode, 0 if value is None else value)
