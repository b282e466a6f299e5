"""What the module `autograd` does, as told by both frameworks."""

import gc
import weakref

import torch


def leaf(*values):
    return torch.tensor(values or (1.0, -2.0, 3.0), dtype=torch.float64, requires_grad=True)


def weights(like):
    count = int(like.numel())
    return torch.tensor([0.5 + i for i in range(count)], dtype=torch.float64).reshape(like.shape)


def numbers(tensor):
    return None if tensor is None else [round(v, 9) for v in tensor.detach().reshape([-1]).tolist()]


def checked(function, *inputs):
    """Whether the gradients are those of finite differences, in each of the inputs."""
    out = function(*inputs)
    w = weights(out)
    found = torch.autograd.grad([out], list(inputs), [w], retain_graph=True)
    again = torch.autograd.grad([out], list(inputs), [w])
    step = 1e-6
    good = []
    for k, x in enumerate(inputs):
        for i in range(int(x.numel())):
            values = []
            for sign in (1, -1):
                moved = [t.detach().clone() for t in inputs]
                flat = moved[k].reshape([-1]).tolist()
                flat[i] += sign * step
                moved[k] = torch.tensor(flat, dtype=torch.float64).reshape(x.shape)
                values.append(float((function(*moved) * w).sum()))
            slope = (values[0] - values[1]) / (2 * step)
            told = float(found[k].reshape([-1])[i]), float(again[k].reshape([-1])[i])
            good.append(all(abs(slope - t) < 1e-5 for t in told))
    return good


def error(function, *arguments):
    try:
        return numbers(function(*arguments))
    except Exception as raised:
        return next(
            t.__name__
            for t in (IndexError, ValueError, RuntimeError, Exception)
            if isinstance(raised, t)
        )


def gradients(m):
    three = torch.tensor([0.5, 2.0, -1.0], dtype=torch.float64, requires_grad=True)
    return {
        "mul": checked(m.mul, leaf(), three),
        "exp": checked(m.exp, leaf()),
        "power": checked(lambda x: m.power(x, 3), leaf()),
        "sum": checked(lambda a, b: m.sum([a, b, a]), leaf(), leaf(4.0, 5.0, 6.0)),
        "many": checked(lambda a, b: m.many(a, b, True)[1], leaf(), leaf(4.0, 5.0, 6.0)),
        "many without": checked(lambda a: m.many(a, None, True)[0], leaf()),
        "chain": checked(lambda x: m.mul(m.exp(x), m.power(x, 2)), leaf()),
        "with others": checked(lambda x: m.exp(x * 2).sum() * x, leaf()),
        "column": checked(
            m.exp, torch.tensor([[0.1], [0.2]], dtype=torch.float64, requires_grad=True)
        ),
        "number": checked(m.exp, torch.tensor(0.3, dtype=torch.float64, requires_grad=True)),
    }


def twice(m):
    x = leaf()
    (first,) = torch.autograd.grad([m.exp(x).sum()], [x], create_graph=True)
    (second,) = torch.autograd.grad([first.sum()], [x], create_graph=True)
    (third,) = torch.autograd.grad([(second * weights(x)).sum()], [x])
    a, b = leaf(), leaf(4.0, 5.0, 6.0)
    (slope,) = torch.autograd.grad([m.mul(m.mul(a, b), a).sum()], [a], create_graph=True)
    mixed = torch.autograd.grad([slope.sum()], [a, b])
    x2 = leaf()
    y = m.mul(m.exp(x2), x2)
    y.sum().backward(retain_graph=True)
    once = numbers(x2.grad)
    y.sum().backward()
    return (
        numbers(first),
        numbers(second),
        numbers(third),
        [numbers(t) for t in mixed],
        once,
        numbers(x2.grad),
    )


def results(m):
    x = leaf()
    many = m.many(x, None, True)
    told = [(m.requires_grad(t), not t.requires_grad) for t in many]
    with torch.no_grad():
        off = m.exp(x)
    constant = torch.tensor([1.0], dtype=torch.float64)
    return {
        "many": told,
        "values": [numbers(t) for t in many],
        "off": m.requires_grad(off),
        "constant": m.requires_grad(m.exp(constant)),
        "leaf": [m.is_leaf(x), m.is_leaf(off), m.is_leaf(m.exp(x))],
        "grad_fn": [m.has_grad_fn(x), m.has_grad_fn(off), m.has_grad_fn(m.exp(x))],
    }


def undefined(m):
    told = {}
    for which in (0, 1):
        for materialize in (True, False):
            a, b = leaf(), leaf(4.0, 5.0, 6.0)
            out = m.many(a, b, materialize)[which]
            out.sum().backward()
            told[f"{which} {materialize}"] = numbers(a.grad), numbers(b.grad)
    a, b = leaf(), torch.tensor([1.0, 1.0, 1.0], dtype=torch.float64)
    m.needs(a, b).sum().backward()
    told["needs"] = m.told(), numbers(a.grad), b.grad is None
    return told


def in_place(m):
    x = leaf()
    y = x * 2
    z = m.add_one_(y)
    z.sum().backward()
    told = [numbers(y), numbers(x.grad), m.has_grad_fn(y), error(m.add_one_, leaf())]
    x = leaf()
    z = m.same(x * 1)
    z.sum().backward()
    told += [numbers(x.grad), z is x]
    x = leaf()
    same = m.same(x)
    (same * 2).sum().backward()
    told += [numbers(x.grad), m.is_leaf(same), m.is_leaf(x)]
    plain = torch.tensor([1.0], dtype=torch.float64)
    told += [numbers(m.add_one_(plain)), numbers(plain)]
    x = leaf()
    y = x * 1
    z = m.exp(y)
    w = m.mul(y, y)
    m.add_one_(y)
    told += [error(lambda: torch.autograd.grad([z.sum()], [x])[0])]
    told += [error(lambda: torch.autograd.grad([w.sum()], [x])[0])]
    return told


def used_twice(m):
    x = leaf()
    y = m.exp(x)
    (y * y + m.mul(y, y) * 2 + y.sum()).sum().backward()
    told = [numbers(x.grad)]
    m.exp(x).sum().backward()
    told.append(numbers(x.grad))
    a, b = leaf(), leaf()
    out = m.mul(a, b)
    told += [numbers(t) for t in torch.autograd.grad([out], [a, b], [weights(out)])]
    y = m.exp(x)
    seen = []
    y.register_hook(lambda g: seen.append(numbers(g)))
    m.mul(y, y).sum().backward()
    told.append(seen)
    y = m.exp(x)
    m.retain_grad(y)
    (y * 3).sum().backward()
    told.append(numbers(y.grad))
    return told


def errors(m):
    told = {}
    for how in (
        "few",
        "many",
        "too many",
        "for a string",
        "shape",
        "broadcast",
        "float",
        "none",
        "backward",
        "forward",
        "fine",
    ):
        x = leaf()

        def run(x=x, how=how):
            (m.wrong(x, how) * 2).sum().backward()
            return x.grad

        told[how] = error(run)
    x = leaf()
    y = m.exp(x)
    grad = torch.ones_like(y)
    y.backward(grad)
    told["again"] = error(lambda: y.backward(grad))
    x = leaf()
    y = m.exp(x)
    torch.autograd.grad([y], [x], [grad], retain_graph=True)
    told["after retaining"] = numbers(torch.autograd.grad([y], [x], [grad])[0])
    return told


def from_cpp(m):
    x, y = m.in_cpp([0.5, 1.0])
    y.sum().backward()
    told = [numbers(x.grad), numbers(m.grad(x)), m.grad(y) is None]
    x = m.leaf([1.0, 2.0])
    told += [m.requires_grad(x), not x.requires_grad]
    m.require_grad(x, False)
    told += [m.requires_grad(x)]
    m.require_grad(x, True)
    (x * x).sum().backward()
    told += [numbers(x.grad)]
    told += [error(lambda: m.require_grad(torch.tensor([1]), True))]
    told += [error(lambda: m.require_grad(m.exp(x), False))]
    return told


def engine(m):
    """backward, grad and hooks called from C++."""
    x = leaf()
    m.backward_in_cpp(m.exp(x), torch.ones_like(x))
    told = [numbers(x.grad)]
    x = leaf()
    m.backward_in_cpp(m.exp(x).sum(), None)
    told.append(numbers(x.grad))
    told.append(error(lambda: m.backward_in_cpp(m.exp(x), None)))
    told.append(error(lambda: m.backward_in_cpp(x.detach().sum(), None)))
    y = m.exp(x).sum()
    first = m.grad_in_cpp(y, x, True)
    told += [numbers(first), numbers(m.grad_in_cpp(first.sum(), x, False)), x.grad is None]
    told.append(error(lambda: m.grad_in_cpp(y, leaf(), False)))
    x = leaf()
    m.hooked(x).sum().backward()
    told.append(numbers(x.grad))
    return told


def freed(m):
    """A graph that is not used goes with what came out of it."""
    alive = []
    for function in (m.exp, lambda x: m.mul(x, x)):
        x = leaf()
        marker = x * 1
        watched = weakref.ref(marker)
        out = function(marker)
        del marker, out
        gc.collect()
        alive.append(watched() is not None)
    return alive
