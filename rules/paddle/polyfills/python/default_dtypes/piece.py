import paddle

_default_name, _autocast_name = paddle.get_default_dtype, paddle.get_autocast_dtype


def get_default_dtype():
    return getattr(paddle, str(_default_name()))


def get_autocast_dtype(device_type):
    """That of autocast; where it is off, the one that torch has it begin with on the device."""
    if device_type == "cpu" and not paddle.is_autocast_enabled():
        return paddle.bfloat16
    return getattr(paddle, str(_autocast_name()))


def get_autocast_gpu_dtype():
    return get_autocast_dtype("cuda")


def get_autocast_cpu_dtype():
    return get_autocast_dtype("cpu")
