import paddle

from .calls_of_modules import _called_as_torch


class DataParallel(paddle.nn.Layer):
    """A module, called with whole batches."""

    def __init__(self, module, device_ids=None, output_device=None, dim=0):
        super().__init__()
        count = paddle.device.cuda.device_count()
        self.module, self.dim = module, dim
        self.device_ids = list(range(count)) if device_ids is None else list(device_ids)
        first = self.device_ids[0] if self.device_ids else None
        self.output_device = first if output_device is None else output_device

    def forward(self, *inputs, **kwargs):
        return _called_as_torch(self.module, *inputs, **kwargs)


def data_parallel(module, inputs, device_ids=None, output_device=None, dim=0, module_kwargs=None):
    inputs = inputs if isinstance(inputs, tuple) else (inputs,)
    return _called_as_torch(module, *inputs, **(module_kwargs or {}))


class DistributedDataParallel(paddle.DataParallel):
    """A module of which each process computes a part of the batch; gradients are averaged over them."""

    def __init__(
        self, module, device_ids=None, output_device=None, dim=0, broadcast_buffers=True, process_group=None,
        bucket_cap_mb=None, find_unused_parameters=False, **options,
    ):  # fmt: skip
        if process_group is not None:
            raise NotImplementedError("DistributedDataParallel under Paddle takes no process_group")
        super().__init__(module, find_unused_parameters=find_unused_parameters)

    @property
    def module(self):
        return self._layers
