import paddle

_paddle_broadcast_tensors = paddle.broadcast_tensors


def broadcast_tensors(*tensors):
    """Views of the tensors in their common shape."""
    many = len(tensors) == 1 and isinstance(tensors[0], (list, tuple))
    return tuple(_paddle_broadcast_tensors(list(tensors[0] if many else tensors)))
