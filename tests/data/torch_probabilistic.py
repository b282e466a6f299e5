"""What libraries of distributions and of trained models ask of torch, one line each, as torch answers.

Run by tests/test_compat_package.py: `python torch_probabilistic.py`, or with the path of a unit to run
under Paddle's proxy.
"""

import sys

if len(sys.argv) > 1:
    import runpy

    import paddle

    paddle.enable_compat()
    runpy.run_path(sys.argv[1])

import os
import pickle
import tempfile
import warnings

import torch
import torch.distributions as D
from torch import nn
from torch.distributions import constraints


def show(make):
    try:
        found = make()
    except Exception as error:
        found = type(error).__name__
    print(sys._getframe(1).f_lineno, found)


# Writing nothing, from a part of a tensor.
def nothing_written(shape, at, value):
    whole = torch.ones(shape, dtype=value.dtype)
    whole[at] = value
    return whole.tolist()


part = torch.zeros(1, 3)[:, :0]
show(lambda: nothing_written((2, 2), (slice(None), slice(1, 1)), part))
show(lambda: nothing_written((2, 2), (slice(None), slice(0, 0)), part.long()))
show(lambda: nothing_written((2, 2), (slice(None), slice(2, None)), torch.zeros(2, 3, dtype=torch.long)[:, 3:]))
show(lambda: nothing_written((2, 2), slice(0, 0), torch.zeros(0, 2)))
show(lambda: (part.is_contiguous(), torch.ones(3, 4).T[:, 4:].is_contiguous(), torch.ones(3, 4).T.is_contiguous()))


# Tensors of several dtypes in one shape.
mixed = torch.ones(3, dtype=torch.float64), torch.ones(2, 1) > 0, torch.ones((), dtype=torch.int32)
show(lambda: [(each.dtype, tuple(each.shape)) for each in torch.broadcast_tensors(*mixed)])
show(lambda: torch.broadcast_tensors(torch.ones(3), torch.ones(2)))


# Second gradients of what is written.
def twice(change, dtype=torch.float32):
    def run():
        x = torch.tensor([[1.0, 2.0], [3.0, 4.0]], dtype=dtype, requires_grad=True)
        y = change(x)
        y = y if y.is_complex() else y**2
        first = torch.autograd.grad(y.abs().sum(), x, create_graph=True)[0]
        second = torch.autograd.grad((first**2).sum(), x)[0]
        return [round(float(v), 3) + 0.0 for v in (*first.flatten(), *second.flatten())]

    return run


def written(at, value):
    def change(x):
        y = x * x
        y[at(x)] = value
        return y

    return change


show(twice(written(lambda x: (..., 0), 1.0)))
show(twice(written(lambda x: (..., 0), torch.zeros(2))))
show(twice(written(lambda x: 0, torch.tensor(3))))
show(twice(written(lambda x: (None, 0), True)))
show(twice(written(lambda x: x > 3, 0)))
show(twice(written(lambda x: x < 0, 0)))
show(twice(written(lambda x: slice(0, 0), 5.0)))
show(twice(written(lambda x: torch.tensor([True, False]), 3.0), torch.float64))


# Complex numbers times real tensors, where second gradients are asked for.
for dtype in (torch.float32, torch.float64):
    show(twice(lambda x: x * (x * 1j), dtype))
    show(twice(lambda x: x * (2 - 1j) * x, dtype))
    show(twice(lambda x: x / (1 + 1j), dtype))
    show(twice(lambda x: (1 + 1j) / x, dtype))
    show(twice(lambda x: torch.mul(x, 1 + 2j), dtype))
    show(twice(lambda x: x.div(1 + 2j), dtype))
    show(twice(lambda x: torch.add(x * x, 1j, alpha=2), dtype))
show(lambda: [torch.ones(1, dtype=t).mul(1j).dtype for t in (torch.bool, torch.int64, torch.float32, torch.float64)])
show(lambda: [torch.sub(torch.ones(1, dtype=t), 2j) for t in (torch.int32, torch.complex64, torch.complex128)])
show(lambda: torch.ones(1).mul_(1j))
show(lambda: torch.ones(1, dtype=torch.complex64).mul_(1j).ne(1j))


# Constraints in pickles.
kept = {
    "real": constraints.real,
    "positive": constraints.positive,
    "above": constraints.greater_than(1.0),
    "between": constraints.interval(0, 1),
    "simplex": constraints.simplex,
    "integers": constraints.integer_interval(0, 3),
    "matrix": constraints.lower_cholesky,
    "vector": constraints.independent(constraints.real, 1),
    "stack": constraints.stack([constraints.real]),
    "cat": constraints.cat([constraints.unit_interval]),
}
for name, each in kept.items():
    show(lambda: (name, type(pickle.loads(pickle.dumps(each))) is type(each)))
show(lambda: pickle.loads(pickle.dumps(kept["above"])).check(torch.tensor([1.0, 2.0])))
show(lambda: (type(kept["above"]).__name__, type(kept["simplex"]).__name__, kept["between"].upper_bound))


# Distributions derived from torch's, which expand what is their own.
class Cut(D.Categorical):
    arg_constraints = {}

    def __init__(self, cut, probs):
        self.cut = cut
        super().__init__(probs)

    def expand(self, batch_shape, _instance=None):
        new = self._get_checked_instance(Cut, _instance)
        new.cut = self.cut.expand((*batch_shape, 7))
        return super().expand(batch_shape, new)


class Doubled(D.Normal):
    arg_constraints = {"loc": constraints.real_vector}

    @D.utils.lazy_property
    def doubled(self):
        return self.loc * 2


class Unchecked(D.MultivariateNormal):
    arg_constraints = {}


def of_cuts():
    found = Cut(torch.ones(4, 7), torch.ones(4, 5)).expand((2, 4))
    return found.cut.shape, found.probs.shape, found.batch_shape, found.sample((3,)).shape


def of_doubled():
    first = Doubled(torch.zeros(3), torch.ones(3))
    first.note = torch.ones(7)
    kept = first.doubled.shape
    found = first.expand((2, 3))
    return kept, found.loc.shape, found.doubled.shape, found.scale.shape


def of_unchecked():
    found = Unchecked(torch.zeros(3), torch.eye(3)).expand((2,))
    return found.loc.shape, found.scale_tril.shape, found.log_prob(torch.zeros(3)).shape


show(of_cuts)
show(of_doubled)
show(of_unchecked)


# Containers add modules as their classes do.
def noting(kind):
    class Noting(kind):
        def add_module(self, name, module):
            print("add", name, type(module).__name__)
            super().add_module(name, module)

    return Noting


class Keyed(nn.ModuleDict):
    def __setitem__(self, key, module):
        print("set", key)
        super().__setitem__(key, module)


def registered():
    module = noting(nn.Module)()
    module.register_module("x", nn.ReLU())
    return len([*module.children()])


show(lambda: len(noting(nn.Sequential)(nn.ReLU(), nn.Tanh()).append(nn.ReLU())))
show(lambda: len(noting(nn.ModuleList)([nn.ReLU()]).append(nn.Tanh()).extend([nn.Tanh()])))
show(lambda: len(noting(nn.ModuleDict)({"a": nn.ReLU()})))
show(registered)
show(lambda: [*Keyed({"a": nn.ReLU(), "b": nn.Tanh()})])
show(lambda: [*Keyed([("a", nn.ReLU())])])
show(lambda: [*Keyed(nn.ModuleDict({"z": nn.ReLU()})).items()])
show(lambda: Keyed(3))
show(lambda: Keyed([3]))
show(lambda: Keyed([(1, 2, 3)]))


# The number of a tensor's object.
def numbers_of_objects():
    layer = nn.Linear(1, 1)
    weight, other = layer.weight, torch.ones(1)
    again = dict(layer.named_parameters())["weight"]
    return weight._cdata == again._cdata, weight._cdata == other._cdata, type(weight._cdata).__name__


show(numbers_of_objects)


# Parts of memory, of another dtype, and of files: what safetensors reads.
data = torch.arange(16, dtype=torch.uint8)
show(lambda: data[4:8].view(dtype=torch.int32).tolist())
show(lambda: data[8:].view(torch.int64).tolist())
show(lambda: data[4:12].view(dtype=torch.uint8).view(dtype=torch.float32).reshape(2, 1).view(torch.uint8).tolist())
storage = torch.ones(3).untyped_storage()
show(lambda: (storage[0], storage[-1], storage[2:4].tolist(), storage[4:100].nbytes(), len(storage[5:2])))
show(lambda: storage[::2])
show(lambda: storage[100])
show(lambda: torch.asarray(storage[0:4], dtype=torch.uint8).tolist())
show(lambda: torch.asarray(storage[4:], dtype=torch.float32).tolist())
show(lambda: torch.ones(2).storage()[0])
show(lambda: torch.ones(2).storage()[0:1])


def part_in_the_same_memory():
    whole = torch.ones(3)
    some = whole.untyped_storage()[4:8]
    torch.asarray(some, dtype=torch.uint8).fill_(0)
    return whole.tolist(), some.data_ptr() - whole.data_ptr(), some.nbytes()


def mapped():
    with tempfile.TemporaryDirectory() as folder:
        name = os.path.join(folder, "bytes")
        shared = torch.UntypedStorage.from_file(name, True, 8)
        torch.asarray(shared, dtype=torch.uint8).fill_(7)
        del shared
        own = torch.UntypedStorage.from_file(name, shared=False, nbytes=8)
        torch.asarray(own, dtype=torch.uint8)[0] = 1
        with open(name, "rb") as file:
            kept = file.read()
        some = torch.asarray(own[4:8], dtype=torch.uint8).view(dtype=torch.int32)
        return kept, own.tolist(), some, torch.UntypedStorage.from_file(name).nbytes(), own.nbytes()


show(part_in_the_same_memory)
show(mapped)
show(lambda: torch.UntypedStorage.from_file(os.path.join("of", "none"), nbytes=4))
show(lambda: torch.UntypedStorage.from_file(__file__, nbytes=10**9))
show(lambda: torch.TypedStorage.from_file(__file__, False, 1))


# What is said of sizes that differ.
def said(loss):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        loss(torch.ones(3, 1), torch.ones(3))
        loss(torch.ones(3), torch.ones(3))
    return [(each.category.__name__, str(each.message)) for each in caught]


for name in ("mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss"):
    show(lambda: said(getattr(nn.functional, name)))
for kind in (nn.MSELoss, nn.L1Loss, nn.SmoothL1Loss, nn.HuberLoss):
    show(lambda: len(said(kind())))
show(lambda: torch.sparse_coo_tensor(size=(1, 3)).to_dense().tolist())
show(lambda: torch.sparse_coo_tensor())


def of_no_dimension():
    x = torch.tensor(2.0, requires_grad=True)
    y = x * x
    y[...] = 3.0
    z = x.clone()
    z[...] = x**3
    first = torch.autograd.grad(z + y, x, create_graph=True)[0]
    return y.item(), first.item(), torch.autograd.grad(first, x)[0].item()


show(of_no_dimension)
