import paddle


def one_hot(tensor, num_classes=-1):
    if tensor.dtype != paddle.int64:
        raise RuntimeError(f"one_hot is only applicable to index tensor of type LongTensor, not {tensor.dtype}")
    values = tensor.flatten()
    if not values.shape[0]:
        if num_classes <= 0:
            raise RuntimeError("Can not infer total number of classes from empty tensor.")
        return paddle.zeros([*tensor.shape, num_classes], dtype="int64")
    if values.min().item() < 0:
        raise RuntimeError("Class values must be non-negative.")
    count = values.max().item() + 1
    if num_classes not in (-1, 0) and count > num_classes:
        raise RuntimeError("Class values must be smaller than num_classes.")
    count = num_classes if num_classes > 0 else count
    return (tensor.unsqueeze(-1) == paddle.arange(count)).astype("int64")
