"""Names of torch that Paddle lacks and that have a module, or a subject, of their own: one line each.

Run by tests/test_compat_package.py: `python torch_names.py`, or with the path of a unit to run
under Paddle's proxy.
"""

import sys

if len(sys.argv) > 1:
    import runpy

    import paddle

    paddle.enable_compat()
    runpy.run_path(sys.argv[1])

import torch
from torch import nn

n = 0


def plain(value):
    if isinstance(value, torch.Tensor):
        flat = value.detach().reshape(-1).tolist()
        rounded = [float(f"{each:.4g}") if isinstance(each, float) else each for each in flat]
        return rounded, list(value.shape), str(value.dtype)
    return [plain(each) for each in value] if isinstance(value, (list, tuple)) else value


def show(call):
    global n
    n += 1
    try:
        print(n, "ok", plain(call()))
    except Exception as error:
        print(n, type(error).__name__)


# Samplers of several processes, and batches.
from torch.utils.data import DistributedSampler, _utils
from torch.utils.data.distributed import DistributedSampler as same

numbers = list(range(11))


def sampled(**options):
    sampler = DistributedSampler(numbers, 3, **options)
    first = list(sampler)
    sampler.set_epoch(2)
    return len(sampler), sampler.total_size, first, list(sampler)


show(lambda: (same is DistributedSampler, DistributedSampler([1])))
show(lambda: DistributedSampler(numbers, 2, 2))
for rank in range(3):
    show(lambda: sampled(rank=rank))
    show(lambda: sampled(rank=rank, shuffle=False))
    show(lambda: sampled(rank=rank, seed=4, drop_last=True))
show(lambda: list(DistributedSampler([1], 4, 3)))
show(lambda: _utils.collate.default_collate([{"a": 1.5, "b": (1, 2)}, {"a": 2.5, "b": (3, 4)}])["b"])

# Lists of tensors.
from torch._utils import _flatten_dense_tensors, _take_tensors, _unflatten_dense_tensors

tensors = [torch.tensor([1.0, 2.0]), torch.tensor([[3.0], [4.5]]), torch.tensor([2.0])]
flat = _flatten_dense_tensors(tensors)
show(lambda: flat)
show(lambda: _unflatten_dense_tensors(flat * 2, tensors))
show(lambda: [*_take_tensors([*tensors, tensors[0].double(), *tensors], 12)])
show(lambda: torch._utils._element_size(torch.float16))


def in_place(name, *operands, **options):
    copies = [tensor.clone() for tensor in tensors]
    result = getattr(torch, name)(copies, *operands, **options)
    return [a is b for a, b in zip(result, copies, strict=True)], copies


others = [tensor + 1 for tensor in tensors]
for name in ("add", "sub", "mul", "div", "maximum", "minimum", "pow", "clamp_max", "clamp_min"):
    for operand in (2.0, [1.0, 2.0, 3.0], others):
        show(lambda: getattr(torch, f"_foreach_{name}")(tensors, operand))
        show(lambda: in_place(f"_foreach_{name}_", operand))
show(lambda: torch._foreach_add(tensors, others, alpha=2))
show(lambda: in_place("_foreach_sub_", others, alpha=3))
show(lambda: torch._foreach_mul(tensors, torch.tensor(2.0)))
show(lambda: torch._foreach_add(tensors, others[:2]))
for name in ("addcdiv", "addcmul"):
    for value in ((), (2,), ([1.0, 2.0, 3.0],), (torch.tensor([1.0, 2.0, 3.0]),)):
        show(lambda: getattr(torch, f"_foreach_{name}")(tensors, others, tensors, *value))
        show(lambda: in_place(f"_foreach_{name}_", others, tensors, *value))
    show(lambda: in_place(f"_foreach_{name}_", others, tensors, value=-1))
show(lambda: torch._foreach_lerp(tensors, others, 0.5))
show(lambda: in_place("_foreach_lerp_", others, [torch.tensor(0.25)] * 3))
for name in (
    "abs acos asin atan ceil cos cosh erf erfc exp expm1 floor frac lgamma log log10 log1p log2 neg "
    "reciprocal round rsqrt sigmoid sign sin sinh sqrt tan tanh trunc"
).split():
    show(lambda: getattr(torch, f"_foreach_{name}")(tensors))
    show(lambda: in_place(f"_foreach_{name}_"))
show(lambda: in_place("_foreach_zero_"))
show(lambda: in_place("_foreach_copy_", others))
for order in (1, 2, float("inf")):
    show(lambda: torch._foreach_norm(tensors, order))
show(lambda: (torch._foreach_max(tensors), torch._foreach_clone(tensors)))

# Checks and names of types.
for message in ("why", ""):
    show(lambda: torch._assert(False, message))
show(lambda: torch._assert(True, "why"))
show(lambda: torch._assert_async(torch.tensor([1.0])))
show(lambda: torch._assert_async(torch.tensor(0), "why"))
for size in (0, 3, -1):
    show(lambda: torch._check_is_size(size))
show(lambda: torch._check_is_size(3, max=2))
for each in (torch.ones(1), torch.ones(1).long(), 3, str, [].append, len):
    show(lambda: torch.typename(each))
for name in ("symeig", "eig", "matrix_rank"):
    show(lambda: getattr(torch, name)(torch.eye(2)))
show(lambda: (torch.is_inference(torch.ones(1)), torch.is_distributed(torch.ones(1))))

# Traces: what is traced gives the same values.
module = nn.Linear(2, 3)
show(lambda: (torch.jit.trace(module, torch.ones(1, 2))(torch.ones(4, 2)) - module(torch.ones(4, 2))))
show(lambda: torch.jit.trace(torch.add, (torch.ones(2), torch.ones(2)))(torch.ones(3), 2 * torch.ones(3)))
show(lambda: torch.jit.trace(lambda x: x.no_such_method(), torch.ones(1)))
show(lambda: issubclass(torch.jit.TracerWarning, Warning) and isinstance(nn.Linear(1, 1), torch.jit.ScriptModule))


class Scripted(torch.jit.ScriptModule):
    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(1, 1)

    @torch.jit.script_method
    def forward(self, x):
        return self.inner(x) - self.inner(x)


show(lambda: (Scripted()(torch.ones(1, 1)), isinstance(Scripted(), nn.Module)))

# Files of models.
import os

import torch.utils.model_zoo

os.environ["TORCH_HOME"] = "/no/such"
show(lambda: (torch.hub._get_torch_home(), torch.hub._check_module_exists("json"), torch.hub.urlparse("a://b/c").path))
show(lambda: torch.utils.model_zoo.load_url is torch.hub.load_state_dict_from_url)


# Bags of embeddings.
table = torch.arange(12.0).reshape(6, 2).requires_grad_()
words, starts = torch.tensor([1, 2, 4, 5, 4, 3]), torch.tensor([0, 2, 2, 5])


def bagged(*args, **options):
    table.grad = None
    with torch.no_grad():
        table.copy_(torch.arange(12.0).reshape(6, 2))
    given = nn.functional.embedding_bag(*args, **options)
    (given * given).sum().backward()
    return given, table.grad, table


for mode in ("sum", "mean", "max"):
    show(lambda: bagged(words, table, starts, mode=mode))
    show(lambda: bagged(words.reshape(2, 3), table, mode=mode))
    show(lambda: bagged(words, table, starts, mode=mode, padding_idx=4))
    show(lambda: bagged(words, table, torch.tensor([0, 2, 2, 6]), mode=mode, include_last_offset=True))
    show(lambda: bagged(words, table, starts, mode=mode, max_norm=3.0))
    show(lambda: bagged(words, table, starts, mode=mode, per_sample_weights=torch.arange(6.0)))
    show(lambda: bagged(torch.tensor([1, 1, 1]), table, torch.tensor([0, 1]), mode=mode, scale_grad_by_freq=True))
show(lambda: bagged(words, table))
show(lambda: bagged(words.reshape(2, 3), table, starts))
show(lambda: bagged(words, table, torch.tensor([1, 2])))
show(lambda: bagged(words, table, starts, mode="other"))
show(lambda: bagged(words.int(), table, starts.int()))
show(lambda: bagged(torch.tensor([], dtype=torch.long), table, torch.tensor([0, 0])))
show(lambda: str(nn.EmbeddingBag(3, 2, padding_idx=1, mode="max", max_norm=2.0)))
torch.manual_seed(0)
show(lambda: nn.EmbeddingBag(3, 2, padding_idx=1, device="cpu").weight)
bags = nn.EmbeddingBag.from_pretrained(torch.eye(3), mode="sum")
show(lambda: (bags(torch.tensor([[0, 1], [1, 2]])), bags.weight.requires_grad, bags.mode, [*bags.state_dict()]))
bags = nn.EmbeddingBag(3, 2, mode="max", _weight=torch.ones(3, 2), include_last_offset=True)
show(lambda: bags(torch.tensor([0, 1, 2]), torch.tensor([0, 1, 3])))

# Parameters that are computed from others.
import copy

from torch.nn.utils import parametrizations, parametrize


class Symmetric(nn.Module):
    def forward(self, x):
        return x.triu() + x.triu(1).transpose(-1, -2)

    def right_inverse(self, x):
        return x.triu()


class Doubled(nn.Module):
    def forward(self, x):
        return 2 * x


class Shorter(nn.Module):
    def forward(self, x):
        return x[:1]


def linear():
    layer = nn.Linear(2, 2)
    with torch.no_grad():
        layer.weight.copy_(torch.tensor([[1.0, 2.0], [3.0, 4.0]]))
        layer.bias.fill_(0.5)
    return layer


def parametrized(make):
    layer = linear()
    kind = type(layer)
    make(layer)
    layer(torch.ones(1, 2)).sum().backward()
    grads = [(name, each.grad) for name, each in layer.named_parameters()]
    again = copy.deepcopy(layer)
    return type(layer).__name__, layer.weight, layer.bias, grads, sorted(layer.state_dict()), again.weight, [
        parametrize.is_parametrized(layer), parametrize.is_parametrized(layer, "weight"),
        parametrize.type_before_parametrizations(layer) is kind,
    ]  # fmt: skip


torch.manual_seed(3)
for make in (
    lambda layer: parametrize.register_parametrization(layer, "weight", Symmetric()),
    lambda layer: parametrize.register_parametrization(layer, "bias", Doubled()),
    lambda layer: [parametrize.register_parametrization(layer, "weight", each()) for each in (Symmetric, Doubled)],
    lambda layer: parametrizations.weight_norm(layer),
    lambda layer: parametrizations.weight_norm(layer, dim=None),
    lambda layer: parametrizations.weight_norm(layer, "weight", 1),
    lambda layer: parametrizations.spectral_norm(layer),
    lambda layer: parametrizations.spectral_norm(layer, n_power_iterations=3, dim=1),
    lambda layer: parametrizations.spectral_norm(layer, "bias"),
    lambda layer: parametrizations.spectral_norm(layer, "none"),
    lambda layer: parametrizations.spectral_norm(layer, dim=2),
    lambda layer: parametrize.register_parametrization(layer, "none", Doubled()),
    lambda layer: parametrize.register_parametrization(layer, "weight", Shorter()),
):
    show(lambda: parametrized(make))


def assigned(part):
    layer = parametrize.register_parametrization(linear(), "weight", part)
    layer.weight = torch.tensor([[5.0, 6.0], [7.0, 8.0]])
    return layer.weight, layer.parametrizations.weight.original


show(lambda: assigned(Symmetric()))
show(lambda: assigned(Doubled()))


def removed(leave, *makers):
    layer = linear()
    kind = type(layer)
    for make in makers:
        make(layer)
    parametrize.remove_parametrizations(layer, "weight", leave_parametrized=leave)
    return layer.weight, type(layer) is kind, isinstance(layer.weight, nn.Parameter), sorted(layer.state_dict())


for leave in (True, False):
    show(lambda: removed(leave, lambda layer: parametrize.register_parametrization(layer, "weight", Doubled())))
    show(lambda: removed(leave, parametrizations.weight_norm))
    show(lambda: removed(leave))


def once():
    layer = parametrize.register_parametrization(linear(), "weight", Doubled())
    with parametrize.cached():
        inside = layer.weight is layer.weight
    return inside, layer.weight is layer.weight


show(once)


def old_names():
    layer = parametrizations.weight_norm(linear())
    state = {"weight_g": torch.ones(2, 1), "weight_v": torch.ones(2, 2), "bias": torch.ones(2)}
    return str(layer.load_state_dict(state)), layer.weight


show(old_names)
other = nn.Linear(2, 2)
show(
    lambda: parametrize.transfer_parametrizations_and_params(
        parametrize.register_parametrization(linear(), "weight", Doubled()), other
    ).weight
)

# Profiles: what is asked for, when it is given, and what ranges of the program are in it.
import json
import tempfile

from torch import profiler

show(lambda: [activity.name for activity in (profiler.ProfilerActivity.CPU, profiler.ProfilerActivity.CUDA)])
for plan in (
    {"wait": 1, "warmup": 1, "active": 2},
    {"wait": 1, "warmup": 1, "active": 2, "repeat": 2, "skip_first": 1},
    {"wait": 2, "warmup": 0, "active": 1, "skip_first_wait": 1, "repeat": 1},
    {"wait": 1, "warmup": 1, "active": 0},
    {"wait": -1, "warmup": 1, "active": 1},
):
    show(lambda: [profiler.schedule(**plan)(step).name for step in range(12)])
folder = tempfile.mkdtemp()


def recorded(steps=6, **options):
    ready = []
    write = profiler.tensorboard_trace_handler(folder, "me")

    def take(given):
        write(given)
        ready.append((given.step_num, [each.count for each in given.key_averages() if each.key == "mine"]))

    with profiler.profile(activities=[profiler.ProfilerActivity.CPU], on_trace_ready=take, **options) as run:
        for _ in range(steps):
            with profiler.record_function("mine"):
                torch.ones(3) + 1
            run.step()
    averages = run.key_averages()
    (mine,) = [each for each in averages if each.key == "mine"]
    text = averages.table(sort_by="self_cpu_time_total", row_limit=4)
    sums = abs(mine.cpu_time_total - mine.count * mine.cpu_time) < 1e-3 and mine.self_cpu_time_total < mine.cpu_time_total
    return ready, mine.count, sums, averages.total_average().count > mine.count, "Self CPU time total" in text


show(recorded)
show(lambda: recorded(schedule=profiler.schedule(wait=1, warmup=1, active=2)))
show(lambda: recorded(schedule=profiler.schedule(wait=1, warmup=1, active=2, repeat=1)))
show(lambda: recorded(schedule=profiler.schedule(wait=1, warmup=1, active=9)))
show(lambda: sorted(name.split(".")[0] + name[-14:] for name in os.listdir(folder)))
show(lambda: "traceEvents" in json.load(open(os.path.join(folder, sorted(os.listdir(folder))[0]))))


def of_autograd(**options):
    with torch.autograd.profiler.profile(**options) as run:
        with torch.autograd.profiler.record_function("mine"):
            torch.ones(3) + 1
    return [each.count for each in run.key_averages() if each.key == "mine"], "mine" in str(run.table())


show(of_autograd)


def unfinished():
    run = profiler.profile()
    return run.key_averages()


show(unfinished)


def by_nothing():
    with profiler.profile() as run:
        torch.ones(3) + 1
    return run.key_averages().table(sort_by="nothing")


show(by_nothing)

# Times: what is made of them; not how long something takes.
import torch.utils.benchmark as timing
from torch.utils.benchmark.utils.common import Measurement, TaskSpec


def spec(**options):
    return TaskSpec(stmt="a + b", setup="pass", label="Sums", **options)


def measured(times, **options):
    return timing.Measurement(options.pop("number", 2), times, spec(**options))


few, many = [2e-6, 2.2e-6, 2.1e-6, 2.4e-6, 2.15e-6], [3e-4, 3.1e-4, 3.05e-4, 9e-4]
for times in (few, many, [0.5], [1e-8, 3e-8]):
    one = measured(times, description="x")
    show(lambda: [f"{each:.6g}" for each in (one.median, one.mean, one.iqr)])
    show(lambda: (one.significant_figures, one.meets_confidence(), one.has_warnings, one.as_row_name, one.title))
    show(lambda: repr(one).splitlines()[1:])
show(lambda: [f"{each:.6g}" for each in timing.Measurement.merge([measured(few), measured([1.0], number=1)])[0].times])
show(lambda: (Measurement is timing.Measurement, timing.select_unit(3e-5), measured(few).env))
show(lambda: measured(few).no_such)
compared = [
    measured(few, description="one", sub_label="small"),
    measured(many, description="two", sub_label="small"),
    measured([5e-6], description="one", sub_label="large", num_threads=2),
    measured([9e-6], description="two", sub_label="larger", num_threads=2),
    measured([1e-3, 1.1e-3], description="one", sub_label="huge"),
]
for changes in ((), ("trim_significant_figures",), ("colorize",), ("highlight_warnings", "trim_significant_figures")):
    table_of_times = timing.Compare(compared)
    for change in changes:
        getattr(table_of_times, change)()
    show(lambda: str(table_of_times))
rowwise = timing.Compare([measured(few, description="one", env="that"), measured(many, description="two", env="other")])
rowwise.colorize(rowwise=True)
show(lambda: str(rowwise))
show(lambda: timing.Compare([3]))


def timed():
    x = []
    run = timing.Timer("x.append(1)", globals={"x": x}, timer=lambda: len(x) / 1000, description="d", num_threads=1)
    first = run.timeit(200)
    second = run.blocked_autorange(min_run_time=1)
    third = run.adaptive_autorange()
    return [(len(each.times), each.number_per_run, f"{each.median:.5g}", each.description) for each in (first, second, third)]


show(timed)
show(lambda: timing.Timer("torch.ones(2) + y", "y = 3").timeit(2).number_per_run)
show(lambda: timing.Timer(lambda: 3))
show(lambda: timing.Timer("y", language="rust"))
show(lambda: timing.Timer("y", global_setup="z"))
show(lambda: timing.Timer("y").repeat())

# Devices that are not there, and exports that are not made.
if not torch.cuda.is_available():
    for name in "current_device_index synchronize empty_cache memory_stats memory_allocated get_memory_info".split():
        show(lambda: getattr(torch.accelerator, name)())
    show(lambda: torch.accelerator.set_device_index(0))
    for checked in (True, False):
        show(lambda: torch.accelerator.current_accelerator(checked))
    show(lambda: (torch.accelerator.is_available(), torch.accelerator.device_count()))
for name in (
    "synchronize empty_cache current_device get_device_name get_device_properties max_memory_allocated "
    "max_memory_reserved memory_allocated memory_reserved current_stream is_bf16_supported"
).split():
    show(lambda: getattr(torch.xpu, name)())
for name in ("set_device", "manual_seed", "manual_seed_all"):
    show(lambda: getattr(torch.xpu, name)(0))
show(lambda: torch.xpu.device(0).__enter__() and None)
show(lambda: (torch.onnx.is_in_onnx_export(), torch.onnx.OperatorExportTypes.ONNX_ATEN_FALLBACK.name))
show(lambda: [torch.onnx.TrainingMode.EVAL.name, torch.onnx.TrainingMode.TRAINING.name])

# Names of torch.distributed that need no processes.
import torch.distributed as dist

if dist.is_available():
    show(lambda: (dist.Backend("NCCL") == dist.Backend.NCCL, isinstance(dist.Backend("x"), str), dist.Backend.MPI))
    show(lambda: dist.Backend(3))
    show(lambda: (dist.is_mpi_available(), dist.is_torchelastic_launched(), dist.GroupMember.NON_GROUP_MEMBER))
    show(lambda: dist.distributed_c10d._get_default_group())
    show(lambda: (dist.GroupMember.WORLD, dist.distributed_c10d.Backend is dist.Backend))
    show(lambda: dist.ReduceOp.PRODUCT == dist.ReduceOp.SUM)

# Fused layers, layers that compute again, and other helpers.
from torch.distributed.algorithms._checkpoint import checkpoint_wrapper as wrappers
from torch.nn.utils import fusion

torch.manual_seed(5)
pictures, vectors = torch.rand(2, 3, 5, 5), torch.rand(4, 3)
norm = nn.BatchNorm2d(2)
with torch.no_grad():
    norm.running_mean.copy_(torch.tensor([0.5, 1.0]))
    norm.running_var.copy_(torch.tensor([2.0, 0.3]))
    norm.weight.copy_(torch.tensor([1.5, -1.0]))
norm.eval()


def fused(layer, transpose=False):
    layer.eval()
    made = fusion.fuse_conv_bn_eval(layer, norm, transpose)
    near = (made(pictures) - norm(layer(pictures))).abs().max() < 1e-5
    return bool(near), made.bias.requires_grad, isinstance(made.weight, nn.Parameter), made.weight


show(lambda: fused(nn.Conv2d(3, 2, 2)))
show(lambda: fused(nn.Conv2d(3, 2, 2, bias=False)))
show(lambda: fused(nn.ConvTranspose2d(3, 2, 2), True))
show(lambda: fusion.fuse_conv_bn_eval(nn.Conv2d(3, 2, 2), norm))
show(lambda: fusion.fuse_linear_bn_weights(torch.ones(2, 3), None, *(torch.full((2,), x) for x in (1.0, 4.0)), 0.0, torch.ones(2), torch.ones(2)))


def computed_again():
    model = nn.Sequential(nn.Linear(3, 2), nn.Sequential(nn.Linear(2, 2), nn.Tanh()))
    plainly = model(vectors).sum()
    wrappers.apply_activation_checkpointing(model, check_fn=lambda inner: isinstance(inner, nn.Linear))
    again = model(vectors).sum()
    again.backward()
    kinds = [type(model[0]).__name__, type(model[1]).__name__, isinstance(model[1][0], wrappers.CheckpointWrapper)]
    names = [name for name, _ in model[0].named_parameters()], sorted(model.state_dict())
    loaded = str(model.load_state_dict(model.state_dict()))
    return bool((plainly - again).abs() < 1e-6), kinds, names, loaded, model[0].out_features, model[0].weight.grad.shape


show(computed_again)
show(lambda: nn.modules.module._IncompatibleKeys(["a"], []))
show(lambda: nn.modules.module._addindent("a\nb\nc", 2))


def hooked():
    packed = []
    x = torch.tensor([2.0, 3.0], requires_grad=True)
    with torch.autograd.graph.saved_tensors_hooks(lambda t: packed.append(1) or t, lambda t: t):
        y = (x * x).sum()
    y.backward()
    return bool(packed), x.grad


show(hooked)


def clipped():
    layer = nn.Linear(2, 1)
    (layer(torch.ones(1, 2)) * 10).sum().backward()
    return nn.utils.clip_grad_norm(layer.parameters(), 1.0), layer.weight.grad


show(clipped)

# Classes of sparse tensors, bytes of a buffer, and recordings where there is no GPU.
places, values = torch.tensor([[0, 1], [1, 2]]), torch.tensor([3.0, 4.0])
sparse = torch.sparse.FloatTensor(places, values, torch.Size([2, 3]))
show(lambda: (sparse.to_dense(), isinstance(sparse, torch.sparse.FloatTensor)))
show(lambda: (isinstance(sparse, torch.sparse.DoubleTensor), isinstance(values, torch.sparse.FloatTensor)))
show(lambda: torch.sparse.DoubleTensor(places, values.double()).to_dense())
show(lambda: torch.ByteTensor(torch.ByteStorage.from_buffer(b"abc\xff")))
stored = torch.ByteStorage.from_buffer(b"ab")
show(lambda: (len(stored), stored[1], stored.tolist(), stored.nbytes(), stored.element_size(), str(stored.dtype)))
for kind, dtype in {
    "Float": torch.float32, "Double": torch.float64, "Half": torch.float16, "BFloat16": torch.bfloat16, "Long": torch.int64,
    "Int": torch.int32, "Short": torch.int16, "Char": torch.int8, "Bool": torch.bool,
}.items():  # fmt: skip
    kept = torch.ones(2, dtype=dtype).storage()
    kinds = [getattr(torch, f"{each}Storage") for each in (kind, "Float", "Long")]
    show(lambda: [list[each] == list[each] and isinstance(kept, each) for each in kinds])
if not torch.cuda.is_available():
    for make in (torch.cuda.CUDAGraph, torch.cuda.graph_pool_handle, lambda: torch.cuda.graph(None)):
        show(make)
from torch.optim.adam import Adam
from torch.optim.sgd import SGD

show(lambda: (Adam is torch.optim.Adam, SGD is torch.optim.SGD))

import collections

# Anomaly detection, classes where torch defines them, the text of modules, leaves.
from torch.nn.modules.container import ModuleList, ParameterList, Sequential
from torch.utils._pytree import _namedtuple_flatten, _namedtuple_unflatten


def anomalies():
    seen = [torch.is_anomaly_enabled()]
    with torch.autograd.detect_anomaly():
        seen.append(torch.is_anomaly_enabled())
    torch.autograd.set_detect_anomaly(True, check_nan=False)
    seen += [torch.is_anomaly_enabled(), torch.is_anomaly_check_nan_enabled()]
    with torch.autograd.set_detect_anomaly(False):
        seen.append(torch.is_anomaly_enabled())
    seen.append(torch.is_anomaly_enabled())
    torch.autograd.set_detect_anomaly(False)
    return seen


class Said(nn.Module):
    def __init__(self, *parts):
        super().__init__()
        self.parts = nn.ModuleList(parts)

    def extra_repr(self):
        return "a=1,\nb=2" if len(self.parts) else "a=1"


class Many(nn.ModuleDict):
    pass


Pair = collections.namedtuple("Pair", "a b")
leaf = torch.ones(2, requires_grad=True)
(leaf * 2).sum().backward()
show(anomalies)
show(lambda: (Sequential is nn.Sequential, ModuleList is nn.ModuleList, ParameterList is nn.ParameterList))
show(lambda: (_namedtuple_flatten(Pair(1, 2))[0], _namedtuple_unflatten([1, 2], Pair)))
show(lambda: repr(Said()))
show(lambda: repr(Said(Said(), Said(), nn.BatchNorm2d(3), nn.ReLU(), nn.ReLU())))
show(lambda: repr(Many({"x": nn.Linear(1, 2), "y": nn.Sequential(nn.Tanh())})))
show(lambda: (str(nn.ModuleList()), str(nn.ModuleDict()), f"{nn.BatchNorm1d(2, affine=False)}"))
show(lambda: (leaf.grad_fn is None, (leaf * 2).grad_fn is None, nn.Linear(1, 1).weight.grad_fn is None))
