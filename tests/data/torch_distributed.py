"""Two processes that talk by torch.distributed; one line of output each thing and process.

Run by tests/test_catalogue.py: `python torch_distributed.py PORT`, or with the path of a unit to run
under Paddle's proxy.
"""

import os
import sys
import tempfile

if len(sys.argv) > 2:  # in the processes that are started, too
    import runpy

    import paddle

    paddle.enable_compat()
    runpy.run_path(sys.argv[2])

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch.distributed import ProcessGroup
from torch.distributed import nn as with_gradients


def plain(value):
    if isinstance(value, torch.Tensor):
        return value.tolist()
    return type(value)(map(plain, value)) if isinstance(value, (list, tuple)) else value


def work(rank, size, port, folder):
    file = open(os.path.join(folder, str(rank)), "w")

    def show(what, function):
        try:
            print("=", rank, what, plain(function()), file=file, flush=True)
        except Exception as error:
            print("=", rank, what, "raised", type(error).__name__, file=file, flush=True)

    show("before", lambda: (dist.is_initialized(), dist.group.WORLD))
    if rank == 0:
        os.environ.update(RANK="0", WORLD_SIZE=str(size))
        os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port))
        dist.init_process_group("gloo")
    else:
        method = f"tcp://127.0.0.1:{port}"
        dist.init_process_group("gloo", init_method=method, world_size=size, rank=rank)
    show("twice", lambda: dist.init_process_group("gloo"))
    show("rank", lambda: (dist.get_rank(), dist.get_world_size(), dist.get_backend()))
    show("group", lambda: isinstance(dist.group.WORLD, ProcessGroup))
    group = dist.new_group([0, 1])
    show("of group", lambda: (dist.get_rank(group), dist.get_world_size(group)))
    show("ranks", lambda: dist.get_process_group_ranks(group))
    show("number", lambda: dist.get_group_rank(group, 1) + dist.get_global_rank(group, 1))
    one = torch.tensor([1.0 + rank, 2.0])

    def reduced(**how):
        mine = one.clone()
        handle = dist.all_reduce(mine, **how)
        return mine if handle is None else (bool(handle.wait()), mine)

    show("all_reduce", reduced)
    show("all_reduce", lambda: reduced(op=dist.ReduceOp.MAX, group=group))
    show("all_reduce", lambda: reduced(async_op=True))

    def gathered(**how):
        into = torch.zeros(2, 2)
        rows = list(into.unbind(0)) if not how else [torch.zeros(2), torch.zeros(2)]
        handle = dist.all_gather(rows, one, **how)
        return (into if handle is None else bool(handle.wait())), rows

    def gathered_in(group):
        rows = [torch.zeros(2)]
        dist.all_gather(rows, one, group=group)
        return rows

    show("all_gather", gathered)
    show("all_gather", lambda: gathered(async_op=True))

    def objects(count):
        found = [None] * count
        dist.all_gather_object(found, {"rank": rank, "of": [size]})
        return found

    show("all_gather_object", lambda: objects(2))

    def one_tensor(*shape):
        into = torch.zeros(*shape)
        dist.all_gather_into_tensor(into, one)
        return into

    show("all_gather_into_tensor", lambda: one_tensor(4))

    def broadcast():
        mine, objects = one.clone(), [{"a": 1}, rank] if rank == 0 else [None, None]
        dist.broadcast(mine, src=1)
        dist.broadcast_object_list(objects, src=0)
        return mine, objects

    show("broadcast", broadcast)

    def reduce_to_one():
        mine = one.clone()
        dist.reduce(mine, 0)
        return mine if rank == 0 else None

    show("reduce", reduce_to_one)

    def scattered():
        into = torch.zeros(2)
        dist.reduce_scatter_tensor(into, torch.arange(4.0) + rank)
        return into

    show("reduce_scatter_tensor", scattered)

    def gathered_objects():
        into = [None] * size if rank == 1 else None
        dist.gather_object({"of": rank}, into, dst=1)
        return into

    show("gather_object", gathered_objects)
    show("gather_object", lambda: dist.gather_object(1, [None, None] if rank == 1 else None, dst=0))

    def exchanged_parts(length, **sizes):
        into = torch.zeros(length, 2)
        dist.all_to_all_single(into, torch.arange(8.0).reshape(4, 2) + 10 * rank, **sizes)
        return into

    show("all_to_all_single", lambda: exchanged_parts(4))
    show(
        "all_to_all_single",
        lambda: exchanged_parts(
            3 if rank else 5,
            input_split_sizes=[3 - rank, 1 + rank],
            output_split_sizes=[1, 2] if rank else [3, 2],
        ),
    )
    show("all_to_all_single", lambda: exchanged_parts(4, input_split_sizes=[1, 1]))
    show("bitwise", lambda: dist.all_reduce(torch.tensor([1.0]), op=dist.ReduceOp.PRODUCT))

    def sent():
        if rank == 0:
            dist.send(one, 1)
            return None
        into = torch.zeros(2)
        dist.recv(into, 0)
        return into

    show("send", sent)

    def gradient(function):
        mine = one.clone().requires_grad_()
        made = function(mine)
        if not isinstance(made, tuple):
            made = (made,)
        values = [each.detach() for each in made]
        sum((each * (rank + place + 2)).sum() for place, each in enumerate(made)).backward()
        return mine.detach(), values, mine.grad

    show("nn.all_reduce", lambda: gradient(with_gradients.all_reduce))
    show("nn.all_reduce", lambda: gradient(lambda x: with_gradients.all_reduce(x, group=group)))
    show("nn.broadcast", lambda: gradient(lambda x: with_gradients.broadcast(x, 1)))
    show("nn.reduce", lambda: gradient(lambda x: with_gradients.reduce(x, 0))[2])
    show("nn.all_gather", lambda: gradient(with_gradients.all_gather))
    alone = [dist.new_group([each]) for each in range(size)][rank]
    show("alone", lambda: (dist.get_world_size(alone), reduced(group=alone)))
    show("alone", lambda: gathered_in(alone))
    show("barrier", lambda: (dist.barrier(), dist.barrier(group=group)))
    dist.destroy_process_group()
    show("after", dist.is_initialized)


def one_process(rank, port, folder):
    """All that a test does that needs a group, and has one process."""
    for method in (f"tcp://127.0.0.1:{port}", f"file://{folder}/met"):
        dist.init_process_group("gloo", init_method=method, world_size=1, rank=0)
        x, rows, found = torch.ones(2), [torch.zeros(2)], [None]
        dist.all_reduce(x)
        dist.all_gather(rows, x)
        dist.all_gather_object(found, {"rank": rank})
        dist.broadcast(x, 0)
        dist.barrier()
        print("= one", dist.is_initialized(), dist.get_rank(), dist.get_world_size(), flush=True)
        print("= one", plain([x, rows]), found, dist.get_process_group_ranks(None), flush=True)
        group = dist.new_group([0])
        dist.all_reduce(x, group=group)
        print("= one", plain(x), dist.get_world_size(group), flush=True)
        dist.destroy_process_group()
        print("= one", dist.is_initialized(), flush=True)


def failing(rank):
    if rank == 1:
        raise KeyError("of rank one")


def main(port):
    with tempfile.TemporaryDirectory() as folder:
        mp.spawn(work, args=(2, port, folder), nprocs=2)
        for name in sorted(os.listdir(folder)):
            print(open(os.path.join(folder, name)).read(), end="", flush=True)
        mp.spawn(one_process, args=(port, folder), nprocs=1)
    try:
        mp.spawn(failing, nprocs=2)
    except mp.ProcessRaisedException as error:
        print("= raised", error.error_index, "KeyError: 'of rank one'" in str(error))
    context = mp.spawn(failing, nprocs=1, join=False)
    print("=", context.join(), len(context.pids()), mp.get_context("spawn") is not None)


if __name__ == "__main__":
    main(int(sys.argv[1]))
