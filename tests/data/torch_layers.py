"""Layers of torch.nn with the same parameters, under torch and under Paddle: one line a result."""

import sys

if len(sys.argv) > 1:  # under Paddle
    exec(open(sys.argv[1]).read())
import math

import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pack_sequence, pad_packed_sequence


def plain(value):
    if isinstance(value, torch.Tensor):
        # To three digits, from above a tie that the last digit of a float could decide.
        listed = [x * 1000 + 0.0731 for x in value.detach().double().flatten().tolist()]
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
for options in ({}, {"norm_first": True, "activation": "gelu"}, {"bias": False, "batch_first": True}):
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

for layer in (nn.InstanceNorm1d(3), nn.InstanceNorm1d(3, affine=True), nn.LayerNorm((2, 4), bias=False)):
    show(lambda: tried(layer, numbers(3, 2, 4) if isinstance(layer, nn.LayerNorm) else numbers(2, 3, 4)))
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
    show(lambda: tried(nn.BCELoss(numbers(4).abs(), reduction=reduction), rows.sigmoid(), rows.abs()))
    weights = {"pos_weight": numbers(4).abs(), "reduction": reduction}
    show(lambda: tried(nn.BCEWithLogitsLoss(**weights), rows, rows.abs()))
    signs = torch.tensor([1, -1, 1, -1])
    show(lambda: tried(nn.MarginRankingLoss(0.5, reduction=reduction), rows, rows * 0.3, signs.expand(3, 4)))
    show(lambda: tried(nn.HingeEmbeddingLoss(reduction=reduction), rows.abs(), signs.float().expand(3, 4)))
    places = torch.tensor([[0, 2, -1, 1], [3, -1, 0, 0], [-1, 1, 2, 3]])
    show(lambda: tried(nn.MultiLabelMarginLoss(reduction=reduction), rows, places))
    show(lambda: tried(nn.MultiLabelSoftMarginLoss(reduction=reduction), rows, places % 2))
    show(lambda: tried(nn.MultiMarginLoss(2, 0.5, reduction=reduction), rows, torch.tensor([1, 0, 3])))
    show(lambda: tried(nn.GaussianNLLLoss(reduction=reduction), rows, rows * 0.3, rows.abs() + 0.1))
    scores, texts = numbers(6, 2, 4).log_softmax(2), torch.tensor([[1, 2, 1], [3, 2, 1]])
    show(lambda: tried(nn.CTCLoss(reduction=reduction), scores, texts, input_lengths=(6, 5), target_lengths=(3, 2)))
    joined = torch.tensor([1, 2, 1, 3, 2])
    show(lambda: tried(nn.CTCLoss(reduction=reduction), scores, joined, input_lengths=(6, 5), target_lengths=(3, 2)))
show(lambda: tried(nn.MultiLabelMarginLoss(), rows[0], places[0]))
show(lambda: tried(nn.MultiMarginLoss(weight=numbers(4).abs()), rows[0], torch.tensor(2)))
show(lambda: tried(nn.NLLLoss(size_average=False), rows, classes))
show(lambda: [*nn.BCELoss(weight=numbers(4)).state_dict()])
show(lambda: nn.GaussianNLLLoss(True))
show(lambda: nn.CTCLoss(reduction="sum", zero_infinity=True)(scores[:1], texts, (1, 1), (3, 2)))
