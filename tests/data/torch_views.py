"""Views: what is written to them or to what they are of, and its gradients; one line for each.

Run by tests/test_unit_pieces.py: `python torch_views.py`, or with the path of a unit to run under
Paddle's proxy. Of an exception the type is printed, not its words.
"""

import copy
import pickle
import sys
import warnings

if len(sys.argv) > 1:
    import runpy

    import paddle

    paddle.enable_compat()
    runpy.run_path(sys.argv[1])

import numpy
import torch
from torch.nn import functional as F

warnings.simplefilter("ignore")


def plain(value):
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    if isinstance(value, torch.Tensor):
        return plain(value.tolist())
    return round(value, 3) + 0.0 if isinstance(value, float) else value


def show(name, make):
    try:
        print(name, plain(make()))
    except Exception as error:
        print(name, "raises", type(error).__name__)


def ones(*shape):
    return torch.ones(*shape, requires_grad=True)


def weighted(y, *leaves):
    """Some values, and the gradients of their weighted sum."""
    weights = torch.arange(1.0, y.numel() + 1).reshape(y.shape)
    return y, torch.autograd.grad((y * weights).sum(), leaves, retain_graph=True)


# What shares memory: a view is multiplied, then what it is of.
VIEWS = {
    "getitem": lambda y: y[1],
    "slice": lambda y: y[:, 1:3],
    "ell": lambda y: y[..., 0],
    "none": lambda y: y[None, 1],
    "step": lambda y: y[::2],
    "view": lambda y: y.view(-1),
    "view_as": lambda y: y.view_as(torch.ones(4, 3)),
    "reshape": lambda y: y.reshape(2, 6),
    "reshape_as": lambda y: y.reshape_as(torch.ones(2, 6)),
    "flatten": lambda y: y.flatten(),
    "unflatten": lambda y: y.unflatten(1, (2, 2)),
    "ravel": lambda y: y.ravel(),
    "tflatten": lambda y: torch.flatten(y),
    "treshape": lambda y: torch.reshape(y, (-1,)),
    "tunflatten": lambda y: torch.unflatten(y, 1, (2, 2)),
    "squeeze": lambda y: y[:1].squeeze(0),
    "unsqueeze": lambda y: y.unsqueeze(0),
    "tsq": lambda y: torch.squeeze(y[:1]),
    "tun": lambda y: torch.unsqueeze(y, 1),
    "t": lambda y: y.t(),
    "tr": lambda y: y.transpose(0, 1),
    "ttr": lambda y: torch.transpose(y, 0, 1),
    "tt": lambda y: torch.t(y),
    "perm": lambda y: y.permute(1, 0),
    "tperm": lambda y: torch.permute(y, (1, 0)),
    "swap": lambda y: y.swapaxes(0, 1),
    "movedim": lambda y: y.movedim(0, 1),
    "tmove": lambda y: torch.movedim(y, 0, 1),
    "T_": lambda y: y.T,
    "mT": lambda y: y.mT,
    "H": lambda y: y.H,
    "adj": lambda y: y.adjoint(),
    "select": lambda y: y.select(0, 1),
    "tsel": lambda y: torch.select(y, 0, 1),
    "narrow": lambda y: y.narrow(1, 1, 2),
    "tnar": lambda y: torch.narrow(y, 1, 1, 2),
    "diag": lambda y: y.diagonal(),
    "tdiag": lambda y: torch.diagonal(y),
    "as_strided": lambda y: y.as_strided((2, 2), (4, 1)),
    "unfold": lambda y: y.unfold(1, 2, 2),
    "split": lambda y: y.split(2)[0],
    "tsplit": lambda y: torch.split(y, 2)[0],
    "splits": lambda y: y.split([1, 2], 0)[1],
    "sws": lambda y: torch.split_with_sizes(y, [1, 2])[1],
    "chunk": lambda y: y.chunk(2)[1],
    "tchunk": lambda y: torch.chunk(y, 2, 1)[1],
    "unbind": lambda y: y.unbind()[1],
    "tunbind": lambda y: torch.unbind(y, 1)[1],
    "tensor_split": lambda y: torch.tensor_split(y, 2)[1],
    "hsplit": lambda y: torch.hsplit(y, 2)[1],
    "vsplit": lambda y: torch.vsplit(y, [1])[1],
    "it": lambda y: list(y)[1],
    "detach": lambda y: y.detach(),
    "tdetach": lambda y: torch.detach(y),
    "data": lambda y: y.data,
    "contiguous": lambda y: y.contiguous(),
    "to": lambda y: y.to(torch.float32),
    "to_cpu": lambda y: y.to("cpu"),
    "cpu": lambda y: y.cpu(),
    "float": lambda y: y.float(),
    "type": lambda y: y.type(torch.float32),
    "type_as": lambda y: y.type_as(y),
    "real": lambda y: y.real,
    "treal": lambda y: torch.real(y),
    "atl": lambda y: torch.atleast_2d(y[0]),
    "atl3": lambda y: torch.atleast_3d(y),
    "asT": lambda y: torch.as_tensor(y),
    "positive": lambda y: y.positive(),
    "requires": lambda y: y.requires_grad_(False),
    "vdtype": lambda y: y.view(torch.float32),
    "conj": lambda y: y.conj(),
    "resolve": lambda y: y.resolve_conj(),
    "nested": lambda y: y.view(2, 6)[1].view(3, 2)[:, 1],
    "dl": lambda y: torch.from_dlpack(y),
    "sum_to": lambda y: y.sum_to_size(3, 4),
    "flip": lambda y: y.flip(0),
    "roll": lambda y: y.roll(1),
    "tile": lambda y: y.tile(1),
    "repeat": lambda y: y.repeat(1, 1),
    "idx": lambda y: y[[0, 1]],
    "mask": lambda y: y[y > 3],
    "clone": lambda y: y.clone(),
    "mf": lambda y: y.contiguous(memory_format=torch.contiguous_format),
    "rot": lambda y: torch.rot90(y),
    "ds": lambda y: torch.dsplit(y.view(1, 3, 4), 2)[0],
    "col": lambda y: torch.column_stack([y]),
    "bool_": lambda y: y.masked_fill(y > 3, 0),
    "identity": lambda y: torch.nn.Identity()(y),
    "lin": lambda y: torch.nn.Flatten()(y),
    "unfl": lambda y: torch.nn.Unflatten(1, (2, 2))(y),
    "hs": lambda y: y.hsplit(2)[0],
    "unsafe": lambda y: torch.unsafe_chunk(y, 3)[1],
    "c_real": lambda y: torch.view_as_complex(y.view(3, 2, 2)).real,
    "c_imag": lambda y: torch.view_as_complex(y.view(3, 2, 2)).imag,
}
for name, view in VIEWS.items():
    whole = torch.arange(12.0).reshape(3, 4)
    made = view(whole)
    made.mul_(100)
    show(name, lambda whole=whole, made=made: (whole, whole.mul_(3) is whole, made))


def written(write, *shape):
    """The values and the gradient of what was written to."""

    def run():
        leaf = ones(12)
        whole = (leaf * -2).view(*shape)
        write(whole, leaf)
        return weighted(whole, leaf)

    return run


def written_to_zeros(write, *shape):
    def run():
        leaf, whole = ones(12), torch.zeros(*shape)
        write(whole, leaf)
        return weighted(whole, leaf)

    return run


def add_rows(whole, leaf):
    for at in range(len(whole)):
        whole[at].add_(leaf[:4] * at)


def add_to_itself(whole, leaf):
    view = whole[0]
    view += leaf[:4]
    view *= leaf[4:8] * 2


def add_to_parts(whole, leaf):
    whole[0] += leaf[:4]
    whole[:, 1:] *= leaf[:3] * 2
    whole[1] = whole[0]


def write_thrice(whole, leaf):
    whole.view(-1)[:6].mul_(2)
    whole.t()[1].mul_(3)
    whole[1:].add_(leaf[:4])


WRITES = {
    "add_": lambda y, x: y[0].add_(x[:4] * 5),
    "copy_": lambda y, x: y[0].copy_(x[:4] * 5),
    "a slice": lambda y, x: y[0].__setitem__(slice(1, 3), x[:2] * 7),
    "a number": lambda y, x: y[1].__setitem__(2, 7.0),
    "a mask": lambda y, x: y[1].__setitem__(torch.tensor([True, False, True, False]), x[:2] * 9),
    "a view of a view": lambda y, x: y.view(-1)[2:8].view(2, 3).t()[1].mul_(x[0] * 3),
    "exp_": lambda y, x: y[:, 1].exp_(),
    "fill_": lambda y, x: y[:2].fill_(3),
    "zero_": lambda y, x: y.select(1, 2).zero_(),
    "masked_fill_": lambda y, x: y[1:].masked_fill_(torch.tensor([True, False, True, True]), 9),
    "clamp_": lambda y, x: y[0].clamp_(min=-1),
    "torch.clamp_": lambda y, x: torch.clamp_(y[0], min=-1),
    "scatter_": lambda y, x: y[0].scatter_(0, torch.tensor([2, 0]), x[:2] * 8),
    "index_add_": lambda y, x: y[0].index_add_(0, torch.tensor([2, 2]), x[:2] * 8),
    "narrow": lambda y, x: y.narrow(1, 1, 2).mul_(4),
    "diagonal": lambda y, x: y.diagonal().mul_(4),
    "T": lambda y, x: y.T[0].mul_(4),
    "mT": lambda y, x: y.mT[0].mul_(4),
    "flatten": lambda y, x: y.flatten().add_(x),
    "a copy": lambda y, x: y.t().reshape(-1).mul_(4),
    "detach": lambda y, x: y.detach()[0].mul_(4),
    "relu": lambda y, x: F.relu(y[0], inplace=True),
    "a layer": lambda y, x: torch.nn.ReLU(inplace=True)(y[0]),
    "dropout": lambda y, x: F.dropout(y[0], 1.0, inplace=True),
    "rows": add_rows,
    "+=": add_to_itself,
    "parts +=": add_to_parts,
    "three times": write_thrice,
}
for name, write in WRITES.items():
    show(f"written {name}", written(write, 3, 4))
    show(f"written to zeros {name}", written_to_zeros(write, 3, 4))


def other_view():
    leaf = ones(6)
    whole = leaf * 2
    other = whole[2:]
    whole.view(2, 3)[1].mul_(leaf[:3] * 4)
    return weighted(other, leaf)


def whole_written(write):
    leaf = ones(6)
    whole = leaf * 2
    views = whole[2:], whole.view(2, 3)[1]
    whole = write(whole, leaf)
    return [weighted(view, leaf) for view in views]


def both_used():
    leaf = ones(4)
    whole = leaf * 2
    view = whole[:2]
    view.mul_(3)
    return weighted(torch.cat([view, whole]), leaf)


def old_values_needed():
    leaf = ones(4)
    whole = leaf * 2
    square = whole * whole
    whole[0].mul_(2)
    return weighted(square, leaf)


def steps():
    inputs, outputs, state = ones(3, 4), torch.empty(3, 4), torch.zeros(4)
    for at in range(3):
        state = torch.tanh(state + inputs[at])
        outputs[at].copy_(state)
    return [round(each, 2) for each in weighted(outputs, inputs)[1][0].flatten().tolist()]


def complex_parts():
    leaf, whole = ones(3), torch.zeros(3, dtype=torch.complex64)
    torch.view_as_real(whole)[:, 0].copy_(leaf * 2)
    whole.imag.add_(leaf * 3)
    return weighted(torch.view_as_real(whole * 1), leaf)


def set_parts():
    whole = torch.zeros(3, dtype=torch.complex64)
    whole.real = torch.ones(3)
    whole.imag = 2 * torch.ones(3)
    return torch.view_as_real(whole), whole.real.is_contiguous()


def second_gradient():
    leaf, whole = ones(3), torch.zeros(2, 3)
    whole[1].add_(leaf**3)
    (first,) = torch.autograd.grad((whole**2).sum(), leaf, create_graph=True)
    return torch.autograd.grad(first.sum(), leaf)


def a_leaf():
    return ones(4)[0].mul_(2)


def without_gradients():
    leaf = ones(4)
    with torch.no_grad():
        leaf[0].mul_(2)
        leaf.view(2, 2)[1] = 7
    return leaf


def gates():
    layer = torch.nn.LSTMCell(2, 3)
    for at, weight in enumerate(layer.weight_hh.chunk(4)):
        torch.nn.init.constant_(weight, at)
    return layer.weight_hh


def one_of_several():
    leaf = ones(6)
    first, _ = (leaf * 2).split(3)
    return first.mul_(2)


def gradient_of_parts():
    leaf = ones(6)
    first, second = (leaf * 2).chunk(2)
    return weighted(first * second, leaf)


def hooks():
    leaf, seen = ones(3), []
    whole = leaf * 2
    whole[0].mul_(3)
    whole.register_hook(lambda gradient: seen.append(gradient.tolist()))
    whole.retain_grad()
    whole.sum().backward()
    return seen, whole.grad, leaf.grad


def copies():
    layer = torch.nn.Linear(2, 2)
    layer.weight.view(-1), layer.weight.t()
    view = torch.ones(3)[1:]
    return copy.deepcopy(layer).weight.shape, pickle.loads(pickle.dumps(view)), copy.copy(view)


def transposed_in_place():
    leaf = ones(6)
    view = (leaf * 2).view(2, 3)[:, :2]
    view.t_()
    view.mul_(leaf[:2])
    return weighted(view, leaf)


# Arrays and tensors in one memory.
def of_array(make=torch.from_numpy):
    array = numpy.zeros(3)
    tensor = make(array)
    array[0], tensor[1] = 1, 2
    return array.tolist(), tensor, str(tensor.dtype)


def array_of(tensor):
    array = tensor.numpy()
    array[..., 0] = 5
    tensor += 1
    return array.tolist(), array.strides, tensor


for function in (
    other_view, both_used, old_values_needed, steps, complex_parts, set_parts, second_gradient, a_leaf,
    without_gradients, gates, one_of_several, gradient_of_parts, hooks, copies, transposed_in_place, of_array,
):  # fmt: skip
    show(function.__name__, function)
show("whole mul_", lambda: whole_written(lambda y, x: y.mul_(x * 4)))
show("whole *=", lambda: whole_written(lambda y, x: y.__imul__(x * 4)))
show("whole []", lambda: whole_written(lambda y, x: y.__setitem__(3, x[0] * 4)))
show("as_tensor", lambda: of_array(torch.as_tensor))
show("asarray", lambda: of_array(torch.asarray))
show("another dtype", lambda: torch.as_tensor(numpy.ones(2), dtype=torch.float32))
show("array of one that is transposed", lambda: array_of(torch.zeros(2, 3).t()))
show("array of a part", lambda: array_of(torch.zeros(6)[::2]))
show("array of a number", lambda: torch.tensor(3.0).numpy().shape)
show("array of nothing", lambda: torch.zeros(0, 2).numpy().shape)
show("reversed", lambda: torch.from_numpy(numpy.ones(3)[::-1]))
show("no array", lambda: torch.from_numpy([1]))
for dtype in "bool float16 int8 uint8 int16 int32 complex64 complex128".split():
    show(dtype, lambda dtype=dtype: str(torch.from_numpy(numpy.ones(2, dtype=dtype)).dtype))
    show(dtype, lambda dtype=dtype: str(torch.ones(2, dtype=getattr(torch, dtype)).numpy().dtype))

# narrow of what is a view itself
base = torch.arange(48.0).reshape(2, 4, 6)
once = base.narrow(1, 1, 2)
show("narrow", lambda: once.narrow(2, 2, 3).tolist())
show("narrow", lambda: torch.narrow(base[1:], 1, -2, 2).tolist())
show("narrow", lambda: base.transpose(0, 2)[1:].narrow(0, 1, 2).tolist())
show("narrow", lambda: torch.narrow(base[1], dim=0, start=torch.tensor(1), length=1).tolist())
once.narrow(2, 0, 1).zero_()
show("narrow", lambda: base.tolist())
recorded = torch.ones(3, 4, requires_grad=True)
(recorded * 2).narrow(0, 1, 2).narrow(1, 1, 2).sum().backward()
show("narrow", lambda: recorded.grad.tolist())
for asked in ((0, 1, 3), (2, 0, 1), (0, 4, 0), (0, 0, -1), (0, 3, 0)):
    show("narrow", lambda asked=asked: list(torch.ones(3, 4).narrow(*asked).shape))
show("narrow", lambda: torch.tensor(1.0).narrow(0, 0, 1))
