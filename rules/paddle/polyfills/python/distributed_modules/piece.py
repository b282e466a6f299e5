import abc

import paddle.distributed


def distribute_tensor(tensor, device_mesh=None, placements=None, *, src_data_rank=0):
    return paddle.distributed.shard_tensor(tensor, device_mesh, placements)


def distribute_module(module, device_mesh=None, partition_fn=None, input_fn=None, output_fn=None):
    def of_module(hook):
        return hook and (lambda values, mesh: hook(module, values, mesh))

    hooks = map(of_module, (input_fn, output_fn))
    return paddle.distributed.shard_layer(module, device_mesh, partition_fn, *hooks)


class ParallelStyle(abc.ABC):
    """How a module is spread over a mesh: what a class of a library says in _apply."""

    src_data_rank = 0

    @abc.abstractmethod
    def _apply(self, module, device_mesh): ...
