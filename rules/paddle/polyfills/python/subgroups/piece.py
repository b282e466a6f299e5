import math

import paddle.distributed

from .torchs_meaning import _torch


def new_subgroups(group_size=None, group=None, timeout=None, backend=None, pg_options=None, group_desc=None):
    """Groups of neighbours, of equal size: that of this process, and all of them."""
    group_size = paddle.device.cuda.device_count() if group_size is None else group_size
    if group_size <= 0:
        raise ValueError(f"The arg 'group_size' ({group_size}) must be positive")
    world = paddle.distributed.get_world_size(group)
    if world < group_size:
        raise ValueError(f"The arg 'group_size' ({group_size}) must not exceed the world size ({world})")
    if world % group_size:
        raise ValueError(f"The world size ({world}) must be divisible by '{group_size=}'")
    return new_subgroups_by_enumeration([list(range(at, at + group_size)) for at in range(0, world, group_size)])


def new_subgroups_by_enumeration(ranks_per_subgroup_list, timeout=None, backend=None, pg_options=None, group_desc=None):
    """Groups of these processes, of which each is in one."""
    if not ranks_per_subgroup_list:
        raise ValueError("The arg 'ranks_per_subgroup_list' cannot be empty")
    known, found, own = {}, [], None
    for ranks in ranks_per_subgroup_list:
        found.append(_torch("distributed.new_group")(ranks=ranks))
        for rank in ranks:
            if rank in known:
                raise ValueError(f"Rank {rank} has appeared in both subgroup {known[rank]} and {ranks}")
            known[rank] = ranks
            own = found[-1] if rank == paddle.distributed.get_rank() else own
    return own, found


def monitored_barrier(group=None, timeout=None, wait_all_ranks=False):
    """A barrier; Paddle's does not tell which process is late."""
    if paddle.distributed.get_world_size(group) > 1 and timeout is not None:
        raise NotImplementedError("Under Paddle, a barrier of several processes has the timeout of its group")
    _torch("distributed.barrier")(group)


class GradBucket:
    """Gradients that a hook of DistributedDataParallel gets: Paddle calls none."""

    def __new__(cls, *args, **kwargs):
        raise TypeError("torch._C._distributed_c10d.GradBucket: No constructor defined!")


def init_device_mesh(device_type, mesh_shape, *, mesh_dim_names=None, backend_override=None):
    """All processes in an array."""
    if backend_override is not None:
        raise NotImplementedError("Under Paddle, the groups of a mesh have one backend")
    if mesh_dim_names is not None:
        if len(set(mesh_dim_names)) != len(mesh_dim_names):
            raise RuntimeError(f"Each mesh_dim_name must be unique.\nFound repeated mesh_dim_name in mesh_dim_names {mesh_dim_names}")
        if len(mesh_shape) != len(mesh_dim_names):
            raise RuntimeError(
                "mesh_shape and mesh_dim_names should have same length!\n"
                f"Found len(mesh_dim_names): {len(mesh_dim_names)} and len(mesh_shape):{len(mesh_shape)}."
            )
    if not device_type.isalpha():
        raise RuntimeError(
            f"Device type with index is not supported but got {device_type}. "
            "If you maintained a 'torch.device' object, it's recommended to pass in 'device.type'."
        )
    if not paddle.distributed.is_initialized():
        _torch("distributed.init_process_group")()
    world, wanted = paddle.distributed.get_world_size(), math.prod(mesh_shape)
    if wanted > world:
        raise RuntimeError(f"Mesh should not be bigger than default world size {world}, but found {wanted} ranks!")
    ranks = paddle.arange(wanted).reshape(list(mesh_shape)).numpy()
    return _torch("distributed.device_mesh.DeviceMesh")(device_type, ranks, mesh_dim_names=mesh_dim_names)
