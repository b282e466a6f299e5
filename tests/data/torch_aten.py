"""torch.ops.aten: what its operators give and refuse, one line of output for each.

Run by tests/test_unit_pieces.py: `python torch_aten.py`, or with the path of a unit to run under
Paddle's proxy. Of an exception the type is printed, not its words.
"""

import sys

if len(sys.argv) > 1:
    import runpy

    import paddle

    paddle.enable_compat()
    runpy.run_path(sys.argv[1])

import torch

aten = torch.ops.aten


def rounded(value):
    if isinstance(value, list):
        return [rounded(each) for each in value]
    return round(value, 3) + 0 if isinstance(value, float) else value


def plain(value):
    if isinstance(value, torch.Tensor):
        return f"{str(value.dtype).rpartition('.')[2]}{list(value.shape)}{rounded(value.tolist())}"
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    return value


def show(label, f, /, *args, **kwargs):
    try:
        print(label, plain(f(*args, **kwargs)))
    except Exception as error:
        print(label, type(error).__name__)


def asked(name):
    return eval(name, {"aten": aten})


x = torch.tensor([[1.0, -2.0, 3.0], [4.0, 5.0, -6.0]])
i = torch.tensor([1, 0])
CALLS = {
    "abs.default": (x,),
    "add.Tensor": (x, x),
    "add.Scalar": (x, 2),
    "sub.Tensor": (x, x),
    "mul.Tensor": (x, x),
    "div.Tensor": (x, x),
    "mm.default": (x, x.t()),
    "t.default": (x,),
    "cat.default": ([x, x], 1),
    "stack.default": ([x, x],),
    "clone.default": (x,),
    "detach.default": (x,),
    "alias.default": (x,),
    "lift_fresh.default": (x,),
    "copy.default": (x, torch.ones(3)),
    "view.default": (x, [3, 2]),
    "_unsafe_view.default": (x, [3, 2]),
    "reshape.default": (x, [-1]),
    "permute.default": (x, [1, 0]),
    "expand.default": (x, [2, 2, 3]),
    "unsqueeze.default": (x, 0),
    "squeeze.dim": (x[:1], 0),
    "squeeze.default": (x[:1],),
    "slice.Tensor": (x, 1, 0, 2),
    "select.int": (x, 0, 1),
    "index.Tensor": (x, [None, i]),
    "index_select.default": (x, 0, i),
    "index_put.default": (x, [i], torch.zeros(3)),
    "gather.default": (x, 1, i.unsqueeze(1)),
    "flip.default": (x, [0]),
    "unbind.int": (x, 1),
    "split.Tensor": (x, 1),
    "sum.default": (x,),
    "sum.dim_IntList": (x, [1], True),
    "mean.dim": (x, [0]),
    "amax.default": (x, [1]),
    "max.dim": (x, 1),
    "any.default": (x,),
    "argmax.default": (x, 1),
    "sort.default": (x, 1, True),
    "topk.default": (x, 2),
    "where.self": (x > 0, x, -x),
    "clamp.default": (x, -1, 1),
    "relu.default": (x,),
    "gelu.default": (x,),
    "silu.default": (x,),
    "sigmoid.default": (x,),
    "leaky_relu.default": (x, 0.5),
    "hardtanh.default": (x, -1, 1),
    "_softmax.default": (x, 1, False),
    "_log_softmax.default": (x, 1, False),
    "mse_loss.default": (x, x + 1, 2),
    "binary_cross_entropy.default": (x.sigmoid(), (x > 0).float(), None, 0),
    "linear.default": (x, torch.ones(2, 3), torch.ones(2)),
    "addmm.default": (torch.ones(2, 2), x, x.t()),
    "bmm.default": (x.unsqueeze(0), x.t().unsqueeze(0)),
    "native_layer_norm.default": (x, [3], None, None, 1e-5),
    "max_pool2d_with_indices.default": (x.reshape(1, 1, 2, 3), [2, 2], [1, 1]),
    "constant_pad_nd.default": (x, [1, 0], 7.0),
    "full.default": ([2], 3.0),
    "zeros.default": ([2],),
    "arange.start": (1, 4),
    "full_like.default": (x, 2),
    "_local_scalar_dense.default": (x[0, 0],),
    "linalg_vector_norm.default": (x,),
    "special_expm1.default": (x,),
    "bitwise_and.Tensor": (i, i),
    "eq.Scalar": (x, 1),
    "pow.Tensor_Scalar": (x, 2),
    "cumsum.default": (x, 1),
    "nonzero.default": (x > 0,),
    "scatter_add.default": (x, 1, i.unsqueeze(1), torch.ones(2, 1)),
}
for name, given in CALLS.items():
    show(name, asked(f"aten.{name}"), *given)
    show(name.partition(".")[0], asked(f"aten.{name.partition('.')[0]}"), *given)
show("slice.Tensor", aten.slice.Tensor, x, -1, -2, 2**63 - 1)
show("named", aten.add.Tensor, self=x, other=x, alpha=2)
show("sort.stable", aten.sort.stable, x, stable=True, dim=1, descending=True)
show("_to_copy", aten._to_copy.default, x, dtype=torch.float64)
y = x.clone()
show("add_", aten.add_.Tensor, y, 1)
show("zero_", aten.zero_.default, y)
print(y.tolist())

table = {aten.clone.default: 1, aten.clone: 2}
print(table[torch.ops.aten.clone.default], table[torch.ops.aten.clone], aten.add.Tensor in table)
print(aten.add.Tensor is torch.ops.aten.add.Tensor, aten.add.Tensor == aten.add.Scalar)
print(str(aten.add.Tensor), repr(aten.add.Tensor), aten.add.Tensor.name(), aten.clone.default.name())
print(str(aten.add), repr(aten.add), aten.add.__name__, aten.add.Tensor.__name__)
print(aten.add.Tensor.overloadpacket is aten.add, aten.add.Tensor.namespace)
print(hasattr(aten, "no_such_operator"), hasattr(aten.add, "__nothing__"))
