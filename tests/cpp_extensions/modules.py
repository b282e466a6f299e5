"""What the classes of the module `modules` do, as told by both frameworks."""

import torch

CPU = torch.device("cpu") if callable(torch.device) else torch.CPUPlace()


def optimizer(kind, parameters):
    """One of the framework itself: this script runs without what else gives Paddle torch's."""
    if hasattr(torch, "optim"):
        return getattr(torch.optim, kind)(parameters, lr=0.05)
    return getattr(torch.optimizer, kind)(0.05, parameters=parameters)


def numbers(tensor):
    return None if tensor is None else [round(v, 4) for v in tensor.detach().flatten().tolist()]


def fill(module):
    """The same weights under both frameworks."""
    with torch.no_grad():
        for i, (_, tensor) in enumerate(module.named_parameters().items()):
            count = tensor.numel() if callable(getattr(tensor, "numel", None)) else tensor.size
            values = torch.arange(int(count)).to(torch.float32) / int(count) - 0.3 - i * 0.05
            tensor.copy_(values.reshape(tensor.shape).to(tensor.dtype))
    return module


def inputs(dtype=torch.float32):
    return (torch.arange(6).to(dtype).reshape([2, 3]) - 2) / 4


def dtype_of(tensor):
    return str(tensor.dtype).rpartition(".")[2]


def texts(m):
    net = m.Net(4, dropout=0.5)
    return [repr(net), str(net.cpp_module), net.text(), repr(m.Cell(3, 2)), m.Cell(3, 2).size]


def forward(m):
    net = fill(m.Net(4))
    out, hidden = net(inputs())
    again, _ = net(inputs())
    told = [numbers(out), numbers(hidden), numbers(again), out.requires_grad]
    return [*told, numbers(m.Twice()(inputs())), numbers(m.Twice().forward(inputs(), 3.0))]


def gradients(m):
    net = fill(m.Net(4))
    x = inputs()
    net(x)[0].sum().backward()
    told = [numbers(p.grad) for p in net.parameters()]
    net(x)[0].sum().backward()
    told += [numbers(p.grad) for p in net.parameters()]
    net.zero_grad()
    return [*told, [p.grad is None for p in net.parameters()]]


def training(m):
    """Steps in C++, and with an optimizer of Python."""
    net = fill(m.Net(4))
    told = [round(net.step(inputs(), 0.1), 5) for _ in range(3)]
    told += [numbers(p) for p in net.parameters()]
    for kind in ("SGD", "Adam"):
        step = optimizer(kind, net.parameters())
        for _ in range(3):
            net.zero_grad()
            (net(inputs())[0] ** 2).mean().backward()
            step.step()
        told += [numbers(p) for p in net.parameters()]
    return told


def names(m):
    net = m.Net(4)
    told = [list(net.named_parameters().keys()), list(net.named_buffers().keys())]
    told += [list(net.named_modules().keys()), list(net.named_children().keys())]
    told += [[repr(child) for child in net.children()], len(net.modules())]
    told += [len(net.parameters(False)), "scale" in net.named_parameters(), len(net.buffers())]
    told += [net.named_parameters()["scale"].requires_grad, net.buffers()[0].requires_grad]
    told += [[p.requires_grad for p in net.parameters()], len(m.Cell(3, 2).named_buffers())]
    return told


def modes(m):
    net = m.Net(4, dropout=0.5)
    told = [net.training]
    net.eval()
    told += [net.training, net.children()[0].training, numbers(net(inputs() * 0)[1])]
    net.train()
    told += [net.training, [child.training for child in net.children()]]
    net.train(False)
    return [*told, net.training, [each.training for each in net.modules()]]


def dtypes(m):
    net = fill(m.Net(4))
    net(inputs())[0].sum().backward()
    before = net.parameters()[0]
    net.to(torch.float64)
    told = [dtype_of(p) for p in [*net.parameters(), *net.buffers(), before]]
    net.zero_grad()
    out = net(inputs(torch.float64))[0]
    out.sum().backward()
    told += [dtype_of(out), numbers(out), numbers(net.parameters()[0].grad)]
    told += [dtype_of(net.parameters()[0].grad)]
    net.float()
    told += [dtype_of(net.parameters()[1])]
    net.to(CPU, torch.float64)
    told += [dtype_of(net.buffers()[0])]
    net.cpu()
    try:
        net.to(3)
    except Exception as error:
        told.append(isinstance(error, (TypeError, RuntimeError)))
    return told


def copies(m):
    cell = fill(m.Cell(3, 2))
    copy = cell.clone()
    with torch.no_grad():
        copy.parameters()[0].fill_(2)
    told = [type(copy).__name__, numbers(cell.parameters()[0]), numbers(copy.parameters()[0])]
    told += [numbers(copy(inputs())), numbers(cell(inputs()))]
    try:
        m.Net(2).clone()
    except RuntimeError as error:
        told.append(str(error).splitlines()[0])
    return told


def inside(m):
    """A module of C++ in one of Python."""

    class Outer(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.net = fill(m.Net(4))
            self.cell = fill(m.Cell(2, 3))

        def forward(self, x):
            return self.cell(self.net(x)[0])

    outer = Outer()
    told = [[name for name, _ in outer.named_parameters()], len(list(outer.parameters()))]
    outer.eval()
    told += [outer.net.training, outer.cell.training]
    outer.train()
    told += [outer.net.training, numbers(outer(inputs()))]
    outer(inputs()).sum().backward()
    told += [numbers(p.grad) for p in outer.parameters()]
    same = outer.cell.weight is outer.cell.weight
    return [*told, same, numbers(outer.cell.weight), numbers(outer.cell.state)]


def states(m):
    """Values by name, of a module without children: torch's wrapper has no others."""

    class Plain(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.twice = m.Twice()

    told = [list(Plain().state_dict()), isinstance(m.Twice(), torch.nn.Module)]
    try:
        m.Cell(3, 2).weight = torch.nn.Parameter(torch.zeros([2, 2]))
    except TypeError:
        told.append("TypeError")
    return told
