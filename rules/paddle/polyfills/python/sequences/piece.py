import paddle


def pad_sequence(sequences, batch_first=False, padding_value=0.0, padding_side="right"):
    """Tensors of different lengths as one."""
    longest = max(each.shape[0] for each in sequences)
    padded = []
    for each in sequences:
        shape = [longest - each.shape[0], *each.shape[1:]]
        value = paddle.zeros(shape, dtype=each.dtype) + paddle.to_tensor(padding_value, each.dtype)
        padded.append(paddle.concat([each, value] if padding_side == "right" else [value, each]))
    return paddle.stack(padded, axis=0 if batch_first else 1)


def unpad_sequence(padded_sequences, lengths, batch_first=False):
    each = (
        padded_sequences
        if batch_first
        else padded_sequences.transpose([1, 0, *range(2, padded_sequences.ndim)])
    )
    return [rows[: int(length)] for rows, length in zip(each, lengths, strict=True)]
