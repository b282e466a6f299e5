"""Names of torch that Paddle lacks, or has as something else: one line of output for each call.

Run by tests/test_unit_pieces.py: `python torch_missing_names.py`, or with the path of a unit to run
under Paddle's proxy. Of an exception the type is printed, not its words.
"""

import sys
import warnings

if len(sys.argv) > 1:
    import runpy

    import paddle

    paddle.enable_compat()
    runpy.run_path(sys.argv[1])

import torch
import torch.nn.functional as F
from torch import nn

warnings.simplefilter("ignore")


def show(label, f):
    try:
        print(label, plain(f()))
    except Exception as error:
        print(label, "raises", type(error).__name__)


def plain(value):
    if isinstance(value, torch.Tensor):
        found = value.detach().flatten().tolist()
        return list(value.shape), [round(n, 5) if isinstance(n, float) else n for n in found]
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    return round(value, 5) if isinstance(value, float) else value


def ramp(*shape, requires_grad=False):
    count = torch.Size(shape).numel()
    made = (torch.arange(count, dtype=torch.float32) * 37 % 11 / 5 - 1).reshape(shape)
    return made.requires_grad_() if requires_grad else made


# autocast


class Own(torch.autocast):
    def __init__(self):
        super().__init__("cpu", dtype=torch.bfloat16, enabled=False)


off = torch.autocast("cpu", enabled=False)
show("autocast is a class", lambda: [isinstance(off, torch.autocast), torch.autocast is torch.amp.autocast])
show("autocast has settings", lambda: [off.device, off.fast_dtype == torch.bfloat16, off._enabled])
show("own autocast", lambda: [isinstance(Own(), torch.amp.autocast), off(lambda x: x + 1)(2)])
with off as entered, Own(), torch.cuda.amp.autocast(False) as of_cuda:
    with off:
        show("autocast is off", lambda: [entered is off, torch.is_autocast_enabled()])
        show("autocast of cuda", lambda: [isinstance(of_cuda, torch.autocast), of_cuda.device, of_cuda.fast_dtype == torch.float16])
show("autocast of cuda without", lambda: torch.autocast("cuda")._enabled)
show("autocast of double", lambda: torch.autocast("cpu", dtype=torch.float64)._enabled)
for wrong in (None, "nothing"):
    show("autocast of a wrong device", lambda: torch.autocast(wrong))
show("autocast of no function", lambda: off(3))
show("autocast available", lambda: [torch.amp.is_autocast_available(each) for each in ("cpu", "cuda", "meta")])
show("amp not available", lambda: torch.cuda.amp.common.amp_definitely_not_available())

# finfo and iinfo
for dtype in (torch.float16, torch.bfloat16, torch.float32, torch.float64, torch.complex64):
    of = torch.finfo(dtype)
    show("finfo", lambda: [isinstance(of, torch.finfo), of, of.max, of.min, of.eps, of.tiny, of.bits, of.dtype])
for dtype in (torch.int8, torch.uint8, torch.int16, torch.int32, torch.int64):
    of = torch.iinfo(dtype)
    show("iinfo", lambda: [isinstance(of, torch.iinfo), of, of.max, of.min, of.bits, of.dtype])
for wrong in (
    lambda: torch.finfo(torch.int8),
    lambda: torch.iinfo(torch.float32),
    lambda: torch.iinfo(),
    lambda: torch.finfo("float32"),
    lambda: torch.iinfo(torch.bool),
    lambda: hash(torch.finfo()),
    lambda: torch.iinfo(torch.int8).eps,
):
    show("wrong limits", wrong)
show("default finfo", lambda: [torch.finfo(), torch.finfo() == torch.finfo(torch.float32), torch.finfo(type=torch.float16)])

# Other kinds
import torch.serialization
import torch.utils._pytree as pytree

with torch.serialization.safe_globals([Own]):
    show("safe inside", lambda: Own in torch.serialization.get_safe_globals())
show("safe outside", lambda: Own in torch.serialization.get_safe_globals())
show("safe is a class", lambda: isinstance(torch.serialization.safe_globals, type))
leaf, nested = pytree.tree_structure(1), pytree.tree_structure([1])
show("leaf spec", lambda: [isinstance(leaf, pytree.LeafSpec), isinstance(nested, pytree.LeafSpec), pytree.LeafSpec() == leaf])

# Layers
samples = torch.tensor([[[0.2, 0.7], [0.9, 0.1]]])
pool = nn.FractionalMaxPool2d(2, output_ratio=0.6, return_indices=True, _random_samples=samples)
show("fractional pool", lambda: pool(ramp(1, 2, 5, 6)))
show("fractional pool", lambda: [pool.kernel_size, pool.output_size, pool.output_ratio])
samples = torch.tensor([[[0.2, 0.7, 0.4]]])
show("fractional pool in 3-D", lambda: nn.FractionalMaxPool3d(2, 2, _random_samples=samples)(ramp(1, 1, 4, 5, 4)))
show("fractional pool", lambda: nn.FractionalMaxPool2d(2))
show("fractional pool", lambda: nn.FractionalMaxPool2d(2, 2, 0.5))
show("fractional pool", lambda: nn.FractionalMaxPool3d(2, output_ratio=(0.5, 0.5, 1.5)))
show("nll in 2-D", lambda: nn.NLLLoss2d()(ramp(1, 3, 2, 2), torch.tensor([[[0, 2], [1, 1]]])))
show("container", lambda: [name for name, _ in nn.Container(a=nn.Linear(1, 1), b=nn.ReLU()).named_children()])
for size in (3, 5):
    x = ramp(2, 9, 1, 2, requires_grad=True)
    y = nn.CrossMapLRN2d(size, alpha=0.3, beta=0.5, k=2)(x)
    (y * ramp(2, 9, 1, 2).flip(1)).sum().backward()
    show("cross map", lambda: [y, x.grad, nn.CrossMapLRN2d(size)])
show("cross map in 3-D", lambda: nn.CrossMapLRN2d(3)(ramp(3, 3, 3)))
for name in "LazyConv1d LazyConvTranspose3d FractionalMaxPool2d CrossMapLRN2d NLLLoss2d Container".split():
    show("in modules", lambda: getattr(nn.modules, name) is getattr(nn, name))
show("not in modules", lambda: nn.modules.NotThere)

# torch.nn.utils
from torch.nn import utils

pair = [ramp(2, 3), ramp(4)]
for order in (1, 2, float("inf"), 0.5):
    show("total norm", lambda: utils.get_total_norm(pair, order))
show("total norm of one", lambda: utils.get_total_norm(pair[0]))
show("total norm of none", lambda: utils.get_total_norm([]))
show("not finite", lambda: utils.get_total_norm([torch.tensor([float("inf")])], error_if_nonfinite=True))
layer = nn.Linear(2, 2)
for limit in (0.5, 100):
    layer.weight.grad, layer.bias.grad = ramp(2, 2), ramp(2)
    utils.clip_grads_with_norm_(layer.parameters(), limit, utils.get_total_norm([layer.weight.grad, layer.bias.grad]))
    show("clipped", lambda: [layer.weight.grad, layer.bias.grad])
from torch.nn.utils.clip_grad import clip_grad_norm_, clip_grad_value_

show("clip_grad", lambda: [clip_grad_norm_(layer.parameters(), 0.5), clip_grad_value_(layer.parameters(), 0.1), layer.weight.grad])
torch.manual_seed(3)
expected = torch.rand(2)
torch.manual_seed(3)
show("skip_init", lambda: [utils.skip_init(nn.Linear, 3, out_features=2).weight.shape, bool((torch.rand(2) == expected).all())])
show("skip_init of a function", lambda: utils.skip_init(torch.nn.ReLU))
normed = utils.spectral_norm(nn.Linear(3, 2))
normed.eval()
before = normed(ramp(3))
plainer = utils.remove_spectral_norm(normed)
show("without spectral norm", lambda: [bool(torch.allclose(plainer(ramp(3)), before)), sorted(n for n, _ in plainer.named_parameters()), len(list(plainer.buffers()))])
show("without spectral norm again", lambda: utils.remove_spectral_norm(plainer))
conv, norm = nn.Conv2d(2, 3, 2).eval(), nn.BatchNorm2d(3).eval()
norm.running_mean.fill_(0.3)
norm.running_var.fill_(2.0)
fused = utils.fuse_conv_bn_eval(conv, norm)
show("fused", lambda: torch.allclose(fused(ramp(1, 2, 4, 4)), norm(conv(ramp(1, 2, 4, 4))), atol=1e-5))
state = nn.Linear(1, 1).state_dict(prefix="module.")
nn.modules.utils.consume_prefix_in_state_dict_if_present(state, "module.")
show("without prefix", lambda: [list(state), nn.modules.utils._reverse_repeat_tuple((1, 2), 2)])

# torch.autograd
import torch.autograd.graph as graph

packed = []


def keep(name):
    return graph.saved_tensors_hooks(lambda t: packed.append(name) or t, lambda t: t)


def saving(context):
    packed.clear()
    x = ramp(3, requires_grad=True)
    with context:
        y = x.exp()
    y.sum().backward()
    return [len(packed) > 0, x.grad]


show("saved tensors", lambda: saving(keep("outer")))
with keep("outer"):
    show("nested hooks", lambda: [saving(keep("inner")), set(packed)])
    show("outer hooks again", lambda: [torch.exp(ramp(2, requires_grad=True)), packed[-1]])
show("saved on a CPU", lambda: saving(graph.save_on_cpu()))
show("saved pinned", lambda: saving(graph.save_on_cpu(pin_memory=True)))
with graph.disable_saved_tensors_hooks("not here"):
    show("refused hooks", lambda: saving(keep("outer")))
show("hooks are fine again", lambda: saving(keep("outer")))
show("edge", lambda: graph.GradientEdge(None, 1).output_nr)
x = ramp(2)
show("version", lambda: [graph.increment_version(x), x._version, graph.increment_version([x, x]), x._version])


def multi(mode):
    a, b, c, d = (ramp(2, requires_grad=True) for _ in range(4))
    found = []
    handle = graph.register_multi_grad_hook((a, b, c, d), found.append, mode=mode)
    c.sum().backward(retain_graph=True)
    middle = a * b
    (middle + c).sum().backward(retain_graph=True)
    (middle * c).sum().backward(inputs=(b,), retain_graph=True)
    handle.remove()
    graph.register_multi_grad_hook((middle, d), lambda given: found.append("middle"), mode=mode)
    middle.sum().backward()
    return found


show("multi grad hook", lambda: multi("all"))
show("multi grad hook", lambda: multi("any"))
show("multi grad hook", lambda: multi("none"))
show("inference mode", lambda: torch.autograd.inference_mode is torch.inference_mode)

# torch.utils.checkpoint and torch.func
import torch.utils.checkpoint as checkpoints
from torch import func

for stop in (True, False):
    with checkpoints.set_checkpoint_early_stop(stop), checkpoints.set_checkpoint_debug_enabled(None):
        x = ramp(3, requires_grad=True)
        checkpoints.checkpoint(lambda x: x.exp().sin(), x, use_reentrant=False).sum().backward()
        show("early stop", lambda: x.grad)
show("checkpoint error", lambda: issubclass(checkpoints.CheckpointError, RuntimeError))
checkpoints.DefaultDeviceType.set_device_type("cpu")
show("device type", lambda: checkpoints.DefaultDeviceType.get_device_type())
value, derivative = func.linearize(lambda x, d: {"sum": (x * d["y"]).sin(), "x": x * 2}, ramp(3), {"y": ramp(3) + 1})
show("linearize", lambda: value["sum"])
show("linearize", lambda: [derivative(ramp(3), {"y": ramp(3) * s})[key] for s in (1, 2) for key in ("sum", "x")])
show("linearize", lambda: derivative(ramp(3)))
show("linearize", lambda: derivative(ramp(4), {"y": ramp(3)}))
x = ramp(3)
show("functionalize", lambda: [func.functionalize(lambda x: x.add_(1) * 2)(x), x])
show("functionalize", lambda: func.functionalize(torch.sin, remove="mutations_and_views")(x))
show("functionalize", lambda: func.functionalize(torch.sin, remove="all"))
net = nn.Sequential(nn.Linear(2, 3), nn.BatchNorm1d(3))
show("batch norms", lambda: [func.replace_all_batch_norm_modules_(net) is net, net[1].running_mean, net[1].track_running_stats, sorted(net.state_dict())])
show("batch norms", lambda: torch.allclose(net.eval()(ramp(4, 2)).mean(0), torch.zeros(3), atol=1e-5))

# Functions of torch
theta = ramp(1, 2, 3)
show("affine grid", lambda: torch.affine_grid_generator(theta, [1, 1, 2, 2], True))
for value in (True, torch.tensor(False), torch.tensor([1, 0]), "yes"):
    show("cond", lambda: torch.cond(value, lambda x: x + 1, lambda x: x - 1, (torch.ones(2),)))
for module in (torch, F):
    show("conv_tbc", lambda: module.conv_tbc(ramp(5, 2, 3), ramp(2, 3, 4), ramp(4), 1))
    show("channel shuffle", lambda: module.native_channel_shuffle(ramp(1, 4, 2, 2), 2))
scores = ramp(6, 2, 4).log_softmax(-1)
for reduction in (0, 1, 2):
    show("ctc", lambda: torch.ctc_loss(scores, torch.tensor([[1, 2], [3, 1]]), torch.tensor([6, 5]), torch.tensor([2, 1]), 0, reduction))
sparse = torch.tensor([[0.0, 2.0], [3.0, 0.0]]).to_sparse()
for name in ("spmm", "dsmm"):
    show(name, lambda: getattr(torch, name)(sparse, ramp(2, 3)))
show("spmm of dense", lambda: torch.spmm(ramp(2, 2), ramp(2, 3)))
show("norms", lambda: [torch.nuclear_norm(ramp(3, 4)), torch.nuclear_norm(ramp(3, 4), True), torch.nuclear_norm(ramp(2, 3, 4), dim=(0, 2))])
show("norms", lambda: [torch.frobenius_norm(ramp(3, 4), dim=(0, 1)), torch.frobenius_norm(ramp(3, 4), 1, True), torch.frobenius_norm(ramp(3, 4), ())])
low = ramp(5, 2) @ ramp(2, 4)
for f in (torch.pca_lowrank, torch.svd_lowrank):
    u, s, v = f(low, q=2)
    show("low rank", lambda: [u.shape, v.shape, s])
for name, gates in (("lstm_cell", 4), ("gru_cell", 3), ("rnn_tanh_cell", 1), ("rnn_relu_cell", 1)):
    hidden = ramp(2, 3) + 0.1
    state = (hidden, ramp(2, 3)) if name == "lstm_cell" else hidden
    weights = ramp(3 * gates, 4), ramp(3 * gates, 3)
    show(name, lambda: getattr(torch, name)(ramp(2, 4), state, *weights))
    show(name, lambda: getattr(torch, name)(ramp(2, 4), state, *weights, ramp(3 * gates), ramp(3 * gates) / 2))
show("modes", lambda: [F.GRID_SAMPLE_INTERPOLATION_MODES, F.GRID_SAMPLE_PADDING_MODES])
x = torch.tensor([-2.5, -0.3, 0.0, 0.2, 0.49, 0.51, 1.0, 5.0])
for name in ("modified_bessel_i0", "modified_bessel_i1", "spherical_bessel_j0"):
    show(name, lambda: [getattr(torch.special, name)(x), getattr(torch.special, name)(torch.tensor([0, 3]))])
show("j0 far away", lambda: torch.special.spherical_bessel_j0(torch.tensor([float("inf"), -float("inf")])))
q = torch.tensor([0.5, 1.0, 2.5, 10.0, 0.0, -1.5])
for order in (1.0, 1.5, 2.0, 3.0, 9.0, 0.5):
    show("zeta", lambda: [str(n) for n in plain(torch.special.zeta(torch.tensor(order), q))[1]])
show("zeta of numbers", lambda: [torch.special.zeta(2.0, q[:2]), torch.special.zeta(torch.tensor([2, 3]), 1), torch.special.zeta(q[2:4].double(), 2)])
import torch.signal.windows as windows

show("windows", lambda: windows.hann(4))
show("layouts", lambda: [torch.sparse_csc, torch.sparse_bsr, torch.sparse_bsc, torch.jagged, torch.ones(1).layout == torch.sparse_bsr])


def steps_of_batch_norm():
    """torch has these functions for GPUs only."""
    if torch.__version__.startswith("2.13"):
        return True
    x, weight, bias = ramp(4, 3, 2, requires_grad=True), ramp(3) + 2, ramp(3)
    own = [torch.zeros(3), torch.ones(3)]
    expected = F.batch_norm(x, *own, weight, bias, True, 0.1, 1e-5)
    expected.backward(ramp(4, 3, 2).flip(0))
    stats = [torch.batch_norm_stats(part.detach(), 1e-5) for part in (x[:1], x[1:])]
    means, inverses = torch.stack([m for m, _ in stats]), torch.stack([s for _, s in stats])
    running, counts = [torch.zeros(3), torch.ones(3)], torch.tensor([2.0, 6.0])
    mean, inverse = torch.batch_norm_gather_stats_with_counts(x, means, inverses, *running, 0.1, 1e-5, counts)
    given = ramp(4, 3, 2).flip(0), x.detach(), mean, inverse, weight
    sums = torch.batch_norm_backward_reduce(*given, True, True, True)
    found = torch.batch_norm_backward_elemt(*given, *sums[:2], counts)
    close = [(x.grad, found), *zip(own, running), (expected, torch.batch_norm_elemt(x, weight, bias, mean, inverse, 1e-5))]
    return all(torch.allclose(a, b, atol=1e-5) for a, b in close)


show("steps of batch norm", steps_of_batch_norm)
for scale, zero, low, high in ((0.3, 2, 0, 7), (0.25, 0, -2, 3), (torch.tensor([0.25]), torch.tensor([1]), 0, 4), (0.3, 9, 0, 7), (0.3, 1, 3, 2)):
    x = ramp(3, 4, requires_grad=True)
    show("as if quantized", lambda: torch.fake_quantize_per_tensor_affine(x, scale, zero, low, high))
    show("its gradient", lambda: torch.autograd.grad(torch.fake_quantize_per_tensor_affine(x, scale, zero, low, high).sum(), x))
show("per channel", lambda: torch.fake_quantize_per_channel_affine(ramp(3, 2), torch.tensor([0.3, 0.25]), torch.tensor([0, 1], dtype=torch.int32), 1, -2, 3))
show("per channel", lambda: torch.fake_quantize_per_channel_affine(ramp(3, 2), torch.tensor([0.3]), torch.tensor([0], dtype=torch.int32), 1, -2, 3))
show("ways to quantize", lambda: [isinstance(torch.per_tensor_affine, torch.qscheme), torch.per_channel_symmetric, torch.per_tensor_symmetric == torch.per_tensor_affine])
show("symbols", lambda: [isinstance(3, torch.SymInt), torch.types.SymBool is torch.SymBool, issubclass(torch.AcceleratorError, RuntimeError)])
for number in (3, 4, 0, "2"):
    show("threads", lambda: torch.set_num_interop_threads(number))
show("threads", lambda: torch.get_num_interop_threads())
for mode in ("warn", 2, "default", 5, None):
    show("deterministic", lambda: [torch.set_deterministic_debug_mode(mode), torch.get_deterministic_debug_mode(), torch.are_deterministic_algorithms_enabled()])
show("warn always", lambda: [torch.is_warn_always_enabled(), torch.set_warn_always(True), torch.is_warn_always_enabled(), torch.set_warn_always(False)])
show("warn always", lambda: torch.set_warn_always(3))
show("anomaly", lambda: [torch.set_anomaly_enabled(True), torch.is_anomaly_enabled(), torch.set_anomaly_enabled(False), torch.is_anomaly_enabled()])

# torch.optim


def stepped(kind, *shapes, **options):
    tensors = [ramp(*shape, requires_grad=True) for shape in shapes]
    optimizer = kind(tensors, **options)
    for at in range(4):
        for each in tensors:
            each.grad = (ramp(*each.shape).flip(0) + at / 4).detach()
        optimizer.step()
    state = optimizer.state_dict()["state"][0]
    return [tensors, sorted((name, list(torch.as_tensor(value).shape)) for name, value in state.items())]


for options in ({}, {"lr": 0.5, "weight_decay": 0.1}, {"maximize": True, "d": 1.5, "eps": (1e-4, 0.1)}, {"d": 0.5}, {"beta2_decay": 1}):
    show("Adafactor", lambda: stepped(torch.optim.Adafactor, (3, 4), (4,), (2, 2, 3), **options))


def coarse(found):
    """Muon computes in bfloat16, in another order of sums."""
    return [[round(n, 2) + 0.0 for n in each.flatten().tolist()] for each in found[0]], found[1]


for options in ({}, {"lr": 0.1, "nesterov": False}, {"lr": 0.02, "adjust_lr_fn": "match_rms_adamw"}, {"adjust_lr_fn": "none"}):
    show("Muon", lambda: coarse(stepped(torch.optim.Muon, (3, 4), (5, 2), **options)))
show("Muon of a vector", lambda: torch.optim.Muon([ramp(3)]))

# torch.utils._pytree
import collections
import dataclasses
import enum


@dataclasses.dataclass
class Fields:
    a: int
    b: list
    c: object = None
    d: int = 3


@dataclasses.dataclass(frozen=True)
class Constant:
    value: int


class Color(enum.Enum):
    RED = 1


Point = collections.namedtuple("Point", "x y")
pytree.register_dataclass(Fields, serialized_type_name="Fields", drop_field_names=["d"])
pytree.register_constant(Constant)
trees = [
    1, [1, (2, {"a": 3})], collections.OrderedDict(a=1), collections.defaultdict(list, a=[1]), collections.deque([1], maxlen=3),
    Fields(1, [2]), {Color.RED: 1}, [Constant(3), 1],
]  # fmt: skip
for tree in trees:
    spec = pytree.tree_structure(tree)
    show("spec", lambda: [spec, pytree.treespec_pprint(spec)])
    show("spec as text", lambda: pytree.treespec_dumps(spec))
    show("spec again", lambda: [pytree.treespec_loads(pytree.treespec_dumps(spec)) == spec])
    show("leaves", lambda: [str(pytree.tree_flatten_with_path(tree)[0]), pytree.tree_unflatten([7] * spec.num_leaves, spec)])
pytree._deregister_pytree_node(Fields) if hasattr(pytree, "_deregister_pytree_node") else pytree.SUPPORTED_NODES.pop(Fields)
pytree.register_dataclass(Fields, field_names=["a", "b", "c"], drop_field_names=["d"])
show("dropped", lambda: pytree.tree_map(lambda n: n + 1, Fields(1, [2], d=9)))
show("spec as text", lambda: pytree.treespec_dumps(leaf, protocol=2))
show("spec of a list", lambda: pytree.treespec_dumps([1]))
for wrong in ((int,), {"field_names": ["a"]}):
    show("wrong fields", lambda: pytree.register_dataclass(Fields, **wrong) if isinstance(wrong, dict) else pytree.register_dataclass(*wrong))
show("wrong constant", lambda: pytree.register_constant(type("Plain", (), {})))
show("constants", lambda: [pytree.is_constant_class(Constant), pytree.is_constant_class(int), pytree.is_namedtuple(Point(1, 2)), pytree.is_namedtuple_class(tuple)])
tree, seen = [1, {"a": 2.5}, (3,)], []
show("in place", lambda: [pytree.tree_map_(seen.append, tree) is tree, seen, pytree.tree_map_only_(float, seen.append, tree) is tree, seen])
show("only", lambda: [pytree.tree_all_only(int, lambda n: n > 0, tree), pytree.tree_any_only(float, lambda n: n > 3, tree)])
show("map only", lambda: [pytree.map_only(int)(str)(1), pytree.map_only((float, list))(str)(1), pytree.map_only(lambda n: n > 3)(str)(4)])
show("map only", lambda: pytree.map_only(3))
show("arguments", lambda: pytree.arg_tree_leaves([1, 2], a={"b": 3}))
show("keys", lambda: pytree.key_get(tree, (pytree.SequenceKey(1), pytree.MappingKey("a"))))
show("specs", lambda: [pytree.treespec_tuple([leaf, leaf]), pytree.treespec_dict(a=leaf), pytree.treespec_leaf(), nested.child(0), nested.children()])
show("specs", lambda: pytree.treespec_tuple([1]))

# torch.distributed
import datetime
import os

import torch.distributed as dist

store = dist.HashStore()
show("store", lambda: [store.set("a", "1"), store.get("a"), store.set("b", "xy"), store.add("c", 3), store.add("c", -1), store.get("c")])
show("store", lambda: [store.compare_set("a", "1", "2"), store.compare_set("a", "1", "3"), store.compare_set("z", "", "3"), store.compare_set("y", "q", "3")])
show("store", lambda: [store.check(["a"]), store.check(["a", "none"]), store.num_keys(), store.delete_key("a"), store.delete_key("a"), store.num_keys()])
show("store", lambda: [store.append("p", "a"), store.append("p", "b"), store.multi_set(["m", "n"], ["1", "2"]), store.multi_get(["m", "n", "p"])])
show("store", lambda: [store.queue_push("q", "1"), store.queue_len("q"), store.queue_pop("q")])
show("store", lambda: store.queue_pop("q", False))
show("store", lambda: store.add("b", 3))
show("store", lambda: store.wait(["none"], datetime.timedelta(milliseconds=20)))
store.set_timeout(datetime.timedelta(milliseconds=20))
show("store", lambda: store.get("none"))
show("store", lambda: [store.timeout, store.wait(["b"]), store.has_extended_api(), isinstance(store, dist.Store)])
inner = dist.PrefixStore("pre", store)
show("prefix", lambda: [inner.set("a", "5"), inner.get("a"), store.get("pre/a"), inner.underlying_store is store, inner.num_keys(), inner.add("k", 2)])
show("prefix", lambda: [inner.delete_key("a"), inner.check(["a"]), inner.compare_set("k", "2", "4"), store.get("pre/k"), inner.wait(["k"]), inner.timeout])
show("errors", lambda: [issubclass(a, b) for a, b in ((dist.QueueEmptyError, dist.DistStoreError), (dist.DistStoreError, dist.DistError), (dist.DistBackendError, RuntimeError), (dist.DistNetworkError, dist.DistError))])
os.environ.pop("LOCAL_RANK", None)
show("local rank", dist.get_node_local_rank)
show("local rank", lambda: dist.get_node_local_rank(3))
os.environ["LOCAL_RANK"] = "2"
show("local rank", lambda: dist.get_node_local_rank(3))
show("backends", lambda: [dist.is_backend_available(name) for name in ("gloo", "GLOO", "zzz", "ucc")] + [dist.is_ucc_available(), dist.is_xccl_available()])
show("backends", lambda: [dist.default_pg_timeout, *map(dist.get_default_backend_for_device, ("cpu", "cuda", torch.device("cpu")))])
show("complex", lambda: [dist.supports_complex(getattr(dist.ReduceOp, name)) for name in ("SUM", "MAX", "MIN", "PRODUCT", "AVG")])

# torch.hub, torch.serialization and private functions of a module
import types

import torch.hub as hub
import torch.nn.modules.transformer as transformer

show("hub", lambda: [hub.HTTPError.__name__, hub.URLError.__name__, hub.DEFAULT_CACHE_DIR, hub.ENV_GITHUB_TOKEN, hub.ENV_TORCH_HOME])
show("hub", lambda: [hub.ENV_XDG_CACHE_HOME, hub.MODULE_HUBCONF, hub.READ_DATA_CHUNK])
memory = torch.ones(2).untyped_storage()
restore = torch.serialization.default_restore_location
show("place", lambda: [torch.serialization.location_tag(memory), restore(memory, "cpu") is memory])
show("place", lambda: restore(memory, "cuda:0"))
show("place", lambda: restore(memory, "nowhere"))
some = types.ModuleType("some")
some.__version__ = "1.2.x"
for version in ((1, 2), (1, 3), (1, 2, 3)):
    show("version", lambda: torch.serialization.check_module_version_greater_or_equal(some, version))
show("version", lambda: torch.serialization.check_module_version_greater_or_equal(some, (1, 2, 3), error_if_malformed=False))
show("transformer", lambda: [transformer._get_activation_fn("gelu")(ramp(3)), len(transformer._get_clones(nn.Linear(1, 1), 3))])
show("transformer", lambda: transformer._get_activation_fn("tanh"))
show("transformer", lambda: [transformer._get_seq_len(ramp(2, 3, 4), first) for first in (True, False)] + [transformer._get_seq_len(ramp(2, 3), True)])

# torch.cuda without a GPU
import torch.cuda.nvtx
import torch.cuda.random

for name in (
    "get_per_process_memory_fraction utilization temperature power_draw clock_rate memory_usage device_memory_used memory_cached "
    "max_memory_cached list_gpu_processes is_tf32_supported get_sync_debug_mode seed_all current_solver_handle"
).split():
    show(name, lambda: getattr(torch.cuda, name)())
show("fraction", lambda: torch.cuda.set_per_process_memory_fraction(0.5))
show("sync", lambda: torch.cuda.set_sync_debug_mode(1))
show("facts of CUDA", lambda: [torch.cuda.default_generators, torch.cuda.has_half, torch.cuda.has_magma])
with torch.cuda.device_of(ramp(2)) as inside:
    show("device of", lambda: inside)
show("mark", lambda: torch.cuda.nvtx.mark("here"))
for name in "get_rng_state initial_seed seed seed_all".split():
    show(name, lambda: getattr(torch.cuda.random, name)())
show("manual_seed", lambda: [torch.cuda.random.manual_seed(3), torch.cuda.random.manual_seed_all(3)])
einsum = torch.backends.opt_einsum
show("einsum", lambda: [einsum.is_available(), einsum.get_opt_einsum(), einsum.enabled, einsum.strategy])

# torch.utils.data
from torch.utils.data import DataLoader, StackDataset, Subset

show("stacked", lambda: [StackDataset([1, 2], [3, 4])[1], len(StackDataset(a=[1, 2])), StackDataset(a=[1, 2], b="xy")[0]])
show("stacked", lambda: StackDataset(Subset([1, 2, 3], [2, 0]), [3, 4]).__getitems__([1, 0]))
show("stacked", lambda: [*DataLoader(StackDataset(a=ramp(3, 1), b=[1, 2, 3]), batch_size=2)][0])
show("stacked", lambda: [*map(plain, next(iter(DataLoader(StackDataset(ramp(3, 1), [1, 2, 3]), batch_size=2))))])
for wrong in (((), {}), (([1], [1, 2]), {}), (([1],), {"a": [1]})):
    show("stacked", lambda: StackDataset(*wrong[0], **wrong[1]))
