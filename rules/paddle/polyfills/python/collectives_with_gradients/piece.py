import paddle
import paddle.distributed as distributed


class _AllReduced(paddle.autograd.PyLayer):
    @staticmethod
    def forward(ctx, tensor, op, group):
        ctx.op, ctx.group = op, group
        result = tensor.clone()
        distributed.all_reduce(result, op, group)
        return result

    @staticmethod
    def backward(ctx, grad):
        return _AllReduced.apply(grad, ctx.op, ctx.group)


class _Broadcast(paddle.autograd.PyLayer):
    @staticmethod
    def forward(ctx, tensor, src, group):
        ctx.src, ctx.group = src, group
        result = tensor.clone()
        distributed.broadcast(result, src, group)
        return result

    @staticmethod
    def backward(ctx, grad):
        total = _Reduced.apply(grad, ctx.src, distributed.ReduceOp.SUM, ctx.group)
        is_source = distributed.get_rank(ctx.group) == ctx.src
        return total if is_source else paddle.zeros_like(total)


class _Reduced(paddle.autograd.PyLayer):
    @staticmethod
    def forward(ctx, tensor, dst, op, group):
        ctx.dst, ctx.group = dst, group
        result = tensor.clone()
        distributed.reduce(result, dst, op, group)
        return result

    @staticmethod
    def backward(ctx, grad):
        return _Broadcast.apply(grad, ctx.dst, ctx.group)


class _Gathered(paddle.autograd.PyLayer):
    @staticmethod
    def forward(ctx, tensor, group):
        ctx.group = group
        found = []
        distributed.all_gather(found, tensor.clone(), group)
        return tuple(found)

    @staticmethod
    def backward(ctx, *grads):
        total = _AllReduced.apply(paddle.stack(grads), distributed.ReduceOp.SUM, ctx.group)
        return total[distributed.get_rank(ctx.group)]


def nn_all_reduce(tensor, op=distributed.ReduceOp.SUM, group=None):
    return _AllReduced.apply(tensor, op, group)


def nn_broadcast(tensor, src, group=None):
    return _Broadcast.apply(tensor, src, group)


def nn_reduce(tensor, dst, op=distributed.ReduceOp.SUM, group=None):
    return _Reduced.apply(tensor, dst, op, group)


def nn_all_gather(tensor, group=None):
    return _Gathered.apply(tensor, group)
