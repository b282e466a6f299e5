"""Memory that processes share; prints one line per program."""

import multiprocessing

import torch


def add_one(tensor):
    tensor.add_(1)


def train(module, alone):
    optimizer = torch.optim.SGD(module.parameters(), lr=0.5)
    module(torch.ones(1, 2)).sum().backward()
    optimizer.step()
    assert all(isinstance(each, torch.nn.Parameter) for each in (module.weight, alone))


def run(method, *tensors, target=add_one):
    process = multiprocessing.get_context(method).Process(target=target, args=tensors)
    process.start()
    process.join()
    return process.exitcode


def show(name, *values):
    print(name, *(v.tolist() if isinstance(v, torch.Tensor) else v for v in values))


def share(method):
    x = torch.zeros(2, 2)
    show("shared", x.is_shared(), x.share_memory_() is x, x.is_shared(), x[1].is_shared())
    show(method, run(method, x), x)
    show("view", run(method, x.T[1]), x)
    half = torch.zeros(3, dtype=torch.bfloat16).share_memory_()
    show("bfloat16", run(method, half), half.float())
    weight = torch.nn.Linear(2, 2)
    torch.nn.init.zeros_(weight.weight)
    weight.share_memory()
    show("module", weight.bias.is_shared(), weight.weight.requires_grad)
    alone = torch.nn.Parameter(torch.ones(1))
    show("trained", run(method, weight, alone, target=train), weight.weight.detach(), alone.detach())
    sent = weight.weight.detach()
    show("parameter", run(method, sent), weight.weight.detach())


def allocate():
    x = torch.arange(6.0)
    show("kinds", torch.zeros(1).storage_type() is torch.FloatStorage)
    show("bytes", torch.zeros(1, dtype=torch.uint8).storage_type() is torch.ByteStorage)
    made = torch.zeros(0).set_(torch.FloatStorage._new_shared(6), 0, (2, 3))
    made.copy_(x.reshape(2, 3))
    show("set", made, made.is_shared(), made.stride())
    storage = x._typed_storage()._new_shared(6, device=x.device)
    out = x.new(storage).resize_(2, 3)
    show("out", torch.stack([x[:3], x[3:]], 0, out=out), out.is_shared(), storage.is_shared())
    show("fork", run("fork", out), out)
    show("of a view", torch.zeros(0).set_(x[2:]), torch.zeros(0).set_(x[1:], 1, (2, 2), (2, 1)))
    show("of a storage", torch.zeros(0).set_(x[1:].storage(), 1, (3,)))
    try:
        torch.zeros(0).set_(x.long())
    except RuntimeError as error:
        show("other dtype", type(error).__name__)
    show("one number", torch.zeros(0).set_(x.storage(), 3, ()))
    show("of nothing", torch.zeros(3).set_().shape)


if __name__ == "__main__":
    share("fork")
    share("spawn")
    allocate()
