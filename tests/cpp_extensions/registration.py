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


def through_pybind(m):
    return [
        m.dtype_through(torch.float16) == torch.float16,
        m.dtype_through(torch.bfloat16) == torch.bfloat16,
        [m.is_half(torch.half), m.is_half(torch.int64)],
        told_by(m.is_half, "float16"),
        m.answers("torch.distributed", "get_world_size"),
        m.answers("torch.distributed", "no_such_name"),
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
        told_by(ops.viewed, "a"),
        told_by(ops.viewed, "a", b="c"),
        told_by(ops.viewed, "a", None),
        told_by(ops.length, "abc"),
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


def from_python(m):
    """What torch.library does to operators of C++, and to the namespace that they are in."""
    import torch.library

    ops, x = torch.ops.ext_registration, tensor(1.0, 2.0)
    g = tensor(1.0, 2.0, requires_grad=True)
    held, held_default = ops.tagged, ops.tagged.default
    library = torch.library.Library("ext_registration", "FRAGMENT")

    def gradient(op):
        return torch.autograd.grad(op(g).sum(), g)[0]

    steps = [
        lambda: ops.nowhere(x),
        lambda: library.impl("nowhere", lambda x: x * 5, "CPU"),
        lambda: ops.nowhere(x),
        lambda: library.impl("nowhere", lambda x: x * 6, "CompositeExplicitAutograd"),
        lambda: ops.nowhere(x),
        lambda: torch.library.register_autograd(
            "ext_registration::tagged", lambda ctx, gradient: gradient * 30
        ),
        lambda: ops.tagged(g).requires_grad,
        lambda: gradient(ops.tagged),
        lambda: gradient(held),
        lambda: gradient(held_default),
        lambda: ops.tagged(x=x),
        lambda: ops.tagged(x, 1),
        lambda: ops.differentiable(g).requires_grad,
        lambda: ops.absent,
        lambda: [hasattr(ops, "absent"), hasattr(ops, "over")],
        lambda: library.define("tagged(Tensor x) -> Tensor"),
        lambda: library.define("fresh(Tensor x, *, int by=8) -> Tensor"),
        lambda: torch.library.impl("ext_registration::fresh", "cpu", lambda x, by=8: x * by),
        lambda: [ops.fresh(x), ops.fresh(by=3, x=x)],
        lambda: torch.library.register_fake("ext_registration::nowhere")(lambda x: x) is None,
        lambda: torch.library.register_fake("ext_registration::absent", lambda x: x),
        lambda: torch.library.register_kernel("ext_registration::over", "cuda", lambda x: "cuda"),
        lambda: [ops.over(x), ops.over(3), ops.over("a"), ops.over.int(3), ops.over.overloads()],
        lambda: ops.over(1.5),
        lambda: torch.library.opcheck(ops.tagged, (x,), test_utils="test_schema"),
        lambda: ops.later(by=2.0, x=x),
        lambda: library.impl("tagged", lambda x: x * 70, "CompositeExplicitAutograd"),
        lambda: ops.tagged(x),
    ]
    return [told_by(step) for step in steps]
