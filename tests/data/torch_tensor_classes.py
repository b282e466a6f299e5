"""Classes derived from torch.Tensor, and what is asked of them: one line of output for each call.

Run by tests/test_unit_pieces.py: `python torch_tensor_classes.py`, or with the path of a unit to run
under Paddle's proxy. Of an exception the type is printed, not its words.
"""

import copy
import io
import pickle
import sys
import warnings

if len(sys.argv) > 1:
    import runpy

    import paddle

    paddle.enable_compat()
    runpy.run_path(sys.argv[1])

import torch
import torch.nn.functional as F
import torch.overrides as overrides
from torch import cat, nn, stack
from torch.nn.functional import relu

warnings.simplefilter("ignore")


def told(value):
    """The classes of what is in it, and numbers."""
    if isinstance(value, torch.Tensor):
        name = type(value).__name__
        numbers = value.detach().tolist()
        return [name if name in KINDS else "Tensor", rounded(numbers)]
    if isinstance(value, (list, tuple)):
        return [told(each) for each in value]
    return round(value, 5) if isinstance(value, float) else value


def rounded(numbers):
    return [rounded(each) for each in numbers] if isinstance(numbers, list) else round(numbers, 5) if isinstance(numbers, float) else numbers


KINDS = set()


def show(label, f):
    try:
        print(label, told(f()))
    except Exception as error:
        print(label, "raises", next(k.__name__ for k in type(error).__mro__ if k.__module__ == "builtins"))


def kind(cls):
    KINDS.add(cls.__name__)
    return cls


# Classes that leave it to Tensor

@kind
class Plain(torch.Tensor):
    pass


@kind
class Derived(Plain):
    def doubled(self):
        return self * 2


@kind
class Other(torch.Tensor):
    pass


x = torch.arange(1.0, 5).view(2, 2).as_subclass(Plain)
y = torch.ones(2, 2)
for text in """x;x + y;y + x;x - 1;1 - x;x * y;2 * x;x / y;2 / x;x // 2;7 // x;x % 2;7 % x;x ** 2;2 ** x;x @ y;y @ x;-x;+x;abs(x)
x == y;y == x;x != 1;x < y;x <= 2;x > y;y > x;x >= 2;x[0];x[0, 1];x[:, 0];x[x > 1];y[x > 1];x[None];x[..., 0]
x.T;x.mT;x.H;x.data;x.real;x.grad;x.shape;x.ndim;x.requires_grad;x.is_leaf;x.is_cuda;x.is_sparse;x.itemsize;x.nbytes;x.grad_fn
x.sum();x.mean(0);x.max();x.max(0);x.min(dim=1);x.sort();x.topk(1);x.argmax();x.any();x.all();x.prod();x.std();x.norm();x.cumsum(0)
x.add(1);x.mul(y);y.mul(x);y.add(x, alpha=2);y.matmul(x);x.view(4);x.reshape(-1);x.flatten();x.permute(1, 0);x.transpose(0, 1)
x.t();x.unsqueeze(0);x.squeeze();x.expand(3, 2, 2);x.repeat(2, 1);x.unbind();x.split(1);x.chunk(2);x.clone();x.detach();x.cpu()
x.float();x.double();x.long();x.half();x.bool();x.to(torch.float64);x.to("cpu");x.type_as(y);y.type_as(x);x.contiguous()
x.new_zeros(2);x.new_ones(2);x.new_full((2,), 3.0);x.new_tensor([1.0]);torch.zeros_like(x);torch.ones_like(x);torch.full_like(x, 2.0)
x.tolist();x.numpy().tolist();x.sum().item();float(x.sum());int(x[0, 0]);bool(x[0, 0]);len(x);1.0 in x;x.dim();x.numel();x.size(0)
list(x);[each for each in x[0]];x.stride();x.is_contiguous();x.is_floating_point();torch.is_floating_point(x);torch.numel(x)
x.index_select(0, torch.tensor([0]));x.gather(0, torch.tensor([[0, 0]]));torch.gather(y, 0, x.long() - x.long());x.masked_fill(x > 2, 0)
x.where(x > 2, y);torch.where(x > 2, x, y);torch.where(y > 2, y, x);x.clamp(2, 3);torch.clamp(x, max=2);x.exp();torch.exp(x);torch.sin(x)
torch.cat([x, y]);torch.cat([y, x]);torch.cat((y, y));torch.stack([x, x]);torch.stack([y, x], dim=1);cat([x, x]);stack([y, y])
torch.add(x, y, alpha=2);torch.add(y, x);torch.sum(x, dim=0);torch.sum(input=x);torch.mul(y, other=x);torch.max(x, 0);torch.matmul(y, x)
torch.mm(x, y);torch.bmm(x[None], y[None]);torch.einsum("ij,jk->ik", x, y);torch.einsum("ij,jk->ik", [y, x]);torch.tensordot(x, y)
torch.broadcast_tensors(x, y[0]);torch.meshgrid(x[0], x[1], indexing="ij");torch.atleast_2d(x);torch.flip(x, [0]);torch.roll(x, 1)
torch.linalg.inv(x);torch.linalg.norm(x);torch.linalg.det(x);torch.linalg.solve(x, y);torch.fft.fft(x).real;torch.special.erf(x)
torch.allclose(x, y);torch.equal(x, x);x.equal(y);torch.isclose(x, y);torch.unique(x);x.unique();torch.norm(x);torch.var(x);torch.trace(x)
torch.diag(x);torch.tril(x);torch.split(x, 1);torch.chunk(x, 2);torch.unbind(x);torch.squeeze(x);torch.vstack([x, y]);torch.hstack([y, x])
F.relu(x);relu(x);F.softmax(x, dim=-1);F.linear(x, y);F.linear(y, x);F.mse_loss(x, y);F.mse_loss(y, x);F.layer_norm(x, (2,));F.pad(x, (1, 1))
F.normalize(x);F.one_hot(x.long());F.dropout(x, 0.0);F.cross_entropy(x, torch.tensor([0, 1]));F.interpolate(x[None, None], scale_factor=2)
F.conv2d(x[None, None], y[None, None]);F.max_pool2d(x[None], 2);F.embedding(x.long() - 1, torch.eye(4));F.gelu(x);F.cosine_similarity(x, y)
torch.tensor(x);torch.as_tensor(x);torch.is_tensor(x);torch.as_tensor(x) is x;torch.from_numpy(x.numpy());torch.rand_like(x).shape
isinstance(x, torch.Tensor);isinstance(x, Plain);isinstance(x, Derived);type(x) is Plain;hash(x) == id(x);x in [x];{x: 1}[x]
x.as_subclass(torch.Tensor);x.as_subclass(Derived);x.as_subclass(Derived).doubled();x.as_subclass(Derived) + x;x + x.as_subclass(Derived)
x.as_subclass(Other) + x;torch.cat([x, x.as_subclass(Derived)]);copy.copy(x);copy.deepcopy(x);pickle.loads(pickle.dumps(x))
y.as_subclass(int);nn.Linear(2, 2)(x).shape;type(nn.Linear(2, 2)(x)).__name__;nn.ReLU()(x);nn.Sequential(nn.ReLU(), nn.Flatten())(x)
nn.MSELoss()(x, y);nn.Sigmoid()(x);nn.Softmax(-1)(x);nn.LayerNorm(2)(x);nn.Identity()(x);nn.Dropout(0.0)(x);nn.CrossEntropyLoss()(x, x)
x.unknown;x.apply_(lambda v: v + 1);x.fill_(2) is x;torch.sum(x, dim=7);x.reshape(3);x + "a";x @ y[0];torch.nan_to_num(x);x.diff()
x.type();x.is_same_size(y);x.element_size();x.storage_offset();x.data_ptr() == x.detach().data_ptr();torch.numel(x)""".replace("\n", ";").split(";"):
    show(text, lambda: eval(compile(text, __file__, "eval")))


def in_place(text):
    def run():
        names = {"x": torch.arange(1.0, 5).view(2, 2).as_subclass(Plain), "y": torch.ones(2, 2), "torch": torch}
        kept = dict(names)
        exec(compile(text, __file__, "exec"), names)
        return names["x"], names["y"], [names[n] is kept[n] for n in "xy"]

    show(text, run)


for text in """x += 1;x -= y;x *= 2;x /= 2;x **= 2;x //= 2;x %= 2;y += x;y *= x;x[0] = 1;x[0] = x[1];y[0] = x[0];x[x > 2] = 0
x.add_(1);x.mul_(y);y.add_(x);y.copy_(x);x.copy_(y);x.zero_();x.fill_(3);x.clamp_(2, 3);x.t_();x.unsqueeze_(0);x.resize_(1, 4)
x.data = y;x.grad = y;x.requires_grad = True;x.requires_grad_();x[0].add_(1);x.view(4)[0] = 7;x.T.mul_(2);x.detach().add_(1)
x.data.add_(1);x.requires_grad_(False);x.masked_fill_(x > 2, 0);x.index_fill_(0, torch.tensor([0]), 5);x.foo = 1;x.set_(y);x.exp_()""".replace("\n", ";").split(";"):
    in_place(text)

# Gradients

leaf = torch.ones(2).as_subclass(Plain).requires_grad_()
((leaf * 2).sum() + (leaf[0] * 3).exp()).backward()
show("grad", lambda: (leaf.grad, leaf.is_leaf, (leaf * 2).requires_grad, type((leaf * 2).detach()) is Plain))
base = torch.ones(2, requires_grad=True)
seen = base.as_subclass(Plain)
show("of a leaf", lambda: (seen.is_leaf, seen.requires_grad, seen))
(seen * seen).sum().backward()
show("of a leaf", lambda: (base.grad, seen.grad))
show("autograd.grad", lambda: torch.autograd.grad((leaf * leaf).sum(), leaf))
show("autograd.grad", lambda: torch.autograd.grad((leaf * leaf).sum().as_subclass(torch.Tensor), leaf))


def second():
    first = torch.autograd.grad((leaf**3).sum(), leaf, create_graph=True)[0]
    return first, torch.autograd.grad(first.sum(), leaf)


show("second", second)


def of_written():
    w = torch.ones(2, requires_grad=True)
    z = (w * 1).as_subclass(Plain)
    z[0] = 5
    z.mul_(3)
    z[1].add_(w[0])
    z.sum().backward()
    return z, w.grad


show("written", of_written)


def of_views():
    w = torch.ones(2, 2, requires_grad=True)
    z = (w * 2).as_subclass(Plain)
    z.view(4)[1:3].mul_(w.sum())
    (z * z).sum().backward()
    return z, w.grad


show("views", of_views)


def of_hooks():
    called = []
    w = torch.ones(2, requires_grad=True)
    z = (w * 2).as_subclass(Plain)
    z.register_hook(lambda g: called.append(g.tolist()))
    z.retain_grad()
    (z * 3).sum().backward()
    return called, z.grad, w.grad


show("hooks", of_hooks)
with torch.no_grad():
    show("no_grad", lambda: (leaf * 2).requires_grad)


class Cubed(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a):
        ctx.save_for_backward(a)
        ctx.kind = type(a).__name__
        return a**3

    @staticmethod
    def backward(ctx, g):
        (a,) = ctx.saved_tensors
        return g * 3 * a**2


def of_function():
    w = torch.full((2,), 2.0).as_subclass(Plain).requires_grad_()
    found = Cubed.apply(w)
    found.sum().backward()
    return found, w.grad


show("Function", of_function)


# Attributes, and objects made by __new__ and __init__

@kind
class Named(torch.Tensor):
    @staticmethod
    def __new__(cls, data, name, *args, **kwargs):
        return super().__new__(cls, data, *args, **kwargs)

    def __init__(self, data, name):
        self.label = name

    def clone(self, *args, **kwargs):
        return Named(super().clone(*args, **kwargs), self.label)

    def to(self, *args, **kwargs):
        made = super().to(*args, **kwargs)
        made.label = "moved " + self.label
        return made


@kind
class Counted(torch.Tensor):
    def __init__(self, *args):
        super().__init__()
        self.counts = len(args)


@kind
class Made(torch.Tensor):
    def __new__(cls, data, requires_grad=False, mark=None):
        made = torch.Tensor._make_subclass(cls, torch.as_tensor(data), requires_grad)
        made.mark = mark
        return made

    @property
    def doubled(self):
        return self * 2

    def __repr__(self):
        return f"Made({self.tolist()}, {self.mark})"


named = Named([1.0, 2.0], "a")
show("new", lambda: (named, named.label, hasattr(named + 1, "label"), named.clone().label, named.clone(), named.to(torch.float64).label))
show("new of a tensor", lambda: (Named(torch.tensor([1, 2]), "b"), Named(torch.tensor([1, 2]), "b").dtype == torch.int64))
show("shared", lambda: (shared := torch.zeros(2), Named(shared, "c").add_(1), shared)[2])
show("no new", lambda: (Plain([1, 2]), Plain(2, 1).shape, Plain(torch.ones(2)), Plain().shape, Counted([1, 2.0]), Counted([1, 2.0]).counts))
made = Made([1.0, 2.0], True, mark="m")
show("made", lambda: (made, made.requires_grad, made.is_leaf, made.mark, made.doubled, repr(made), f"{made}", str(made)))
show("Tensor.__new__", lambda: torch.Tensor.__new__(Plain, [1.0, 3.0]))
for protocol in (2, 4):
    show(f"pickle {protocol}", lambda: [(again, again.mark, again.requires_grad) for again in [pickle.loads(pickle.dumps(made, protocol))]])


def saved(value):
    file = io.BytesIO()
    torch.save(value, file)
    file.seek(0)
    return torch.load(file, weights_only=False)


show("save", lambda: (saved(made), saved(made).mark, saved({"a": [x]})["a"], saved(named).label))
show("repr", lambda: repr(Plain([1.0])).startswith("Plain("))
show("copy", lambda: (copy.copy(made), copy.copy(made).mark))
show("deepcopy", lambda: copy.deepcopy(made))


@kind
class Copied(torch.Tensor):
    def new_empty(self, shape):
        return torch.empty(shape).as_subclass(type(self))


copied = torch.ones(2).as_subclass(Copied)
copied.tags = ["a"]
show("deepcopy", lambda: (copy.deepcopy(copied), copy.deepcopy(copied).tags, copy.deepcopy(copied).tags is copied.tags))
show("deepcopy in a list", lambda: (two := copy.deepcopy([copied, copied]), two[0] is two[1])[1])


# Classes that say what functions do

calls = []


@kind
class Logged(torch.Tensor):
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        calls.append(getattr(func, "__name__", "?"))
        return super().__torch_function__(func, types, args, kwargs)


def logged(text):
    z = torch.arange(1.0, 5).view(2, 2).as_subclass(Logged)
    names = {"z": z, "y": y, "torch": torch, "F": F, "nn": nn}
    calls.clear()
    found = eval(compile(text, __file__, "eval"), names)
    return [type(found).__name__ if type(found).__name__ in KINDS else "", *calls]


for text in """z + 1;1 + z;z - y;y - z;z * 2;z / 2;z // 2;z % 2;z ** 2;z @ y;-z;abs(z);z == 1;z != 1;z < 1;y > z;z[0];z.T;z.shape;z.grad;z.dtype
z.sum();z.mean(0);z.add(1);y.add(z);torch.add(y, z);torch.cat([y, z]);F.relu(z);F.softmax(z, -1);F.linear(y, z);torch.stack((z, z));z.view(4)
len(z);float(z[0, 0]);z.tolist();z.clone();z.detach();z.requires_grad_();torch.inverse(z);torch.exp(z);torch.where(y > 0, z, y);z.to("cpu")
nn.Linear(2, 2)(z);nn.ReLU()(z);torch.as_tensor(z);torch.tensor(z);torch.is_tensor(z);z.max(0);torch.sum(z, dim=0);z.requires_grad;z.foo
z.new_zeros(2);torch.zeros_like(z);z.register_hook;y.copy_(z);z.exp_();torch.equal(z, y);z.is_floating_point();repr(z)[:6];hash(z) and None""".replace("\n", ";").split(";"):
    show(f"logged {text}", lambda: logged(text))

HANDLED = {}


def implements(function):
    def decorate(f):
        HANDLED[function] = f
        return f

    return decorate


@implements(torch.mean)
def mean(input, *args):
    return "mean"


@implements(torch.Tensor.add)
def add(input, other):
    return "added"


@implements(torch.Tensor.clone)
@implements(torch.Tensor.detach)
def cloned(input):
    return "cloned"


@implements(torch.cat)
def joined(tensors, dim=0):
    return f"joined {len(tensors)}"


@implements(F.relu)
def of_relu(input, inplace=False):
    return "relu"


@kind
class Handling(torch.Tensor):
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        if func not in HANDLED or not all(issubclass(t, (torch.Tensor, Handling)) for t in types):
            return super().__torch_function__(func, types, args, kwargs)
        return HANDLED[func](*args, **kwargs)


h = torch.ones(2).as_subclass(Handling)
show("handled", lambda: (torch.mean(h), h + 1, h.add(1), h.clone(), h.detach(), torch.cat([h, h]), F.relu(h), h.mul(2), torch.clone(h)))
show("handled by name", lambda: (torch.Tensor.add(h, 1), torch.Tensor.mul(h, 3), torch.Tensor.sum(h), torch.Tensor.T.__get__(h)))


@kind
class Unwrapped(torch.Tensor):
    """As torchvision's: results are plain but of a few functions."""

    KEPT = {torch.Tensor.clone, torch.Tensor.to, torch.Tensor.detach, torch.Tensor.requires_grad_}

    @classmethod
    def wrap(cls, tensor, like):
        made = tensor.as_subclass(cls)
        made.size_of_image = like.size_of_image
        return made

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        if not all(issubclass(cls, t) for t in types):
            return NotImplemented
        with torch._C.DisableTorchFunctionSubclass():
            output = func(*args, **kwargs or {})
        if func in cls.KEPT and isinstance(args[0], cls):
            return cls.wrap(output, args[0])
        return output.as_subclass(torch.Tensor) if isinstance(output, cls) else output

    def __deepcopy__(self, memo):
        return self.wrap(self.detach().clone().requires_grad_(self.requires_grad), self)


box = torch.ones(2, 2).as_subclass(Unwrapped)
box.size_of_image = (4, 4)
show("unwrapped", lambda: (box + 1, box.clone(), box.clone().size_of_image, box.to(torch.float64), box.detach(), box[0], box.sum(), nn.Conv2d(1, 1, 1)(box[None]).shape))
show("unwrapped", lambda: (box.add_(1) is box, box.add_(1), copy.deepcopy(box), copy.deepcopy(box).size_of_image, torch.cat([box, box]), box.T, box + box))
show("both", lambda: box + x)
show("both", lambda: x + box)


@kind
class Meta(torch.Tensor):
    """As fastai's: attributes are kept by results."""

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        types = tuple(cls if issubclass(t, Meta) else t for t in types)
        found = super().__torch_function__(func, types, args, kwargs)
        source = next((each for each in args if isinstance(each, Meta)), None)
        if isinstance(found, Meta) and source is not None and found is not source:
            found.__dict__.update({k: v for k, v in source.__dict__.items() if not k.startswith("_")})
        return found


@kind
class Image(Meta):
    def shown(self):
        return f"{tuple(self.shape)} {self.tag}"


image = torch.ones(2, 3).as_subclass(Image)
image.tag = "i"
show("meta", lambda: ((image * 2).tag, (image + 1).shown(), image[0].shown(), image.mean().tag, type(image.as_subclass(Meta) + image).__name__, F.relu(image).tag))
show("meta", lambda: (image.T.shown(), image.clone().shown(), (1 - image).tag, image.float().tag, nn.Linear(3, 1)(image).tag))


@kind
class Old(torch.Tensor):
    def __torch_function__(self, func, types, args=(), kwargs=None):
        return ["old", getattr(func, "__name__", "?")]


show("old", lambda: (torch.ones(2).as_subclass(Old) + 1, torch.sum(torch.ones(2).as_subclass(Old))))


@kind
class Off(torch.Tensor):
    __torch_function__ = torch._C._disabled_torch_function_impl


off = torch.ones(2).as_subclass(Off)
show("off", lambda: (off + 1, off.sum(), off[0], off.T, off.detach(), torch.cat([off, off]), F.relu(off), off.add_(1), off + x[0], off.shape))
show("off", lambda: (copy.deepcopy(off),))
show("off", lambda: (pickle.loads(pickle.dumps(off)), list(off)))


@kind
class Refusing(torch.Tensor):
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        return NotImplemented


show("refusing", lambda: torch.ones(2).as_subclass(Refusing) + 1)
show("refusing", lambda: torch.sum(torch.ones(2).as_subclass(Refusing)))
show("refusing", lambda: torch.ones(2).as_subclass(Refusing).sum())
order = []


def ordered(name, *bases):
    def asked(cls, func, types, args=(), kwargs=None):
        order.append((name, [t.__name__ for t in types]))
        return NotImplemented

    return type(name, bases, {"__torch_function__": classmethod(asked)})


First = ordered("First", torch.Tensor)
Second = ordered("Second", torch.Tensor)
Below = ordered("Below", First)
a, b, c = (torch.ones(2).as_subclass(each) for each in (First, Second, Below))
for given in ((a, b), (b, a), (a, c), (c, a), (a, b, c), (b, a, c)):
    order.clear()
    show("order", lambda: torch.stack(list(given)))
    print(order)


class Duck:
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        return "duck", [t.__name__ for t in types]


show("duck", lambda: (torch.add(torch.ones(2), Duck()), torch.cat([Duck()]), torch.ones(2).add(Duck()), x + Duck()))

# Without it

with torch._C.DisableTorchFunctionSubclass():
    show("disabled", lambda: (x + 1, torch.cat([x, x]), x.T, x[0], F.relu(x), x.sum(), overrides.has_torch_function((x,)), x.add_(0) is x, list(x)))
with torch._C.DisableTorchFunction():
    show("disabled", lambda: (x + 1, torch.cat([x, x]), h + 1, torch._C._is_torch_function_enabled()))
show("enabled", lambda: (x + 1, torch._C._is_torch_function_enabled()))


# A group of rotations, as pypose has them

@kind
class Lie(torch.Tensor):
    HANDLED = ["__getitem__", "__setitem__", "cpu", "double", "float", "half", "to", "detach", "view", "view_as", "squeeze", "unsqueeze", "cat", "stack", "split", "clone", "expand", "repeat", "select", "index_select"]

    def __new__(cls, *data, ltype):
        tensor = data[0] if isinstance(data[0], torch.Tensor) else torch.Tensor(*data)
        return torch.Tensor.as_subclass(tensor, Lie)

    def __init__(self, *data, ltype):
        self.ltype = ltype

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        ltypes = [each.ltype for each in args if isinstance(each, Lie) and hasattr(each, "ltype")]
        data = super().__torch_function__(func, types, args, kwargs or {})
        if data is not None and func.__name__ in cls.HANDLED:
            if isinstance(data, Lie):
                data.ltype = ltypes[0] if ltypes else None
            return data
        return data.as_subclass(torch.Tensor) if isinstance(data, Lie) and ltypes else data

    def Exp(self):
        return Lie(torch.exp(self), ltype="group")

    def tensor(self):
        return self.as_subclass(torch.Tensor)

    def __mul__(self, other):
        return Lie(self.tensor() * (other.tensor() if isinstance(other, Lie) else other), ltype=self.ltype)


@kind
class LieParameter(Lie, nn.Parameter):
    def __new__(cls, data, requires_grad=True):
        return torch.Tensor._make_subclass(cls, data, requires_grad)

    def __init__(self, data, requires_grad=True):
        self.ltype = data.ltype

    def __deepcopy__(self, memo):
        made = type(self)(Lie(self.tensor().detach().clone(), ltype=self.ltype), self.requires_grad)
        memo[id(self)] = made
        return made


lie = Lie([1.0, 2.0], ltype="algebra")
show("lie", lambda: (lie, lie.ltype, lie[0].ltype, lie + 1, lie * 2, (lie * 2).ltype, lie.Exp(), lie.Exp().ltype, torch.exp(lie), lie.view(1, 2).ltype, lie.tensor()))
show("lie", lambda: (torch.stack([lie, lie]), lie.clone().ltype, lie.detach().ltype, lie.double().ltype, lie.sum(), lie.shape, Lie([3.0], ltype="x").shape))
rotation = LieParameter(lie)
(rotation.Exp().tensor() ** 2).sum().backward()
show("lie parameter", lambda: (rotation, rotation.ltype, rotation.grad, rotation.is_leaf, isinstance(rotation, nn.Parameter), isinstance(rotation, Lie), rotation * 2, copy.deepcopy(rotation).ltype))


class Poses(nn.Module):
    def __init__(self):
        super().__init__()
        self.pose = LieParameter(Lie([0.5, 0.5], ltype="algebra"))
        self.other = nn.Parameter(torch.ones(2).as_subclass(Plain))
        self.register_buffer("kept", torch.zeros(2).as_subclass(Plain))

    def forward(self, z):
        return (self.pose.Exp() * self.other).tensor() + z


poses = Poses()
show("module", lambda: (sorted(dict(poses.named_parameters())), poses.pose, poses.other, poses.kept, poses(torch.ones(2)), sorted(poses.state_dict())))
optimizer = torch.optim.SGD(poses.parameters(), lr=0.1)
for _ in range(2):
    optimizer.zero_grad()
    poses(torch.zeros(2)).pow(2).sum().backward()
    optimizer.step()
show("trained", lambda: (poses.pose, poses.other, isinstance(poses.other, nn.Parameter), isinstance(poses.other, Plain), poses.other.requires_grad))
show("loaded", lambda: (poses.load_state_dict({k: torch.zeros(2) for k in ("pose", "other", "kept")}) and None, poses.pose, poses.other, poses.kept))

# Parameters

parameter = nn.Parameter(torch.ones(2).as_subclass(Plain))
show("parameter", lambda: (parameter, isinstance(parameter, nn.Parameter), isinstance(parameter, Plain), parameter.requires_grad, parameter + 1, isinstance(parameter + 1, nn.Parameter)))
show("parameter", lambda: (isinstance(parameter.data, nn.Parameter), parameter.data, parameter.detach(), nn.Parameter(made).requires_grad, nn.Parameter(x, requires_grad=False).requires_grad))
show("parameter", lambda: (nn.Parameter(off), nn.Parameter(torch.ones(1)) + 1, nn.Parameter(box), nn.Parameter(h)))


@kind
class Special(nn.Parameter):
    def __new__(cls, data=None, requires_grad=True, *, tag="t"):
        made = super().__new__(cls, data, requires_grad)
        made.tag = tag
        return made

    def __init__(self, data=None, requires_grad=True, *, tag="t"):
        pass


@kind
class Simple(nn.Parameter):
    pass


show("special", lambda: (Simple(torch.ones(2)), Simple(torch.ones(2)) + 1, Simple(torch.ones(2)).requires_grad, copy.deepcopy(Simple(torch.ones(2))), Simple(torch.ones(2), False).requires_grad))
show("special", lambda: (Special(torch.ones(2), tag="s"), Special(torch.ones(2), tag="s").tag, Special(torch.ones(2)) * 2))

# torch.overrides

show("queries", lambda: (overrides.has_torch_function((x,)), overrides.has_torch_function((y, 1)), overrides.has_torch_function_unary(x), overrides.has_torch_function_variadic(y, x)))
show("queries", lambda: (overrides.is_tensor_like(x), overrides.is_tensor_like(Duck()), overrides.is_tensor_like(1), overrides.has_torch_function((parameter,)), overrides.has_torch_function((nn.Parameter(y),)), overrides.has_torch_function((off,))))
show("names", lambda: [overrides.resolve_name(f) for f in (torch.cat, torch.Tensor.add, F.relu, torch.Tensor.shape.__get__, torch.linalg.inv, torch.exp, print, torch.Tensor.add_)])
show("kinds", lambda: [overrides.is_tensor_method_or_property(f) for f in (torch.Tensor.add, torch.Tensor.shape.__get__, torch.cat)])
show("nowrap", lambda: (torch.Tensor.grad.__get__ in overrides.get_default_nowrap_functions(), torch.Tensor.add in overrides.get_default_nowrap_functions()))
show("lists", lambda: (torch.is_tensor in overrides.get_ignored_functions(), torch.add in overrides.get_ignored_functions(), torch.add in overrides.get_testing_overrides(), torch.cat in overrides.get_overridable_functions()[torch]))


def own(a, b=1):
    if overrides.has_torch_function((a, b)):
        return overrides.handle_torch_function(own, (a, b), a, b=b)
    return "plain"


show("own", lambda: (own(y), own(x), own(Duck()), own(a)))


@overrides.wrap_torch_function(lambda a: (a,))
def wrapped(a):
    return "wrapped"


show("own", lambda: (wrapped(y), wrapped(Duck()), wrapped.__name__))


class Counting(overrides.TorchFunctionMode):
    def __init__(self):
        super().__init__()
        self.names = []

    def __torch_function__(self, func, types, args=(), kwargs=None):
        self.names.append(func.__name__)
        return func(*args, **(kwargs or {}))


with Counting() as counting:
    torch.add(y, 1)
    y.mul(2)
    F.relu(y)
    torch.cat([x, y])
    x.sum()
show("mode", lambda: counting.names)
torch.add(y, 1)
show("mode", lambda: len(counting.names))
with Counting() as counting:
    torch.zeros(2), torch.tensor([1]), torch.arange(3), torch.rand(2, dtype=torch.float64), torch.full((2,), 1.0)
    torch.eye(2), torch.randint(0, 2, (2,)), torch.linspace(0, 1, 3), torch.as_tensor(1)
show("mode", lambda: counting.names)


class Doubling(overrides.TorchFunctionMode):
    def __torch_function__(self, func, types, args=(), kwargs=None):
        found = func(*args, **(kwargs or {}))
        return found * 2 if isinstance(found, torch.Tensor) else found


with Doubling():
    doubled = torch.add(y, 1)
    with Doubling():
        twice = torch.add(y, 1)
show("mode", lambda: (doubled, twice, torch.add(y, 1)))
with Doubling():
    ones = torch.ones(2)
show("mode", lambda: (ones, torch.ones(2)))

# Without memory

@kind
class Wrapper(torch.Tensor):
    @staticmethod
    def __new__(cls, inner):
        made = torch.Tensor._make_wrapper_subclass(cls, inner.shape, dtype=inner.dtype)
        made.inner = inner
        return made

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        if getattr(func, "__name__", "") in ("__get__", "dim", "size"):
            return super().__torch_function__(func, types, args, kwargs)
        opened = [each.inner if isinstance(each, Wrapper) else each for each in args]
        found = func(*opened, **(kwargs or {}))
        return Wrapper(found) if isinstance(found, torch.Tensor) else found

    @classmethod
    def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
        raise NotImplementedError(func)


show("wrapper", lambda: torch.Tensor._make_wrapper_subclass(Plain, (2,)))
wrapper = Wrapper(torch.arange(4.0).view(2, 2))
show("wrapper", lambda: (list(wrapper.shape), (wrapper + 1).inner, torch.exp(wrapper).inner, wrapper.dtype == torch.float32, list(wrapper.sum(0).shape), type(wrapper * 2).__name__))


def kinds_within(function):
    """The classes that a function is called with, in what derives it."""
    kinds = []

    def called(*args):
        kinds.extend(type(each).__name__ for each in args)
        return function(*args)

    return called, kinds


def derived_by(transform):
    called, kinds = kinds_within(lambda x: torch.Tensor.as_subclass(x * x, torch.Tensor))
    found = transform(called, torch.arange(3.0).as_subclass(Plain))
    return kinds, found.shape


show("jacobian", lambda: derived_by(torch.autograd.functional.jacobian))


def variables_of_frames(function):
    """The names of the outermost variables, where each frame of an error shows its own."""
    try:
        function()
    except Exception as error:
        trace, shown = error.__traceback__, 0
        while trace is not None:
            shown += len(list(trace.tb_frame.f_locals.values())) >= 0
            trace = trace.tb_next
        return shown > 1


show("frames", lambda: variables_of_frames(lambda: torch.ones(2, 3).as_subclass(Plain) @ torch.ones(5, 7)))
show("frames", lambda: variables_of_frames(lambda: torch.cat([torch.ones(2, 3), torch.ones(5, 7)])))
show("frames", lambda: variables_of_frames(lambda: torch.nn.functional.conv2d(torch.ones(1), torch.ones(2, 3))))
