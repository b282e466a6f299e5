import paddle


def _cuda_getArchFlags():
    return " ".join(f"sm_{number}" for number in paddle.version.cuda_archs())


def get_arch_list():
    return _cuda_getArchFlags().split() if paddle.device.cuda.device_count() else []
