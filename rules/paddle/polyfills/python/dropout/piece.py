import paddle


def dropout(input, p=0.5, training=True, inplace=False):
    if not 0 <= p <= 1:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
    return paddle.nn.functional.dropout(input, p, training=training, inplace=inplace)
