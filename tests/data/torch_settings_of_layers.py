"""Layers of torch.nn by the arguments that they take by position: their attributes and their texts.

Run by tests/test_compat_methods.py under torch and under Paddle.
"""

import copy
import pickle
import warnings

import torch
from torch import nn

warnings.simplefilter("ignore")
C = {
    "AdaptiveLogSoftmaxWithLoss": [(8, 10, [2, 5]), dict(div_value=2.0, head_bias=True)],
    "CosineSimilarity": [(), dict(dim=0, eps=1e-6)],
    "Flatten": [(), dict(start_dim=0, end_dim=1)],
    "Fold": [(), dict(output_size=(4, 4), kernel_size=2, dilation=1, padding=0, stride=2)],
    "GLU": [(), dict(dim=1)],
    "Hardshrink": [(), dict(lambd=0.3)],
    "L1Loss": [(None, None, "sum"), {}],
    "MSELoss": [(None, None, "sum"), {}],
    "SoftMarginLoss": [(None, None, "sum"), {}],
    "ModuleDict": [(), dict(modules={"a": nn.Identity()})],
    "ModuleList": [(), dict(modules=[nn.Identity()])],
    "PairwiseDistance": [(), dict(p=1.0, eps=1e-3, keepdim=True)],
    "SyncBatchNorm": [(3, 1e-4, 0.2, True, True), {}],
    "Softshrink": [(), dict(lambd=0.3)],
    "TripletMarginLoss": [(1.0, 2.0, 1e-5, True, None, None, "sum"), {}],
    "Unflatten": [(1, (2, 2)), {}],
    "Hardtanh": [(-1.0, 2.0, False), {}],
    "BCELoss": [(None, None, None, "sum"), {}],
    "BCEWithLogitsLoss": [(None, None, None, "sum", torch.ones(1)), {}],
    "KLDivLoss": [(None, None, "sum", True), {}],
    "NLLLoss": [(None, None, -1, None, "sum"), {}],
    "CrossEntropyLoss": [(None, None, -1, None, "sum", 0.1), {}],
    "SmoothL1Loss": [(None, None, "sum", 0.5), {}],
    "HuberLoss": [("sum", 0.5), {}],
    "CosineEmbeddingLoss": [(0.1, None, None, "sum"), {}],
    "MarginRankingLoss": [(0.1, None, None, "sum"), {}],
    "HingeEmbeddingLoss": [(0.1, None, None, "sum"), {}],
    "MultiMarginLoss": [(1, 1.0, None, None, None, "sum"), {}],
    "PoissonNLLLoss": [(True, False, None, 1e-8, None, "sum"), {}],
    "CTCLoss": [(0, "sum", True), {}],
    "GaussianNLLLoss": [(), dict(full=True, eps=1e-5, reduction="sum")],
    "MultiLabelMarginLoss": [(None, None, "sum"), {}],
    "MultiLabelSoftMarginLoss": [(None, None, None, "sum"), {}],
    "Softmax": [(1,), {}],
    "LogSoftmax": [(1,), {}],
    "Softplus": [(2, 10), {}],
    "SiLU": [(True,), {}],
    "GELU": [("tanh",), {}],
    "LPPool2d": [(2.0, 2, 2, True), {}],
    "AdaptiveAvgPool2d": [((2, 2),), {}],
    "AdaptiveMaxPool2d": [((2, 2), True), {}],
    "Tanh": [(), {}],
    "Sigmoid": [(), {}],
    "LogSigmoid": [(), {}],
    "Linear": [(3, 4, False, None, torch.float64), {}],
    "Conv2d": [(4, 4, 3, 1, 1, 1, 2, False, "zeros", None, torch.float64), {}],
    "BatchNorm2d": [(3, 1e-4, 0.2, False, True, None, torch.float64), {}],
    "LayerNorm": [(3, 1e-4, False, False), {}],
    "GroupNorm": [(1, 3, 1e-4, False), {}],
    "Embedding": [(3, 4, 1, None, 2.0, False, False), {}],
    "Dropout": [(0.3, True), {}],
    "LeakyReLU": [(0.3, True), {}],
    "ELU": [(0.3, True), {}],
    "PReLU": [(3, 0.1), {}],
    "MaxPool2d": [(2, 2, 0, 1, False, True), {}],
    "AvgPool2d": [(2, 2, 0, True, False, 3), {}],
    "Upsample": [(None, 2, "bilinear", True, None), {}],
    "LSTM": [(3, 4, 2, True, True, 0.0, True), {}],
    "PixelShuffle": [(2,), {}],
    "ZeroPad2d": [(1,), {}],
    "Unfold": [(2, 1, 0, 1), {}],
    "Threshold": [(0.1, 2.0, True), {}],
    "Bilinear": [(2, 3, 4, False), {}],
    "InstanceNorm2d": [(3, 1e-4, 0.1, True, True), {}],
    "LocalResponseNorm": [(2, 1e-3, 0.5, 2.0), {}],
    "CELU": [(0.5, True), {}],
    "RReLU": [(0.1, 0.2, True), {}],
    "ChannelShuffle": [(2,), {}],
    "ConstantPad1d": [(1, 2.0), {}],
    "RMSNorm": [(3, 1e-4, False), {}],
    "Identity": [(3,), dict(x=2)],
    "Hardswish": [(True,), {}],
    "Mish": [(True,), {}],
    "ReLU6": [(True,), {}],
    "GRUCell": [(3, 4, False), {}],
}


def attrs(m):
    out = {}
    for k in (
        "reduction",
        "dim",
        "eps",
        "keepdim",
        "margin",
        "swap",
        "lambd",
        "beta",
        "delta",
        "inplace",
        "ignore_index",
        "label_smoothing",
        "log_target",
        "start_dim",
        "end_dim",
        "output_size",
        "kernel_size",
        "dilation",
        "padding",
        "stride",
        "min_val",
        "max_val",
        "blank",
        "zero_infinity",
        "log_input",
        "threshold",
        "negative_slope",
        "alpha",
        "num_features",
        "momentum",
        "affine",
        "in_features",
        "groups",
        "bias",
        "num_embeddings",
        "padding_idx",
        "max_norm",
        "scale_factor",
        "align_corners",
        "unflattened_size",
        "approximate",
        "num_layers",
        "batch_first",
        "bidirectional",
        "hidden_size",
        "embed_dim",
        "num_heads",
        "upscale_factor",
        "value",
        "normalized_shape",
        "elementwise_affine",
        "num_groups",
        "num_channels",
        "size",
        "return_indices",
        "ceil_mode",
        "count_include_pad",
        "divisor_override",
        "norm_type",
        "n_classes",
        "cutoffs",
        "div_value",
        "head_bias",
        "weight",
        "pos_weight",
        "track_running_stats",
        "num_parameters",
        "k",
        "lower",
        "upper",
    ):
        try:
            v = getattr(m, k)
        except AttributeError:
            continue
        out[k] = tuple(v.shape) if isinstance(v, torch.Tensor) else (v.__name__ if callable(v) else v)
    return out


for n, (a, k) in C.items():
    for style in ("direct", "subclass"):
        cls = getattr(nn, n)
        try:
            if style == "subclass":
                sub = type("My", (cls,), {"__init__": lambda self, *x, **y: super(sub, self).__init__(*x, **y)})
                m = sub(*a, **k)
            else:
                m = cls(*a, **k)
            print(n, style, attrs(m))
            print(repr(m))
        except Exception as e:
            print(n, style, type(e).__name__, str(e)[:90])


def fill(m):
    for i, p in enumerate(m.parameters()):
        with torch.no_grad():
            p.copy_(torch.linspace(-1, 1, p.numel()).reshape(p.shape) * (i + 1) / 3)
    return m


m = fill(nn.AdaptiveLogSoftmaxWithLoss(8, 10, [2, 5], div_value=2.0, head_bias=True))
x = torch.linspace(-2, 2, 5 * 8).reshape(5, 8).requires_grad_()
t = torch.tensor([0, 9, 3, 2, 1])
o, l = m(x, t)
print((o * 100).round().detach(), l.item().__round__(4))
l.backward()
print(x.grad.sum(), [round(float(p.grad.abs().sum()), 4) for p in m.parameters()])
print((m.log_prob(x.detach())[0].detach() * 100).round(), m.predict(x), sorted(m.state_dict()))
r = m(x[0], t[0])
print(r.output.shape, r.loss.shape)
for bad in ([5, 2], [0, 3], [3, 10], []):
    try:
        nn.AdaptiveLogSoftmaxWithLoss(8, 10, bad)
        print("ok", bad)
    except ValueError:
        print("ValueError")
try:
    m(x, torch.tensor([0, 10, 1, 1, 1]))
except RuntimeError:
    print("RuntimeError")
net = nn.Sequential(nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4), nn.Sequential(nn.BatchNorm1d(5), nn.InstanceNorm1d(3)))
s = nn.SyncBatchNorm.convert_sync_batchnorm(net.eval())
print(s, [type(q).__name__ for q in s.modules()], s[1].training, s[1].weight is net[1].weight)
b = fill(nn.SyncBatchNorm(3))
y = torch.linspace(-1, 2, 24).reshape(4, 3, 2)
print(b(y).detach(), b.running_mean, b.num_batches_tracked)
print(b.eval()(y).detach()[0])
for mod, args in (
    (nn.Flatten(0, 1), (torch.ones(2, 3, 4),)),
    (nn.Unflatten(1, (2, 2)), (torch.ones(3, 4),)),
    (nn.L1Loss(None, None, "sum"), (torch.ones(3), torch.zeros(3))),
    (nn.MSELoss(reduction="none"), (torch.ones(3), torch.zeros(3))),
    (nn.TripletMarginLoss(2.0, 1.0, swap=True), (torch.eye(3), torch.ones(3, 3), torch.zeros(3, 3))),
    (nn.HuberLoss("sum", 0.5), (torch.ones(3), torch.zeros(3))),
    (nn.CosineSimilarity(0), (torch.eye(3), torch.ones(3, 3))),
    (nn.PairwiseDistance(1.0, keepdim=True), (torch.eye(3), torch.ones(3, 3))),
    (nn.GLU(0), (torch.ones(4, 2),)),
    (nn.Hardshrink(0.7), (torch.tensor([0.6, 0.8]),)),
    (nn.Softshrink(), (torch.tensor([0.4, 0.8]),)),
    (nn.Fold((4, 4), 2, stride=2), (torch.arange(16.0).reshape(1, 4, 4),)),
    (nn.Unfold(2), (torch.arange(9.0).reshape(1, 1, 3, 3),)),
    (nn.PixelShuffle(2), (torch.arange(4.0).reshape(1, 4, 1, 1),)),
    (nn.PixelUnshuffle(2), (torch.arange(4.0).reshape(1, 1, 2, 2),)),
    (nn.ChannelShuffle(2), (torch.arange(4.0).reshape(1, 4, 1, 1),)),
    (nn.LocalResponseNorm(2), (torch.arange(4.0).reshape(1, 4, 1),)),
    (nn.SoftMarginLoss(), (torch.tensor([0.3, -1.0]), torch.tensor([1.0, -1.0]))),
):
    print(mod, mod(*args))
print(pickle.loads(pickle.dumps(nn.Flatten(0))), copy.deepcopy(nn.L1Loss(reduction="sum")).reduction)


class My(nn.MSELoss):
    def forward(self, a, b):
        return super().forward(a, b) * 2


print(
    My()(torch.ones(2), torch.zeros(2)),
    isinstance(My(), nn.modules.loss._Loss),
    isinstance(nn.MSELoss(), nn.modules.loss._Loss),
)


# ------------------------------------------- functions by the arguments that they take by position

F = nn.functional
columns, three, ones = torch.arange(16.0).reshape(1, 4, 4), torch.arange(3.0), torch.ones(3)
print(F.fold(columns, (4, 4), 2, 1, 0, 2), F.fold(columns[0], (4, 4), 2, 1, 0, 2), F.fold(columns, (4, 4), 2, stride=2))
for loss in (F.l1_loss, F.mse_loss, F.soft_margin_loss, F.smooth_l1_loss):
    print(loss(three, ones, None, None, "sum"), loss(three, ones, False), loss(three, ones, True, False))
print(F.l1_loss(three, ones, weight=three), F.l1_loss(three, ones, reduction="none", weight=three))
for rows in (columns, columns[0]):
    values, places = F.max_pool1d(rows, 2, return_indices=True)
    print(F.max_unpool1d(values, places, 2, 2, 0, (4,)), F.max_unpool1d(values, places, [2]))
    values, places = F.max_pool2d(rows[None], 2, return_indices=True)
    print(F.max_unpool2d(values, places, 2, 2, 0, (4, 4)), nn.MaxUnpool2d(2)(values, places), nn.MaxUnpool2d(2))
values, places = F.max_pool3d(columns[None], (1, 2, 2), return_indices=True)
print(F.max_unpool3d(values, places, (1, 2, 2), None, 0, (1, 4, 4)))
print(nn.UpsamplingNearest2d(scale_factor=2), nn.UpsamplingBilinear2d(size=(3, 3))(columns[None]))

# ------------------------------------------------------------------------------ lists of modules

several = nn.ModuleList([nn.Identity(), nn.ReLU()])
several.extend([nn.Tanh()])
several += [nn.ELU()]
named = nn.ModuleDict({"a": nn.Identity(), "b": nn.ReLU()})
named.update([("c", nn.Tanh())])
for each in (several, several[1:3], named, copy.deepcopy(several), pickle.loads(pickle.dumps(named))):
    print(type(each).__name__, each, isinstance(each, (nn.ModuleList, nn.ModuleDict)))
encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(4, 2, 8), 2)
print(type(encoder.layers).__name__, isinstance(encoder.layers, nn.ModuleList))
print(nn.ModuleList(modules=[nn.Tanh()]), nn.ModuleDict(modules={"q": nn.Tanh()}), nn.ModuleList(x for x in [nn.Tanh()]))
