"""functorch, which is beside torch, and what asks for remote calls; one line for each.

Run by tests/test_compat_methods.py under torch, and under Paddle by `python -m porter_compat`.
"""

import functorch
import torch
from functorch import make_functional, make_functional_with_buffers
from torch.distributed import autograd as between
from torch.distributed import rpc
from torch.distributed.elastic.multiprocessing.errors import record


def plain(value):
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    return value.tolist() if isinstance(value, torch.Tensor) else value


def show(function):
    try:
        print(plain(function()))
    except Exception as error:
        print(type(error).__name__)


numbers = torch.arange(3.0)
show(lambda: functorch.grad(lambda x: (x**2).sum())(numbers))
show(lambda: (functorch.vmap(lambda x: 2 * x)(numbers), functorch.jacrev(lambda x: x * x)(numbers)))
for make in (make_functional, make_functional_with_buffers):
    model = torch.nn.Sequential(torch.nn.Linear(3, 2), torch.nn.BatchNorm1d(2)).eval()
    show(lambda: len(make(model)))
    model = model[0] if make is make_functional else model
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.fill_(0.5)
    called, *state = make(model)
    show(lambda: ([*map(len, state)], called(*state, numbers.unsqueeze(0))))
    moved = tuple(value + 1 for value in state[0])
    show(lambda: (called(moved, *state[1:], numbers.unsqueeze(0)), make(model, True)[1][0].requires_grad))
    show(lambda: functorch.grad(lambda x: called(x, *state[1:], numbers.unsqueeze(0)).sum())(moved)[0])
show(lambda: functorch.not_there)
show(lambda: (callable(rpc.is_available), callable(between.is_available), record(len)([1])))
