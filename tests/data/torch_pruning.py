"""Pruning of parameters: masks, states and results, one line each.

Run by tests/test_compat_methods.py under torch and under Paddle.
"""

import torch
from torch import nn
from torch.nn.utils import prune


def made(*shape):
    layer = nn.Linear(*shape)
    with torch.no_grad():
        layer.weight.copy_(torch.arange(layer.weight.numel()).reshape(layer.weight.shape).sin() * 2)
        layer.bias.copy_(torch.arange(float(layer.bias.numel())))
    return layer


def tell(name, call):
    try:
        print(name, call())
    except Exception as error:
        print(name, type(error).__name__)


def state(layer):
    return sorted((key, value.tolist()) for key, value in layer.state_dict().items())


layer = made(4, 3)
tell("l1", lambda: prune.l1_unstructured(layer, "weight", 0.5) is layer)
tell("state", lambda: [(key, [[round(each, 3) for each in row] for row in value]) for key, value in state(layer)[1:]])
tell("parameters", lambda: (sorted(dict(layer.named_parameters())), sorted(dict(layer.named_buffers()))))
tell("pruned", lambda: (prune.is_pruned(layer), type(layer.weight).__name__, len(layer._forward_pre_hooks)))
tell("result", lambda: layer(torch.ones(2, 4)).detach().round().tolist())
layer(torch.ones(2, 4)).sum().backward()
tell("gradient", lambda: layer.weight_orig.grad.tolist())
tell("again", lambda: prune.ln_structured(layer, "weight", 1, n=2, dim=1).weight_mask.tolist())
tell("buffers", lambda: [name for name, _ in layer.named_buffers()])
tell("container", lambda: [[type(each).__name__ for each in hook] for hook in layer._forward_pre_hooks.values()])
tell("third", lambda: prune.l1_unstructured(layer, "weight", 2).weight_mask.tolist())
tell("removed", lambda: sorted(dict(prune.remove(layer, "weight").named_parameters())))
tell("weight", lambda: [[round(each, 2) + 0.0 for each in row] for row in layer.weight.tolist()])
tell("not pruned", lambda: (prune.is_pruned(layer), prune.remove(layer, "weight")))
tell("bias", lambda: prune.l1_unstructured(made(4, 5), "bias", amount=3).bias.detach().tolist())
tell("structured", lambda: prune.ln_structured(nn.Conv2d(3, 4, 2), "weight", 0.5, n=1, dim=0).weight_mask.sum().item())
tell("random", lambda: prune.random_unstructured(made(8, 8), "weight", 0.25).weight_mask.sum().item())
tell("rows", lambda: sorted(prune.random_structured(made(8, 4), "weight", 2, 0).weight_mask.sum(1).tolist()))
tell("own", lambda: prune.custom_from_mask(made(3, 1), "bias", torch.tensor([0.0])).bias.tolist())
tell("identity", lambda: prune.identity(made(3, 1), "bias").bias_mask.tolist())
scores = torch.tensor([[1.0, 5.0], [2.0, 4.0]])
tell("scores", lambda: prune.l1_unstructured(made(2, 2), "weight", 2, importance_scores=scores).weight_mask.tolist())
net = nn.Sequential(made(3, 2), nn.ReLU(), made(2, 3))
prune.global_unstructured([(net[0], "weight"), (net[2], "weight")], prune.L1Unstructured, amount=0.5)
tell("global", lambda: (net[0].weight_mask.tolist(), net[2].weight_mask.tolist(), net(torch.ones(1, 3)).shape))
prune.global_unstructured([(net[0], "weight"), (net[2], "weight")], prune.L1Unstructured, amount=2)
tell("global again", lambda: (net[0].weight_mask.tolist(), net[2].weight_mask.tolist()))
tell("method", lambda: prune.L1Unstructured(2).prune(torch.tensor([1.0, -3.0, 2.0, 0.5])).tolist())


class Alternate(prune.BasePruningMethod):
    PRUNING_TYPE = "unstructured"

    def compute_mask(self, t, default_mask):
        mask = default_mask.clone()
        mask.view(-1)[::2] = 0
        return mask


def alternate():
    found = made(3, 2)
    Alternate.apply(found, "weight")
    return found.weight_mask.tolist()


tell("alternate", alternate)
for amount in (-1, 1.5, "x", 100):
    tell("amount", lambda amount=amount: prune.l1_unstructured(made(2, 2), "weight", amount))
tell("dim", lambda: prune.random_structured(made(2, 2), "weight", 1, 4))
tell("one dim", lambda: prune.ln_structured(made(2, 2), "bias", 1, n=2, dim=0))
other = made(4, 3)
prune.l1_unstructured(other, "weight", 0.5)
fresh = made(4, 3)
prune.identity(fresh, "weight")
fresh.load_state_dict(other.state_dict())
fresh(torch.ones(1, 4))
tell("loaded", lambda: torch.equal(fresh.weight, other.weight))
