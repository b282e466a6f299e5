import paddle

_default_name = paddle.get_default_dtype


def get_default_dtype():
    return getattr(paddle, str(_default_name()))
