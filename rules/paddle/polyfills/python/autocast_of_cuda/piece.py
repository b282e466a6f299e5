import paddle

from .autocast import autocast


class amp_autocast(autocast):
    """For GPUs, and with its settings in another order."""

    def __init__(self, enabled=True, dtype=paddle.float16, cache_enabled=True):
        super().__init__("cuda", dtype, enabled, cache_enabled)


autocast_mode_autocast = amp_autocast
