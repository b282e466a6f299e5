import paddle


class _Done:
    """The work of an operation that is done already."""

    def wait(self, timeout=None):
        return True

    def is_completed(self):
        return True

    is_success = is_completed


def _ended(async_op):
    return _Done() if async_op else None


def _count(group):
    return paddle.distributed.get_world_size(group)


def all_reduce(tensor, op=paddle.distributed.ReduceOp.SUM, group=None, async_op=False):
    work = paddle.distributed.all_reduce(tensor, op, group, sync_op=not async_op)
    return work if async_op else None


def broadcast(tensor, src=None, group=None, async_op=False, group_src=None):
    source = group.ranks[group_src] if src is None else src
    work = paddle.distributed.broadcast(tensor, source, group, sync_op=not async_op)
    return work if async_op else None


def reduce(tensor, dst=None, op=paddle.distributed.ReduceOp.SUM, group=None, async_op=False, group_dst=None):
    target = group.ranks[group_dst] if dst is None else dst
    work = paddle.distributed.reduce(tensor, target, op, group, sync_op=not async_op)
    return work if async_op else None


def all_gather(tensor_list, tensor, group=None, async_op=False):
    """What each process gives, written to the tensors of the list."""
    found = []
    paddle.distributed.all_gather(found, tensor.contiguous(), group)
    for into, each in zip(tensor_list, found, strict=True):
        paddle.assign(each, into)
    return _ended(async_op)


def all_gather_into_tensor(output_tensor, input_tensor, group=None, async_op=False):
    """What each process gives, one after the other in one tensor."""
    parts = output_tensor.reshape([_count(group), *input_tensor.shape])
    found = []
    paddle.distributed.all_gather(found, input_tensor.contiguous(), group)
    paddle.assign(paddle.stack(found).reshape(output_tensor.shape).astype(parts.dtype), output_tensor)
    return _ended(async_op)


_all_gather_base = all_gather_into_tensor


def all_gather_object(object_list, obj, group=None):
    found = []
    paddle.distributed.all_gather_object(found, obj, group)
    for place, each in enumerate(found):
        object_list[place] = each


def broadcast_object_list(object_list, src=None, group=None, device=None, group_src=None):
    source = group.ranks[group_src] if src is None else src
    paddle.distributed.broadcast_object_list(object_list, source, group)


def reduce_scatter_tensor(
    output, input, op=paddle.distributed.ReduceOp.SUM, group=None, async_op=False
):
    """The part of this process of what the inputs of all of them make."""
    if paddle.distributed.get_backend(group) != "GLOO":
        work = paddle.distributed.stream.reduce_scatter(output, input, op, group, not async_op)
        return work if async_op else None
    whole = input.clone()
    paddle.distributed.all_reduce(whole, op, group)
    part = whole.reshape([_count(group), *output.shape])[paddle.distributed.get_rank(group)]
    paddle.assign(part, output)
    return _ended(async_op)


_reduce_scatter_base = reduce_scatter_tensor


def barrier(group=None, async_op=False, device_ids=None):
    paddle.distributed.barrier(group)
    return _ended(async_op)
