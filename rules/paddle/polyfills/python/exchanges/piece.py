import os

import paddle

from .collectives import _Done, _ended, all_reduce, broadcast, reduce_scatter_tensor
from .process_group import ProcessGroup
from .process_groups import _world, get_backend, new_group

distributed_c10d_ProcessGroup = ProcessGroup
distributed_c10d_ReduceOp = paddle.distributed.ReduceOp
distributed_c10d_all_reduce = all_reduce
distributed_c10d_broadcast = broadcast
distributed_c10d_get_backend = get_backend
distributed_c10d_new_group = new_group
distributed_c10d_get_rank = paddle.distributed.get_rank
distributed_c10d_get_world_size = paddle.distributed.get_world_size
distributed_c10d_reduce_scatter_tensor = reduce_scatter_tensor
Work = _Done


class Backend(str):
    """The name of a backend, in lower case."""

    def __new__(cls, name):
        if not isinstance(name, str):
            raise ValueError("Backend constructor parameter must be string-ish")
        return str.__new__(cls, name.lower())

    UNDEFINED, GLOO, NCCL, UCC, MPI, XCCL = "undefined", "gloo", "nccl", "ucc", "mpi", "xccl"


class _MemberOfGroup(type):
    @property
    def WORLD(cls):
        return _world() if paddle.distributed.is_initialized() else None


class GroupMember(metaclass=_MemberOfGroup):
    NON_GROUP_MEMBER = -100


def is_mpi_available():
    return False


def is_xccl_available():
    return False


def is_torchelastic_launched():
    return "TORCHELASTIC_RUN_ID" in os.environ


def record(fn, error_handler=None):
    """The function itself: no file is written about its errors."""
    return fn


def _get_default_group():
    if not paddle.distributed.is_initialized():
        raise ValueError("Default process group has not been initialized, please make sure to call init_process_group.")
    return _world()


def _rank_not_in_group(group):
    return group is not None and (group == GroupMember.NON_GROUP_MEMBER or paddle.distributed.get_rank(group) < 0)


def gather_object(obj, object_gather_list=None, dst=None, group=None, group_dst=None):
    """The objects of all processes, in the list of one of them."""
    members = (group or _world()).ranks
    target = members[group_dst] if group_dst is not None else dst or 0
    here = paddle.distributed.get_rank() == target
    if here and object_gather_list is None:
        raise ValueError("Argument object_gather_list must be specified on the destination rank")
    if not here and object_gather_list:
        raise ValueError("Argument object_gather_list must NOT be specified on non-destination ranks.")
    found = []
    paddle.distributed.all_gather_object(found, obj, group)
    if here:
        object_gather_list[:] = found


def _exchange(outputs, inputs, group):
    """Send each process of a group its tensor, and write what each of them sends."""
    if paddle.distributed.get_backend(group) != "GLOO":
        return paddle.distributed.alltoall(outputs, inputs, group, sync_op=False)
    found, place = [], paddle.distributed.get_rank(group)
    paddle.distributed.all_gather_object(found, [each.numpy() for each in inputs], group)
    for into, sent in zip(outputs, found, strict=True):
        if into.size:
            paddle.assign(paddle.to_tensor(sent[place], dtype=into.dtype).reshape(into.shape), into)
    return _Done()


def all_to_all(output_tensor_list, input_tensor_list, group=None, async_op=False):
    """One tensor to, and one from, each process."""
    inputs = [each.detach().contiguous() for each in input_tensor_list]
    work = _exchange(output_tensor_list, inputs, group)
    return work if async_op else work.wait() and None


def _lengths(tensor, sizes, count):
    if sizes:
        if sum(sizes) != tensor.shape[0]:
            raise RuntimeError("Split sizes doesn't match total dim 0 size")
        return sizes
    if tensor.shape[0] % count:
        raise RuntimeError("Tensor's dim 0 does not divide equally across group size")
    return [tensor.shape[0] // count] * count


def all_to_all_single(
    output, input, output_split_sizes=None, input_split_sizes=None, group=None, async_op=False
):
    """Parts of one tensor to, and into another one from, each process."""
    count = paddle.distributed.get_world_size(group)
    received = _lengths(output, output_split_sizes, count)
    sent = paddle.split(input.detach(), _lengths(input, input_split_sizes, count))
    parts = [paddle.empty([length, *output.shape[1:]], output.dtype) for length in received]
    _exchange(parts, sent, group).wait()
    paddle.assign(paddle.concat(parts), output)
    return _ended(async_op)
