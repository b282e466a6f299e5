"""What the module `recorded` does, as told by both frameworks."""

import torch


def leaf(*shape):
    count = 1
    for size in shape:
        count *= size
    values = torch.arange(count).to(torch.float64).reshape(shape) / count + 0.1
    return values.detach().requires_grad_()


def numbers(tensor):
    return None if tensor is None else [round(v, 9) for v in tensor.detach().flatten().tolist()]


def gradients(m):
    x, weight, bias = leaf(3, 2), leaf(2, 4), leaf(4)
    out = m.steps(x, weight, bias)
    found = torch.autograd.grad((out * out).sum(), [x, weight, bias], create_graph=True)
    told = [out.requires_grad, *map(numbers, found)]
    told += [numbers(torch.autograd.grad(found[1].sum(), x)[0])]
    x = leaf(4, 2)
    out = m.chosen(x, torch.tensor([3, 0, 3]))
    out.sum().backward()
    return [*told, numbers(out), numbers(x.grad)]


def writes(m):
    base, by = leaf(2, 3), leaf(3)
    x = base * 2
    m.scale_(x, by)
    (x * x).sum().backward()
    told = [x.requires_grad, numbers(x), numbers(base.grad), numbers(by.grad)]
    plain = torch.ones(2, 3).double()
    m.scale_(plain, by)
    told += [plain.requires_grad, numbers(torch.autograd.grad(plain.sum(), by)[0])]
    try:
        m.scale_(base, by)
    except RuntimeError as error:
        told.append(type(error).__name__)
    with torch.no_grad():
        told.append(m.steps(leaf(3, 2), leaf(2, 4), leaf(4)).requires_grad)
        m.scale_(base, by)
    return [*told, numbers(base)]


def spoiled(m):
    """What a step has kept was written to: an error of the backward pass."""
    told = []
    for in_part in (False, True):
        x, by = leaf(2, 3), torch.ones(2, 3).double()
        try:
            m.spoiled(x, by, in_part).sum().backward()
            told.append(numbers(x.grad))
        except RuntimeError as error:
            told.append(type(error).__name__)
    return told
