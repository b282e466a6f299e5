"""Layers of torch.nn with the same parameters, under torch and under Paddle: one line a result."""

import sys

if len(sys.argv) > 1:  # under Paddle
    exec(open(sys.argv[1]).read())
import copy
import math
import pickle

import torch
from torch import nn
from torch.nn import functional as F
from torch.nn.utils.rnn import pack_padded_sequence, pack_sequence, pad_packed_sequence


def plain(value):
    if isinstance(value, torch.Tensor):
        listed = value.detach().double().flatten().tolist()
        if len(listed) > 60:  # two sums with weights, which change with the order as well
            listed = [
                sum(x * math.sin(at * by + 1) for at, x in enumerate(listed)) for by in (0.7, 1.3)
            ]
        # To three digits, from above a tie that the last digit of a float could decide.
        scale = 1000 if value.numel() <= 60 else 10
        listed = [x * scale + 0.0731 for x in listed]
        return [str(value.dtype).rpartition(".")[2], [*value.shape], [round(x) for x in listed]]
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    return value


def show(call):
    try:
        print(sys._getframe(1).f_lineno, plain(call()))
    except Exception as error:
        print(sys._getframe(1).f_lineno, "refuses", type(error).__name__)


def filled(layer):
    """The layer with parameters that both frameworks give it."""
    with torch.no_grad():
        for at, parameter in enumerate(layer.parameters()):
            numbers = torch.arange(parameter.numel(), dtype=torch.float64) * 0.7 + at
            parameter.copy_((numbers.sin() * 0.5).reshape(parameter.shape).to(parameter.dtype))
    return layer


def numbers(*shape, scale=1.0):
    count = math.prod(shape)
    return (torch.arange(count, dtype=torch.float32) * 1.3).cos().reshape(shape) * scale


def tried(layer, *inputs, **options):
    """What a layer gives and the gradients of its inputs and parameters; its parameters' names."""
    filled(layer).eval()
    given = [each.clone().requires_grad_() if each.is_floating_point() else each for each in inputs]
    made = layer(*given, **options)
    first = made[0] if isinstance(made, tuple) else made
    first.pow(2).sum().backward()
    slopes = [each.grad for each in (*given, *layer.parameters()) if each.grad is not None]
    return [made, [name for name, _ in layer.named_parameters()], slopes]


x = numbers(4, 2, 3)
for options in ({}, {"num_layers": 2, "bidirectional": True}, {"bias": False, "batch_first": True}):
    for kind in (nn.RNN, nn.GRU, nn.LSTM):
        show(lambda: tried(kind(3, 2, **options), x))
show(lambda: tried(nn.LSTM(3, 4, proj_size=2), x))
show(lambda: tried(nn.RNN(3, 2, 1, "relu"), x))
show(lambda: tried(nn.GRU(3, 2), x[:, 0]))
show(lambda: tried(nn.GRU(3, 2), x, numbers(1, 2, 2)))
show(lambda: nn.GRU(3, 2)(numbers(4, 2, 5)))
show(lambda: nn.GRU(3, 2)(x, numbers(1, 3, 2)))
show(lambda: nn.RNN(3, 2, nonlinearity="sin"))
show(lambda: nn.GRU(3, 2, proj_size=1))
packed = pack_padded_sequence(x, torch.tensor([2, 4]), enforce_sorted=False)
for kind in (nn.RNN, nn.GRU, nn.LSTM):
    layer = filled(kind(3, 2, 2, bidirectional=True))
    made, state = layer(packed)
    show(lambda: [pad_packed_sequence(made), state])
    made, state = layer(pack_sequence([x[:, 0], x[:2, 1]]))
    show(lambda: [pad_packed_sequence(made, batch_first=True), state])
for kind in (nn.RNNCell, nn.GRUCell, nn.LSTMCell):
    show(lambda: tried(kind(3, 2), x[0]))
    show(lambda: tried(kind(3, 2, bias=False), x[0, 0]))

source, target = numbers(5, 2, 4), numbers(3, 2, 4, scale=0.5)
for options in (
    {},
    {"norm_first": True, "activation": "gelu"},
    {"bias": False, "batch_first": True},
):
    made = {"dim_feedforward": 6, "dropout": 0.0, **options}
    show(lambda: tried(nn.TransformerEncoderLayer(4, 2, **made), source))
    show(lambda: tried(nn.TransformerDecoderLayer(4, 2, **made), target[:2], source[:2]))
    counts = {"num_encoder_layers": 1, "num_decoder_layers": 2}
    show(lambda: tried(nn.Transformer(4, 2, **counts, **made), source[:3], target))
mask = nn.Transformer.generate_square_subsequent_mask(5)
show(lambda: torch.isinf(mask).float())
encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(4, 2, 6, 0.0), 2, nn.LayerNorm(4))
show(lambda: tried(encoder, source, mask=mask))
hidden = torch.tensor([[False] * 5, [False, False, True, True, True]])
show(lambda: tried(encoder, source, src_key_padding_mask=hidden))
decoder = nn.TransformerDecoder(nn.TransformerDecoderLayer(4, 2, 6, 0.0), 2)
show(lambda: tried(decoder, target, source, tgt_mask=mask[:3, :3]))
show(lambda: nn.Transformer(4, 2, 1, 1, 6)(source, numbers(3, 2, 5)))

for layer in (
    nn.InstanceNorm1d(3),
    nn.InstanceNorm1d(3, affine=True),
    nn.LayerNorm((2, 4), bias=False),
):
    show(
        lambda: tried(
            layer, numbers(3, 2, 4) if isinstance(layer, nn.LayerNorm) else numbers(2, 3, 4)
        )
    )
show(lambda: tried(nn.InstanceNorm1d(3), numbers(3, 4)))
show(lambda: tried(nn.InstanceNorm2d(3, track_running_stats=True), numbers(2, 3, 2, 2)))
show(lambda: tried(nn.InstanceNorm3d(3, bias=False, affine=True), numbers(3, 2, 2, 2)))
show(lambda: nn.InstanceNorm2d(3)(numbers(2, 3)))
show(lambda: tried(nn.LayerNorm(4, elementwise_affine=False), numbers(3, 4)))
show(lambda: tried(nn.GroupNorm(2, 4, bias=False), numbers(2, 4, 3)))
show(lambda: nn.GroupNorm(2, 3))
show(lambda: tried(nn.BatchNorm1d(3, bias=False), numbers(2, 3, 4)))
show(lambda: tried(nn.PReLU(3), numbers(2, 3)))
show(lambda: tried(nn.Bilinear(3, 4, 2), numbers(5, 3), numbers(5, 4)))
show(lambda: tried(nn.Bilinear(3, 4, 2, bias=False), numbers(5, 3), numbers(5, 4)))

rows, classes = numbers(3, 4), torch.tensor([1, -100, 3])
for reduction in ("none", "mean", "sum"):
    show(lambda: tried(nn.NLLLoss(weight=numbers(4).abs(), reduction=reduction), rows, classes))
    show(lambda: tried(nn.KLDivLoss(reduction=reduction), rows, rows.softmax(1)))
    show(
        lambda: tried(nn.BCELoss(numbers(4).abs(), reduction=reduction), rows.sigmoid(), rows.abs())
    )
    weights = {"pos_weight": numbers(4).abs(), "reduction": reduction}
    show(lambda: tried(nn.BCEWithLogitsLoss(**weights), rows, rows.abs()))
    signs = torch.tensor([1, -1, 1, -1])
    show(
        lambda: tried(
            nn.MarginRankingLoss(0.5, reduction=reduction), rows, rows * 0.3, signs.expand(3, 4)
        )
    )
    show(
        lambda: tried(
            nn.HingeEmbeddingLoss(reduction=reduction), rows.abs(), signs.float().expand(3, 4)
        )
    )
    places = torch.tensor([[0, 2, -1, 1], [3, -1, 0, 0], [-1, 1, 2, 3]])
    show(lambda: tried(nn.MultiLabelMarginLoss(reduction=reduction), rows, places))
    show(lambda: tried(nn.MultiLabelSoftMarginLoss(reduction=reduction), rows, places % 2))
    show(
        lambda: tried(
            nn.MultiMarginLoss(2, 0.5, reduction=reduction), rows, torch.tensor([1, 0, 3])
        )
    )
    show(lambda: tried(nn.GaussianNLLLoss(reduction=reduction), rows, rows * 0.3, rows.abs() + 0.1))
    scores, texts = numbers(6, 2, 4).log_softmax(2), torch.tensor([[1, 2, 1], [3, 2, 1]])
    show(
        lambda: tried(
            nn.CTCLoss(reduction=reduction),
            scores,
            texts,
            input_lengths=(6, 5),
            target_lengths=(3, 2),
        )
    )
    joined = torch.tensor([1, 2, 1, 3, 2])
    show(
        lambda: tried(
            nn.CTCLoss(reduction=reduction),
            scores,
            joined,
            input_lengths=(6, 5),
            target_lengths=(3, 2),
        )
    )
show(lambda: tried(nn.MultiLabelMarginLoss(), rows[0], places[0]))
show(lambda: tried(nn.MultiMarginLoss(weight=numbers(4).abs()), rows[0], torch.tensor(2)))
show(lambda: tried(nn.NLLLoss(size_average=False), rows, classes))
show(lambda: [*nn.BCELoss(weight=numbers(4)).state_dict()])
show(lambda: nn.GaussianNLLLoss(True))
show(lambda: nn.CTCLoss(reduction="sum", zero_infinity=True)(scores[:1], texts, (1, 1), (3, 2)))


def settings(layer, *names):
    return [getattr(layer, name) for name in names]


for dims, kind in ((1, nn.Conv1d), (2, nn.Conv2d), (3, nn.Conv3d)):
    x = numbers(2, 4, *[5] * dims, scale=0.1)
    show(lambda: tried(kind(4, 6, 3, 2, 1, 1, 2, False), x))
    show(lambda: tried(kind(4, 2, 3, padding="same", dilation=2), x[0]))
    for mode in ("reflect", "replicate", "circular"):
        show(lambda: tried(kind(4, 2, 3, padding=2, padding_mode=mode), x))
        show(lambda: tried(kind(4, 2, 2, padding="same", padding_mode=mode), x))
    names = "in_channels", "out_channels", "kernel_size", "stride", "padding", "dilation", "groups"
    rest = "transposed", "output_padding", "padding_mode"
    show(lambda: settings(kind(4, 2, 3, padding="valid"), *names, *rest))
    show(lambda: isinstance(kind(4, 2, 3), nn.modules.conv._ConvNd))
show(lambda: nn.Conv2d(3, 4, 3, groups=2))
show(lambda: nn.Conv2d(4, 4, 3, padding_mode="none"))
show(lambda: repr(nn.Conv2d(2, 4, 3, padding=1, bias=False)))


class Doubled(nn.Conv2d):
    def forward(self, input):
        return self._conv_forward(input, self.weight * 2, self.bias)


show(lambda: tried(Doubled(4, 2, 3), numbers(1, 4, 5, 5)))
turned = nn.ConvTranspose2d(2, 3, 3, stride=2)
show(lambda: filled(turned)(numbers(1, 2, 3, 3), output_size=(8, 8)))
show(lambda: turned(numbers(1, 2, 3, 3), output_size=(9, 8)))
show(lambda: isinstance(turned, nn.modules.conv._ConvNd))
show(lambda: settings(turned, "kernel_size", "stride", "padding", "transposed"))

rows = torch.tensor([[0, 3, 1], [2, 2, 3]])
show(lambda: tried(nn.Embedding(4, 2, padding_idx=-1), rows))
show(
    lambda: settings(
        nn.Embedding(4, 2, padding_idx=-1), "num_embeddings", "embedding_dim", "padding_idx"
    )
)
show(lambda: nn.Embedding(4, 2, padding_idx=1).weight[1])
show(lambda: tried(nn.Embedding(4, 2, scale_grad_by_freq=True), rows))
for norm in (1.0, 2.0):
    table = numbers(4, 2)
    show(lambda: [nn.functional.embedding(rows, table, max_norm=0.8, norm_type=norm), table])
loaded = nn.Embedding.from_pretrained(numbers(4, 2))
show(lambda: [loaded.weight.requires_grad, loaded(rows), repr(loaded)])
show(lambda: nn.Embedding(4, 2, padding_idx=4))
show(lambda: nn.Embedding.from_pretrained(numbers(4)))
torch.manual_seed(1)
for layer in (
    nn.Linear(400, 30),
    nn.Conv1d(40, 30, 10),
    nn.Conv2d(16, 30, 5),
    nn.MultiheadAttention(400, 2),
):
    for parameter in layer.parameters():  # within the bounds of their distribution, and up to them
        show(lambda: round(parameter.abs().max().item(), 2))
show(lambda: round(nn.Embedding(100, 50).weight.std().item(), 1))
apart = nn.MultiheadAttention(8, 2, kdim=4, vdim=6, add_bias_kv=True, batch_first=True)
show(lambda: tried(apart, numbers(2, 3, 8), numbers(2, 5, 4) + 0.1, numbers(2, 5, 6)))
show(
    lambda: [
        apart.in_proj_weight,
        apart.in_proj_bias.tolist(),
        settings(apart, "kdim", "vdim", "head_dim"),
    ]
)
show(lambda: nn.MultiheadAttention(8, 3))

for dims, of in ((1, (2, 6)), (2, (2, 6, 5)), (3, (2, 6, 5, 4))):
    x = numbers(*of, scale=2.0) + 3
    for name in ("ReflectionPad", "ReplicationPad", "CircularPad", "ZeroPad"):
        layer = getattr(nn, f"{name}{dims}d")(1)
        show(lambda: [tried(layer, x), layer.padding])
        show(lambda: tried(layer, x.unsqueeze(0)))
    show(lambda: tried(getattr(nn, f"ConstantPad{dims}d")(tuple(range(2 * dims)), 0.5), x))
    for name in ("AdaptiveAvgPool", "AdaptiveMaxPool"):
        show(lambda: tried(getattr(nn, f"{name}{dims}d")(2), x))
    show(lambda: getattr(nn, f"AdaptiveMaxPool{dims}d")(2, return_indices=True)(x))
    show(lambda: tried(getattr(nn, f"LPPool{dims}d")(2, 2), x))
    show(
        lambda: tried(getattr(nn, f"LPPool{dims}d")(3, 2, stride=1, ceil_mode=True), x.unsqueeze(0))
    )
    show(lambda: settings(getattr(nn, f"MaxPool{dims}d")(2), "kernel_size", "stride", "padding"))
show(lambda: nn.functional.avg_pool1d(numbers(2, 6), 2))
x = numbers(2, 5, scale=3.0)
for layer in (
    nn.GELU(approximate="tanh"),
    nn.SiLU(),
    nn.Softmax(1),
    nn.LogSoftmax(dim=0),
    nn.Softplus(2, 1),
):
    show(lambda: [tried(layer, x), vars(layer).get("dim"), vars(layer).get("approximate")])
for layer in (
    nn.SmoothL1Loss(beta=0.5),
    nn.PoissonNLLLoss(full=True),
    nn.SmoothL1Loss(reduction="none"),
):
    show(lambda: tried(layer, x, x.abs()))
show(lambda: tried(nn.CosineEmbeddingLoss(0.2), x, x.flip(1), torch.tensor([1, -1])))
show(
    lambda: [
        type(pickle.loads(pickle.dumps(each))).__name__
        for each in (nn.GELU(), nn.NLLLoss(), turned)
    ]
)

weight = torch.empty(40, 50)
torch.manual_seed(2)
for draw in (nn.init.xavier_uniform_, nn.init.kaiming_uniform_, nn.init.uniform_):
    show(lambda: round(draw(weight).abs().max().item(), 1))
for draw in (
    nn.init.xavier_normal_,
    nn.init.kaiming_normal_,
    nn.init.normal_,
    nn.init.trunc_normal_,
):
    show(lambda: round(draw(weight).std().item(), 1))
show(lambda: round(nn.init.kaiming_normal_(weight, 0.1, "fan_out", "relu").std().item(), 2))
show(lambda: nn.init.trunc_normal_(weight, std=3.0).abs().max() <= 2)
show(lambda: nn.init.orthogonal_(torch.empty(3, 2, 2)).flatten(1) @ weight[:4, :0].new_zeros(4, 1))
square = nn.init.orthogonal_(torch.empty(3, 5), gain=2)
show(lambda: (square @ square.t()).round())
show(lambda: (nn.init.sparse_(weight, 0.3) == 0).sum(0))
show(lambda: [nn.init.eye_(torch.empty(2, 3)), nn.init.dirac_(torch.empty(4, 3, 3), 2)])
show(
    lambda: [
        nn.init.constant_(torch.empty(2), 3),
        nn.init.ones_(torch.empty(2)),
        nn.init.zeros_(torch.ones(2)),
    ]
)
show(lambda: nn.Parameter(nn.init.ones_(torch.empty(2, 2))).requires_grad)
show(lambda: nn.init._calculate_fan_in_and_fan_out(torch.empty(4, 3, 5, 5)))
show(lambda: nn.init._calculate_correct_fan(tensor=torch.empty(4, 3), mode="fan_out"))
both = [
    nn.init.normal_(torch.empty(3), generator=torch.Generator().manual_seed(5)).tolist()
    for _ in range(2)
]
show(lambda: both[0] == both[1])
for call in (
    nn.init.eye_,
    nn.init.dirac_,
    nn.init.xavier_normal_,
    nn.init.orthogonal_,
    nn.init.kaiming_normal_,
):
    show(lambda: call(torch.empty(3)))


class Own(nn.Module):
    """With names that Paddle's Layer uses itself."""

    def __init__(self):
        super().__init__()
        self._transform, self.backward, self.full = nn.ReLU(), nn.Linear(2, 2), nn.Parameter(torch.ones(2))
        self._dtype, self.create_parameter = torch.float16, "mine"
        self.register_buffer("astype", torch.zeros(1))

    def forward(self, x):
        return self._transform(self.backward(x)) + self.full + self.astype


own = filled(Own())
show(lambda: own(numbers(3, 2)))
show(lambda: [own.create_parameter, str(own._dtype).rpartition(".")[2], own.full, own.astype])
show(lambda: [sorted(name for name, _ in own.named_parameters()), sorted(own.state_dict())])
show(lambda: own.to(torch.float64)(numbers(3, 2).double()))
own._transform, own._dtype = nn.Tanh(), 5
show(lambda: [copy.deepcopy(own).float()(numbers(3, 2)), own._dtype])

from torch.autograd.grad_mode import no_grad
from torch.functional import tensordot
from torch.nn.modules.batchnorm import BatchNorm1d
from torch.nn.modules.linear import Linear
from torch.nn.modules.loss import MSELoss
from torch.utils.data.dataloader import default_collate
from torch.utils.data.sampler import Sampler
from torch.utils.hooks import RemovableHandle

show(lambda: [Linear is nn.Linear, BatchNorm1d is nn.BatchNorm1d, MSELoss is nn.MSELoss, no_grad is torch.no_grad])
show(lambda: [issubclass(torch.utils.data.RandomSampler, Sampler), default_collate([1, 2]), hasattr(nn.modules.linear, "Conv2d")])
show(lambda: tensordot(torch.ones(2, 2), torch.ones(2, 2), 1))

hooked, came = nn.Linear(2, 3), []
nn.init.ones_(hooked.weight)
nn.init.zeros_(hooked.bias)
handle = hooked.register_full_backward_hook(lambda module, left, arrived: came.append((left, arrived)))
show(lambda: [isinstance(handle, RemovableHandle), isinstance(hooked.register_forward_hook(print), RemovableHandle)])
hooked._forward_hooks.popitem()
leaf = torch.ones(2, 2, requires_grad=True)
(hooked(leaf) * 2).sum().backward()
show(lambda: [came[0], leaf.grad, hooked.weight.grad])
hooked(torch.ones(1, 2)).sum().backward()
show(lambda: came[1])
handle.remove()
hooked.register_full_backward_hook(lambda module, left, arrived: (left[0] * 10,))
hooked.register_full_backward_pre_hook(lambda module, arrived: (arrived[0] * 3,))
leaf.grad = None
hooked(leaf).sum().backward()
show(lambda: [leaf.grad, len(came), len(hooked._backward_hooks)])


class WithProperty(nn.Module):
    def __init__(self):
        super().__init__()
        self.beta = nn.Parameter(torch.zeros(1))
        self.tau = nn.Parameter(torch.ones(1))
        show(lambda: setattr(self, "gamma", nn.Parameter(torch.zeros(1))))

    gamma = property(lambda self: self.tau)

    @property
    def beta(self):
        return self.tau + 1


show(lambda: [WithProperty().beta, sorted(WithProperty().state_dict())])

from torch.nn.modules.batchnorm import _BatchNorm, _NormBase
from torch.nn.modules.dropout import _DropoutNd
from torch.nn.modules.loss import _Loss, _WeightedLoss
from torch.nn.modules.padding import _ReflectionPadNd
from torch.nn.modules.pooling import _AvgPoolNd, _MaxPoolNd


class Twice(_Loss):
    def forward(self, x):
        return 2 * x.sum() if self.reduction == "sum" else x


class Weighted(_WeightedLoss):
    pass


show(lambda: [isinstance(nn.BatchNorm2d(3), each) for each in (_BatchNorm, _NormBase, _DropoutNd, _Loss)])
show(lambda: [isinstance(nn.InstanceNorm2d(3), _BatchNorm), isinstance(nn.InstanceNorm2d(3), _NormBase)])
show(lambda: [isinstance(nn.Dropout2d(), _DropoutNd), isinstance(nn.MaxPool2d(2), _MaxPoolNd), isinstance(nn.MaxPool2d(2), _AvgPoolNd)])
show(lambda: [isinstance(nn.ReflectionPad2d(1), _ReflectionPadNd), issubclass(nn.BatchNorm1d, _BatchNorm), issubclass(nn.Linear, _BatchNorm)])
show(lambda: [isinstance(nn.MSELoss(), _Loss), isinstance(nn.CrossEntropyLoss(), _WeightedLoss), isinstance(nn.MSELoss(), _WeightedLoss)])
show(lambda: [Twice(reduction="sum")(torch.ones(3)), Twice()(torch.ones(1)), isinstance(nn.MSELoss(), Twice), isinstance(Twice(), _Loss)])
show(lambda: [Weighted(torch.ones(2)).weight, Weighted().weight is None, sorted(Weighted(torch.ones(2)).state_dict())])
show(lambda: torch.torch.nn.Linear is nn.Linear and torch.torch is torch)


class WithFunction:
    conv, other = torch.nn.functional.conv2d, torch.conv2d


show(lambda: [WithFunction().conv(torch.ones(1, 1, 3, 3), weight=torch.ones(1, 1, 2, 2)), WithFunction().other(torch.ones(1, 1, 3, 3), torch.ones(1, 1, 2, 2)), len(nn.ReLU()._backward_hooks)])


def slopes(function, *inputs, asked=None):
    """The gradients of inputs, or of one of them alone."""
    given = [each.clone().requires_grad_() if each.is_floating_point() else each for each in inputs]
    targets = given if asked is None else [given[asked]]
    return torch.autograd.grad(function(*given).sum(), targets)


certain = torch.tensor([1.0, 0.0, 0.5, 1.0, 0.25])
hits = torch.tensor([1.0, 0.0, 1.0, 0.0, 0.0])
for reduction in ("none", "sum", "mean"):
    show(lambda: slopes(lambda a: F.binary_cross_entropy(a, hits, reduction=reduction).clamp(max=9), certain))
    show(lambda: slopes(lambda a: F.binary_cross_entropy(certain[2:3], a, reduction=reduction), hits[:1]))
show(lambda: F.binary_cross_entropy(certain + 1, hits))
matrix, batch = numbers(3, 4), numbers(1, 3, 4)
for function in (
    lambda a: torch.mm(torch.zeros(0, 3), a),
    lambda a: torch.zeros(2, 0, 3) @ a,
    lambda a: torch.addmm(torch.zeros(4), torch.zeros(0, 3), a),
    lambda a: F.linear(torch.zeros(0, 4), a),
    lambda a: nn.Linear(4, 3)(a[:0]),
    lambda a: F.layer_norm(torch.zeros(0, 4), (4,), a[0], a[1]),
):
    show(lambda: slopes(function, matrix))
show(lambda: slopes(lambda a: torch.bmm(torch.zeros(1, 0, 3), a), batch))
for name in ("cross", "linalg.cross"):
    cross = torch.cross if name == "cross" else torch.linalg.cross
    show(lambda: [slopes(lambda a, b: cross(a, b), numbers(2, 3), numbers(2, 3, scale=2.0), asked=at) for at in (0, 1)])
show(lambda: [slopes(torch.logaddexp, numbers(3), numbers(3), asked=at) for at in (0, 1)])
values = numbers(2, 5, scale=5.0)
for name in "relu6 selu celu mish hardswish hardsigmoid hardtanh".split():
    changed = values.clone()
    show(lambda: [getattr(F, name)(input=values), getattr(F, name)(input=changed, inplace=True), changed])
show(lambda: [F.hardtanh(values, min_val=-2.0, max_val=0.5), F.tanhshrink(input=values), F.softsign(input=values)])
show(lambda: F.hardtanh(values, min_val=2.0))

# The gradient of an activation where it has a kink, of layers as of functions.
for layer in (nn.ReLU, nn.LeakyReLU, nn.ELU, nn.CELU, nn.ReLU6, nn.Hardtanh):
    for inplace in (False, True):
        kinks = torch.tensor([-1.0, -0.0, 0.0, 1.0, 6.0], requires_grad=True)
        layer(inplace=inplace)(kinks * 1).sum().backward()
        print(layer.__name__, inplace, [round(each, 4) for each in kinks.grad.tolist()])
    try:
        layer(inplace=True)(kinks)
    except RuntimeError as error:
        print(error)
