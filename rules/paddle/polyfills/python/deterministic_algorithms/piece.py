import paddle

_deterministic = {"mode": False, "warn_only": False}


def use_deterministic_algorithms(mode, *, warn_only=False):
    """What Paddle can be asked for is asked for: a CPU build knows no such flag."""
    _deterministic.update(mode=bool(mode), warn_only=bool(warn_only))
    if paddle.is_compiled_with_cuda():
        flags = ("FLAGS_cudnn_deterministic", "FLAGS_embedding_deterministic")
        paddle.set_flags(dict.fromkeys(flags, int(mode)))


def are_deterministic_algorithms_enabled():
    return _deterministic["mode"]


def is_deterministic_algorithms_warn_only_enabled():
    return _deterministic["warn_only"]
