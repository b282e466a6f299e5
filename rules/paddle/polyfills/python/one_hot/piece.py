import paddle


def one_hot(tensor, num_classes=-1):
    if tensor.dtype != paddle.int64:
        raise RuntimeError(f"one_hot is only applicable to index tensor of type LongTensor, not {tensor.dtype}")
    values = tensor.flatten()
    if not values.shape[0]:
        if num_classes <= 0:
            raise RuntimeError("Can not infer total number of classes from empty tensor.")
        return paddle.zeros([*tensor.shape, num_classes], dtype="int64")
    checked = tensor.place.is_cpu_place()  # as in torch: a check would wait for a device
    if checked and values.min().item() < 0:
        raise RuntimeError("Class values must be non-negative.")
    if num_classes <= 0:
        num_classes = values.max().item() + 1
    elif checked and values.max().item() >= num_classes:
        raise RuntimeError("Class values must be smaller than num_classes.")
    return (tensor.unsqueeze(-1) == paddle.arange(num_classes)).astype("int64")
