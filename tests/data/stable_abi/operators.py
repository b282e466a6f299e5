"""Calls of the operators in operators.cpp, one line of output for each.

Run by tests/test_stable_abi.py: `python operators.py LIBRARY`; with the folder of porter_compat,
under Paddle. Of most exceptions the type is printed, not its words.
"""

import sys
import threading

if len(sys.argv) > 2:
    sys.path.insert(0, sys.argv[2])
    import porter_compat

import torch
import torch.library

load = torch.ops.load_library


def plain(value):
    if isinstance(value, torch.Tensor):
        return f"{str(value.dtype).rpartition('.')[2]}{list(value.shape)}{value.tolist()}"
    if isinstance(value, (list, tuple)):
        return type(value)(map(plain, value))
    return value


def show(label, f, /, *args, **kwargs):
    try:
        print(label, plain(f(*args, **kwargs)))
    except Exception as error:
        said = str(error) if isinstance(error, (IndexError, ValueError)) else ""
        print(label, "raises", type(error).__name__, said.partition("\n")[0])


try:
    load("/nowhere/libnone.so")
except OSError as error:
    print("nothing to load:", str(error).partition(":")[0])

load(sys.argv[1])
ops = torch.ops.stable_test
x = torch.arange(6, dtype=torch.float32).reshape(2, 3)

show("scaled", ops.scaled, x)
show("scaled", ops.scaled, x, 3)
show("scaled", ops.scaled, x, times=2)
show("scaled", ops.scaled.default, x, factor=0.5, times=None)
show("scaled", ops.scaled, x.t())
show("scaled", ops.scaled, x[:, 1:])
show("scaled", ops.scaled, x[1])
show("scaled of a scalar", ops.scaled, torch.tensor(4.0))
show("scaled of nothing", ops.scaled, torch.empty(0, 2))
show("scaled", ops.scaled)
show("scaled", ops.scaled, "x")
show("scaled", ops.scaled, x, "2")
show("scaled", ops.scaled, x, 2.0, 2.5)
show("scaled", ops.scaled, x, unknown=1)
show("scaled", ops.scaled, x, 1.0, 1, 1)
y = torch.zeros(3)
print("the same object", ops.add_one_(y) is y, y.tolist())
first, second = ops.halves(x)
first[0, 0] = 50.0
print("views", x.tolist(), plain(first), plain(second))
show("halves", ops.halves, x, -1)
show("total", ops.total, [x, x, x])
show("total", ops.total, (x, x))
show("total", ops.total, [])
show("total", ops.total, [x, None])
show("total", ops.total, x)
show("described", ops.described, [1, 2])
show("described", ops.described, 7)
show("described", ops.described, (3,), word="a", flag=True, dtype=torch.int64)
show("described", ops.described, [], device="cpu", maybe=x)
show("described", ops.described, [], device="cuda:3")
show("described", ops.described, [], device=torch.device("cpu"))
show("described", ops.described, [], dtype=torch.uint8, maybe=None)
show("described", ops.described, [1, 2], "by place")
show("described", ops.described, [1.5])
show("described", ops.described, [], device="nowhere")
show("made_of_nothing", ops.made_of_nothing, [2, 2])
show("maybe", ops.maybe, x, True)
show("maybe", ops.maybe, x, False)
show("nothing", ops.nothing, x)
show("index_error", ops.index_error, x)
show("value_error", ops.value_error, x)
show("runtime_error", ops.runtime_error, x)
show("by_dispatcher", ops.by_dispatcher, x)
show("missing", ops.missing, x)
show("sorted", ops.sorted.overloads)
show("absent", lambda: ops.absent)

library = torch.library.Library("stable_test_python", "DEF")
show("of_python", ops.of_python, x)
library.define("plus(Tensor x, int n) -> Tensor")
library.impl("plus", lambda x, n: x + n, "CompositeExplicitAutograd")
show("of_python", ops.of_python, x)
show("plus", torch.ops.stable_test_python.plus, x, 1)

more = torch.library.Library("stable_test", "IMPL")
more.impl("missing", lambda x: x * 100, "CPU")
show("implemented in Python", ops.missing, x)
torch.library.register_fake("stable_test::scaled", lambda x, factor=2.0, times=None: x)
show("after register_fake", ops.scaled, x, 3)
show("after register_fake", ops.scaled.default, x, times=3)

found = []
threads = [
    threading.Thread(target=lambda: found.extend(ops.scaled(x).sum().item() for _ in range(50)))
    for _ in range(4)
]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print("in threads", len(found), len({*found}))
