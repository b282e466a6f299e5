"""What the module `registration` does, as told by both frameworks."""

import copy
import pickle

import torch


def tensor(*values, **options):
    return torch.tensor(values or (1.0, 2.0, 3.0), dtype=torch.float64, **options)


def numbers(value):
    if isinstance(value, torch.Tensor):
        return [round(v, 9) for v in value.detach().reshape([-1]).tolist()]
    if isinstance(value, (list, tuple)):
        return [type(value).__name__, [numbers(v) for v in value]]
    return value


def told_by(function, *arguments, **named):
    try:
        return numbers(function(*arguments, **named))
    except Exception as raised:
        return next(
            t.__name__
            for t in (
                TypeError,
                IndexError,
                ValueError,
                NotImplementedError,
                RuntimeError,
                Exception,
            )
            if isinstance(raised, t)
        )


def arguments(m):
    op = torch.ops.ext_registration.described
    x = tensor()
    return [
        told_by(op, x),
        told_by(op, x, 4),
        told_by(op, x, 4, 2, "mean"),
        told_by(op, x, mode="mean", n=7),
        told_by(op, x, k=5, other=x, flag=True),
        told_by(op, x, flag=True, s=2.5),
        told_by(op, x, sizes=[4, 5, 6], pair=[7, 8], ws=[1, 2.5], maybe=[9]),
        told_by(op, x, sizes=(4,), pair=3, maybe=None),
        told_by(op, x=x, n=1),
        told_by(op.default, x, 2),
    ]


def refused(m):
    op = torch.ops.ext_registration.described
    x = tensor()
    bad = [
        lambda: op(),
        lambda: op(x, "three"),
        lambda: op(x, 1.5),
        lambda: op(1),
        lambda: op(x, nope=1),
        lambda: op(x, 1, 1.0, "a", True),
        lambda: op(x, 1, n=2),
        lambda: op(x, sizes=["a"]),
    ]
    return [isinstance(told_by(f), str) and told_by(f).endswith("Error") for f in bad]


def results(m):
    ops = torch.ops.ext_registration
    x = tensor()
    return [
        [hasattr(ops, "several"), hasattr(ops, "not_there"), getattr(ops, "not_there", None)],
        told_by(ops.several, x, [x, x]),
        told_by(ops.several, x, []),
        told_by(ops.plain, 1, 2.5),
        told_by(ops.plain, 1, 2),
        told_by(ops.any, x, x),
        told_by(ops.any, 3, x),
        told_by(ops.any, None, x),
        told_by(ops.any, [2.5], x),
        told_by(ops.any, torch.classes.ext_registration.Stack(3, [x]), x),
        told_by(ops.nothing),
        told_by(ops.dtype, torch.float16),
        told_by(ops.dtype, torch.float32),
        told_by(ops.dtype_of, x),
        told_by(ops.dtype_of, x, torch.int64),
        told_by(ops.device, "cpu"),
        told_by(ops.device, x.device),
        told_by(ops.scalar, 2),
        told_by(ops.scalar, 2.5),
        told_by(ops.scalar, True),
        told_by(ops.lists, [1, 2], [1, 2.5], [True, False], ["a"]),
        told_by(ops.lists, [], (), [], []),
        sorted((k, numbers(v)) for k, v in ops.dict({"a": x, "b": x}).items()),
        told_by(ops.maybe, [x, None, x]),
        told_by(ops.give, True),
        told_by(ops.give, False),
        told_by(ops.over, x),
        told_by(ops.over, 1),
        told_by(ops.over, "a"),
        told_by(ops.over.int, 1),
        told_by(ops.over.default, x),
        told_by(ops.later, x),
        told_by(ops.later, x, by=2),
        m.missing(),
    ]


def dispatched(m):
    ops = torch.ops.ext_registration
    x = tensor(requires_grad=True)
    y = ops.differentiable(x)
    y.sum().backward()
    told = [numbers(y), numbers(x.grad)]
    x = tensor(requires_grad=True)
    (ops.composite(x) * x).sum().backward()
    told.append(numbers(x.grad))
    with torch.no_grad():
        told.append(numbers(ops.differentiable(x)))
    plain = tensor()
    back = ops.add_one_(plain)
    told += [numbers(plain), numbers(back), numbers(m.through(plain)), numbers(plain)]
    told += [told_by(ops.tagged, plain), told_by(ops.nowhere, plain)]
    old = torch.ops.ext_old
    told += [told_by(old.first, plain), told_by(old.second, plain, 3.0)]
    told += [told_by(old.third, plain), told_by(old.third, plain, k=1), told_by(old.fourth, plain)]
    return told


def errors(m):
    return [told_by(torch.ops.ext_registration.fail, how) for how in (0, 1, 2, 3, 4)]


def classes(m):
    Stack = torch.classes.ext_registration.Stack
    x = tensor()
    stack = Stack(3, [x])
    stack.push(x * 2)
    told = [
        stack.size(),
        numbers(stack.pop()),
        stack.size(),
        numbers(stack.state()),
        stack.limited(1),
    ]
    told += [stack.plus(1), stack.plus(1, 3), stack.plus(a=1), stack.plus(a=1, b=4)]
    told += [stack.rate, stack.name, stack.limit]
    stack.rate, stack.limit = 0.5, 1
    told += [stack.rate, stack.limit, told_by(stack.push, x), told_by(Stack, "a"), told_by(Stack)]
    other = Stack.empty(5)
    told += [other.limit, other.size(), stack.clone().size()]
    total = torch.ops.ext_registration.total
    told += [total(stack), total(stack, stack.clone()), told_by(total, 3)]
    again = pickle.loads(pickle.dumps(stack))
    told += [again.limit, numbers(again.state()), copy.deepcopy(stack).size()]
    return told
