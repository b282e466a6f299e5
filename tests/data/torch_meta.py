"""Tensors on the meta device: what is known of them, what is made there, and what cannot be read; one line each.

Run by tests/test_compat_package.py: `python torch_meta.py`, or with the path of a unit to run under
Paddle's proxy.
"""

import sys

if len(sys.argv) > 1:
    import runpy

    import paddle

    paddle.enable_compat()
    runpy.run_path(sys.argv[1])

import copy
import io
import pickle
import warnings

import torch
import torch.nn as nn
import torch.nn.functional as F

n = 0


def show(f, text=True):
    global n
    n += 1
    try:
        print(n, f())
    except Exception as e:
        print(n, type(e).__name__, str(e).splitlines()[0] if text else "")


def facts(x):
    return str(x.device), tuple(x.shape), str(x.dtype).rpartition(".")[2], x.is_meta


def parts(layer):
    named = [*layer.named_parameters(), *layer.named_buffers()]
    return [
        (name, *facts(each), isinstance(each, nn.Parameter), each.requires_grad)
        for name, each in named
    ]


class Own(nn.Module):
    def __init__(self):
        super().__init__()
        self.own = nn.Parameter(torch.randn(3))
        self.register_buffer("kept", torch.arange(3))
        self.inner = nn.Linear(2, 2)
        nn.init.kaiming_uniform_(self.inner.weight)
        nn.init.trunc_normal_(self.inner.bias)
        self.inner.weight.data.normal_(0, 1)
        self.conv = nn.Conv1d(2, 2, 1)


def in_context(f):
    with torch.device("meta"):
        found = f()
    return found, torch.zeros(1).device


def loaded(assign):
    layer = nn.Linear(2, 3, device="meta")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        keys = layer.load_state_dict(nn.Linear(2, 3).state_dict(), assign=assign)
    return keys, parts(layer)


def gradients():
    layer = nn.Linear(2, 3, device="meta")
    made = layer(torch.empty(4, 2, device="meta")).sum()
    made.backward()
    return facts(made), facts(layer.weight.grad), made.requires_grad, made.grad_fn is None


def saved():
    file = io.BytesIO()
    torch.save(nn.Linear(2, 3, device="meta").state_dict(), file)
    file.seek(0)
    return [facts(each) for each in torch.load(file).values()]


def drawn(layer):
    nn.init.xavier_uniform_(layer.weight)
    nn.init.zeros_(layer.bias)
    nn.init.normal_(layer.weight, std=0.1)
    nn.init.orthogonal_(layer.weight)
    nn.init.constant_(layer.bias, 1)
    return layer


def default():
    torch.set_default_device("meta")
    made, layer = torch.zeros(2), nn.Linear(2, 2)
    torch.set_default_device("cpu")
    return facts(made), facts(layer.weight), torch.zeros(2).device


def branch():
    return 1 if (m > 0).any() else 0


m = torch.empty(2, 3, device="meta")
show(lambda: m)
show(
    lambda: (
        m.device,
        m.is_meta,
        m.is_cpu,
        m.shape,
        m.dtype,
        m.numel(),
        m.ndim,
        m.stride(),
        m.is_contiguous(),
        m.element_size(),
        m.nbytes,
    )
)
show(lambda: (torch.is_tensor(m), isinstance(m, torch.Tensor), type(m).__name__))
show(
    lambda: (
        facts(m + 1),
        facts(m @ m.T),
        facts(m.sum()),
        facts(m.to(torch.float64)),
        facts(m[0]),
        facts(m.t()),
        facts(m.view(6)),
        facts(torch.cat([m, m])),
    )
)
show(lambda: facts(F.linear(m, torch.empty(4, 3, device="meta"))))
show(lambda: m + torch.ones(2, 3))
show(lambda: m + torch.ones(()))
show(lambda: torch.ones(2, 3) + m)
show(lambda: m @ torch.ones(3, 2))
show(lambda: torch.cat([m, torch.ones(2, 3)]))
show(lambda: m.item())
show(lambda: m.sum().item())
show(lambda: m.tolist())
show(lambda: m.numpy())
show(lambda: bool(m.sum()))
show(lambda: float(m.sum()))
show(lambda: int(m.sum()))
show(lambda: repr(m))
show(lambda: str(torch.empty(2, device="meta", dtype=torch.int64)))
show(lambda: repr(torch.empty(2, device="meta", requires_grad=True)))
show(lambda: m.cpu())
show(lambda: m.to("cpu"))
show(lambda: m.to("meta") is m)
show(lambda: facts(torch.ones(2).to("meta")))
show(lambda: facts(torch.ones(2).to(device="meta", dtype=torch.float16)))
show(
    lambda: (
        facts(torch.empty_like(m)),
        facts(torch.empty_like(m, device="cpu")),
        facts(m.new_zeros(4)),
        facts(m.new_zeros(4, device="cpu")),
        facts(torch.zeros_like(torch.ones(2), device="meta")),
    )
)
show(lambda: m.nonzero(), text=False)
show(lambda: m[m > 0], text=False)
show(lambda: torch.unique(m), text=False)
show(lambda: torch.masked_select(m, m > 0), text=False)
show(lambda: m.equal(m), text=False)
show(lambda: torch.allclose(m, m))
show(lambda: (facts(m.clone()), facts(m.detach()), facts(m.contiguous())))
show(
    lambda: (
        facts(m.fill_(3)),
        facts(m.zero_()),
        facts(m.normal_()),
        facts(m.uniform_(0, 1)),
        facts(m.add_(1)),
        facts(m.mul_(m)),
    )
)
show(lambda: m.add_(torch.empty(4, device="meta")), text=False)
show(lambda: facts(m.copy_(torch.ones(2, 3))))
show(lambda: torch.ones(2, 3).copy_(m))
show(lambda: m.data_ptr())
show(
    lambda: (
        facts(torch.zeros(2, device="meta")),
        facts(torch.ones((2, 3), device="meta", dtype=torch.int32)),
        facts(torch.rand(2, device="meta")),
        facts(torch.randn(2, 3, device=torch.device("meta"))),
        facts(torch.full((2,), 1, device="meta")),
    )
)
show(
    lambda: (
        facts(torch.arange(5, device="meta")),
        facts(torch.eye(3, device="meta")),
        facts(torch.linspace(0, 1, 5, device="meta")),
        facts(torch.randint(3, (2,), device="meta")),
        facts(torch.tensor([1, 2], device="meta")),
        facts(torch.as_tensor([1.0], device="meta")),
        facts(torch.randperm(4, device="meta")),
        facts(torch.empty_strided((2, 3), (3, 1), device="meta")),
    )
)
show(lambda: facts(torch.empty(100000, 100000, 100, device="meta")))
show(lambda: (facts(copy.deepcopy(m)), facts(copy.copy(m))))
show(lambda: parts(nn.Linear(2, 3, device="meta")))
show(lambda: parts(nn.Linear(2, 3, bias=False, device=torch.device("meta"), dtype=torch.float64)))
show(lambda: parts(nn.Conv2d(2, 3, 3, device="meta")))
show(lambda: parts(nn.BatchNorm2d(3, device="meta")))
show(lambda: parts(nn.LayerNorm(3, device="meta")))
show(lambda: parts(nn.Embedding(3, 4, device="meta")))
show(lambda: parts(nn.LSTM(3, 4, device="meta")))
show(lambda: parts(nn.MultiheadAttention(4, 2, device="meta")))
show(lambda: parts(nn.TransformerEncoderLayer(4, 2, device="meta")))
show(lambda: parts(nn.ConvTranspose1d(2, 3, 3, device="meta")))
show(lambda: parts(nn.GroupNorm(1, 3, device="meta")))
show(lambda: parts(nn.PReLU(device="meta")))
show(lambda: parts(nn.RMSNorm(3, device="meta")))
show(lambda: parts(nn.GRUCell(3, 4, device="meta")))
show(lambda: parts(nn.Bilinear(3, 4, 2, device="meta")))
show(lambda: parts(nn.EmbeddingBag(3, 4, device="meta")))
show(
    lambda: in_context(
        lambda: parts(nn.Sequential(nn.Linear(2, 3), nn.BatchNorm1d(3), nn.ReLU(), nn.Linear(3, 1)))
    )
)
show(lambda: in_context(lambda: parts(nn.TransformerEncoderLayer(4, 2))))
show(lambda: in_context(lambda: parts(nn.LSTM(3, 4))))
show(lambda: in_context(lambda: parts(Own())))
show(
    lambda: in_context(
        lambda: (
            facts(torch.zeros(2)),
            facts(torch.tensor([1])),
            facts(torch.zeros(2, device="cpu")),
            facts(torch.ones_like(torch.ones(2, device="cpu"))),
            facts(torch.arange(3)),
            facts(torch.randn(2)),
            facts(torch.empty(2)),
        )
    )
)
show(lambda: nn.Linear(2, 3, device="meta").to("cpu"))
show(lambda: parts(nn.Linear(2, 3, device="meta").to_empty(device="cpu")))
show(lambda: parts(nn.Linear(2, 3).to("meta")))
show(lambda: parts(nn.Linear(2, 3).to_empty(device="meta")))
show(lambda: facts(nn.Linear(2, 3, device="meta")(torch.empty(5, 2, device="meta"))))
show(lambda: nn.Linear(2, 3, device="meta")(torch.ones(5, 2)))
show(lambda: facts(nn.Conv2d(2, 3, 3, device="meta")(torch.empty(5, 2, 8, 8, device="meta"))))
show(lambda: facts(nn.LSTM(3, 4, device="meta")(torch.empty(5, 2, 3, device="meta"))[0]))
show(
    lambda: facts(
        nn.TransformerEncoderLayer(4, 2, device="meta")(torch.empty(5, 2, 4, device="meta"))
    )
)
show(lambda: loaded(False))
show(lambda: loaded(True))
show(lambda: gradients())
show(
    lambda: (
        facts(nn.Parameter(m)),
        type(nn.Parameter(m)).__name__,
        isinstance(nn.Parameter(m), nn.Parameter),
        nn.Parameter(m).requires_grad,
    )
)
show(lambda: nn.Parameter(m))
show(lambda: nn.Linear(2, 3, device="meta").weight.is_leaf)
show(lambda: ([facts(v) for v in nn.Linear(2, 3, device="meta").state_dict().values()]))
show(lambda: facts(pickle.loads(pickle.dumps(m))))
show(lambda: saved())
show(lambda: facts(copy.deepcopy(nn.Linear(2, 3, device="meta")).weight))
show(lambda: parts(drawn(nn.Linear(2, 3, device="meta"))))
show(lambda: (m.device == torch.device("meta"), m.device.type, m.device.index))
show(
    lambda: (
        facts(torch.where(m > 0, m, m)),
        facts(m.max(0)[0]),
        facts(m.softmax(-1)),
        facts(torch.stack([m, m])),
        facts(m.split(1)[0]),
        facts(m.expand(4, 2, 3)),
        facts(m.permute(1, 0)),
        facts(m.mean(-1, keepdim=True)),
        facts(m.argmax()),
        facts(m.half()),
        facts(m.float()),
        facts(m.long()),
        facts(m.bool()),
    )
)
show(
    lambda: facts(
        F.conv2d(torch.empty(1, 2, 8, 8, device="meta"), torch.empty(3, 2, 3, 3, device="meta"))
    )
)
show(lambda: m @ m, text=False)
show(lambda: (torch.Size(m.shape), len(m)))
show(lambda: ([facts(x) for x in m]))
show(lambda: facts(torch.empty(0, 3, device="meta")))
show(
    lambda: (
        m.storage_offset(),
        m.stride(0),
        m.dim(),
        m.size(),
        m.size(0),
        m.requires_grad,
        m.is_leaf,
        m.grad,
        m.layout,
    )
)
show(lambda: facts(torch.ones(3)[torch.zeros(2, dtype=torch.long)].to("meta")))
show(lambda: facts(m.requires_grad_()))
show(lambda: torch.empty(2, device="meta").requires_grad_().sum().backward())
show(lambda: m.__array__())
show(
    lambda: facts(torch.nn.utils.parameters_to_vector(nn.Linear(2, 3, device="meta").parameters()))
)
show(lambda: sum(p.numel() for p in nn.Linear(2, 3, device="meta").parameters()))
show(lambda: (facts(m.type(torch.float64)), m.type()))
show(lambda: torch.equal(m, torch.empty(2, 3, device="meta")), text=False)
show(lambda: m == m)
show(lambda: (m == m).all())
show(lambda: branch())
show(lambda: default())
with torch.device("meta"), torch.device("cpu"):
    show(lambda: (torch.get_default_device(), torch.zeros(1).device))
with torch.device("meta"):
    show(lambda: (torch.get_default_device(), facts(nn.Parameter(torch.zeros(2)))))
show(torch.get_default_device)
