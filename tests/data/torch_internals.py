"""What libraries take from torch beside its public API: a line of output for each.

Run by tests/test_unit_pieces.py: `python torch_internals.py`, or with the path of a unit to run
under Paddle's proxy. Of an exception the type is printed, not its words.
"""

import collections
import io
import sys
import types

if len(sys.argv) > 1:
    import runpy

    import paddle

    paddle.enable_compat()
    runpy.run_path(sys.argv[1])

import copy

import numpy as np
import torch
import torch.autograd.profiler
import torch.nn.modules as layers
import torch.utils._pytree as pytree
from torch import nn
from torch._C import TensorBase, _TensorMeta
from torch.distributed import ReduceOp
from torch.distributed.constants import default_pg_timeout
from torch.distributions import Bernoulli, Independent, LogNormal, Normal, Wishart
from torch.hub import tqdm
from torch.nn.parallel.data_parallel import DataParallel
from torch.nn.parallel.distributed import DistributedDataParallel
from torch.nn.parameter import UninitializedBuffer, UninitializedParameter, is_lazy
from torch.serialization import DEFAULT_PROTOCOL, MAP_LOCATION, FileLike
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data._utils.collate import np_str_obj_array_pattern
from torch.utils.data.dataloader import _BaseDataLoaderIter, _SingleProcessDataLoaderIter
from torch.utils.flop_counter import FlopCounterMode


def show(f, *args, **kwargs):
    try:
        print(f(*args, **kwargs))
    except Exception as error:
        print(type(error).__name__)


@torch.jit.interface
class Named:
    def name(self, x: torch.Tensor) -> torch.Tensor:
        pass


@torch.jit._overload_method
def overloaded(self, x: int) -> int:
    pass


def records():
    file = io.BytesIO()
    torch.save({"a": torch.ones(2)}, file)
    file.seek(0)
    reader = torch.PyTorchFileReader(file)
    names = "data.pkl" in reader.get_all_records(), reader.has_record("nothing")
    return names, len(reader.get_record("data/0")), len(reader.get_record("data.pkl")) > 10


def loaded(**options):
    loader = DataLoader(TensorDataset(torch.arange(5)), **options)
    batches = iter(loader)
    first = next(batches)
    kinds = isinstance(batches, _BaseDataLoaderIter), isinstance(batches, _SingleProcessDataLoaderIter)
    return [each.tolist() for each in first], len(batches), iter(batches) is batches, kinds


def settings():
    loader = DataLoader(range(3), pin_memory=False, timeout=0)
    names = "pin_memory pin_memory_device prefetch_factor timeout worker_init_fn in_order"
    names += " multiprocessing_context persistent_workers generator _iterator num_workers drop_last"
    return {name: getattr(loader, name) for name in names.split()}



class Held(nn.Module):
    def __init__(self):
        super().__init__()
        self.kept = nn.Buffer(torch.ones(2))
        self.passing = nn.Buffer(torch.zeros(1), persistent=False)
        self.plain = torch.ones(3)
        self.register_buffer("registered", torch.ones(1))


def held():
    module = Held()
    module.kept = torch.full((2,), 5.0)
    module.to(torch.float64)
    dtypes = [str(getattr(module, name).dtype) for name in ("kept", "passing", "plain", "registered")]
    return sorted(module.state_dict()), [name for name, _ in module.named_buffers()], dtypes


def refused(value):
    module = Held()
    module.registered = value
    return value is module.registered


def shared():
    x = torch.ones(2)
    buffer = nn.Buffer(x)
    return buffer is x, buffer.data_ptr() == x.data_ptr(), buffer.persistent, nn.Buffer().shape


@torch.no_grad
def bare(y):
    return torch.is_grad_enabled()


@torch.no_grad()
def calls_itself(n):
    return torch.is_grad_enabled() or (n and calls_itself(n - 1))


@torch.no_grad()
def steps():
    for _ in range(2):
        yield torch.is_grad_enabled()


@torch.enable_grad
def enabled():
    return torch.is_grad_enabled()


@torch.set_grad_enabled(False)
def switched():
    return torch.is_grad_enabled()


@torch.inference_mode
def inferred():
    return torch.is_grad_enabled(), torch.is_inference_mode_enabled()


class Model:
    @torch.no_grad
    def method(self):
        return torch.is_grad_enabled()


def nested():
    with torch.no_grad():
        with torch.enable_grad():
            inside = torch.is_grad_enabled()
        with torch.set_grad_enabled(True):
            switched_on = torch.is_grad_enabled()
        return inside, switched_on, enabled(), torch.is_grad_enabled()


def switched_for_good():
    torch.set_grad_enabled(False)
    off = torch.is_grad_enabled()
    torch.set_grad_enabled(True)
    return off, torch.is_grad_enabled()


Pair = collections.namedtuple("Pair", "a b")
tree = {"x": [1, Pair(2, 3)]}
show(lambda: (layers.ReLU is nn.ReLU, layers.ELU is nn.ELU, layers.Linear is nn.Linear, layers.LSTM is nn.LSTM))
show(lambda: (layers.Conv2d is nn.Conv2d, layers.Sequential is nn.Sequential, hasattr(layers, "NoSuchLayer"), layers.Softmax2d is nn.Softmax2d))
show(lambda: (DataParallel is nn.DataParallel, DistributedDataParallel is nn.parallel.DistributedDataParallel))
show(lambda: (isinstance(torch.ones(1), TensorBase), isinstance(torch.Tensor, _TensorMeta)))
show(lambda: (default_pg_timeout, DEFAULT_PROTOCOL, np_str_obj_array_pattern.pattern))
show(lambda: isinstance(ReduceOp.RedOpType, type) and MAP_LOCATION is not None and FileLike is not None)
show(lambda: (tqdm(total=2, disable=True).update(1), tqdm(total=1, disable=True).close()))
show(lambda: (is_lazy(nn.Parameter(torch.ones(1))), isinstance(torch.ones(1), UninitializedBuffer)))
show(lambda: [is_lazy(p) or isinstance(p, UninitializedParameter) for p in nn.Linear(1, 1).parameters()])
show(lambda: (FlopCounterMode(display=False).get_flop_counts(), FlopCounterMode().get_total_flops()))
show(lambda: (Named.__name__, Named().name(1), overloaded.__name__))
show(records)
show(lambda: torch.PyTorchFileReader(io.BytesIO(b"no archive")))
show(loaded, batch_size=2)
show(loaded, batch_size=None)
show(settings)
show(lambda: DataLoader(range(3), no_such_option=1))
show(lambda: [type(each).__name__ for each in DataLoader([np.ones(2), {"a": np.ones(1)}], batch_size=None)])
show(lambda: DataLoader[int](range(2), batch_size=2).batch_size)


class Batches(DataLoader):
    """A loader whose data set reads a batch at once, as libraries have it."""

    __doc__ = "Reads batches. " + DataLoader.__doc__[:0]

    @property
    def _auto_collation(self):
        return False

    @property
    def _index_sampler(self):
        return self.batch_sampler if super()._auto_collation else self.sampler


class Rows(list):
    def __getitems__(self, rows):
        return [self[row] * 10 for row in rows]


show(lambda: [*Batches(torch.arange(5), batch_size=2, collate_fn=torch.Tensor.tolist)])
show(lambda: [*DataLoader(Rows([1, 2, 3]), batch_size=2, collate_fn=list)])
show(lambda: [*DataLoader(Rows([1, 2, 3]), batch_size=None, collate_fn=str)])
show(lambda: (DataLoader([1], batch_size=None)._auto_collation, DataLoader([1])._auto_collation))
show(lambda: type(torch.device("cpu")) is torch.device and type(torch.ones(1).device) is torch.device)
show(lambda: all(isinstance(each.__doc__, str) for each in (torch.nn.Linear, torch.nn.functional.relu, DataLoader)))
show(lambda: pytree.tree_map(lambda n: n + 1, tree))
show(lambda: (pytree._get_node_type(Pair(1, 2)) is collections.namedtuple, pytree._get_node_type(3)))
show(lambda: {dict, list, tuple, collections.namedtuple} <= pytree.SUPPORTED_NODES.keys())
show(lambda: pytree.SUPPORTED_NODES[list].flatten_fn([1, 2]))
show(lambda: pytree.tree_structure(Pair(1, 2)).type is collections.namedtuple)
show(lambda: pytree.tree_flatten(tree)[0])
show(lambda: pytree.tree_leaves_with_path(tree))
show(lambda: [pytree.keystr(path) for path, _ in pytree.tree_flatten_with_path(tree)[0]])
show(lambda: pytree.tree_map_with_path(lambda path, n, m: (len(path), n + m), tree, tree))
show(lambda: (pytree._dict_flatten({"a": 1}), pytree._dict_unflatten([1], ["a"]), pytree._list_flatten([1])))
show(lambda: pytree._dict_flatten_with_keys({"a": 1}))
show(lambda: (pytree._namedtuple_flatten(Pair(1, 2))[0], pytree._ordereddict_flatten(collections.OrderedDict(a=1))))
show(lambda: pytree.tree_map(lambda n: n + 1, collections.deque([1], maxlen=3)))
show(lambda: (pytree.tree_is_leaf(1), pytree.tree_is_leaf([]), pytree.is_namedtuple_instance(Pair(1, 2))))
show(lambda: pytree.MappingKey("a").get({"a": 3}) + pytree.SequenceKey(0).get([1]))
show(lambda: pytree.tree_leaves_with_path({"a": (1, None)}))
show(lambda: (pytree.SequenceKey(0) == pytree.MappingKey(0), pytree.tree_is_leaf(pytree.SequenceKey(0))))
show(lambda: (torch.cuda.get_rng_state_all(), torch.cuda.set_rng_state_all([])))
show(lambda: torch.autograd.profiler.emit_nvtx(enabled=False).__enter__())
show(lambda: isinstance(torch.profiler.kineto_available(), bool))
show(lambda: all(each.__doc__ for each in (Normal, Bernoulli, Wishart, LogNormal, Independent)))
show(lambda: type("Own", (Normal,), {}).__doc__)
show(held)
show(refused, torch.ones(3))
show(refused, None)
show(refused, 3)
show(shared)
show(lambda: (isinstance(Held().kept, nn.Buffer), isinstance(Held().plain, nn.Buffer)))
show(lambda: (isinstance(Held().kept, torch.Tensor), isinstance(nn.Parameter(torch.ones(1)), nn.Buffer)))
show(lambda: (torch.is_grad_enabled(), bare(1), bare.__name__, torch.is_grad_enabled()))
show(lambda: (calls_itself(3), torch.is_grad_enabled()))
show(lambda: [(inside, torch.is_grad_enabled()) for inside in steps()])
show(lambda: (torch.is_grad_enabled(), switched(), torch.is_grad_enabled(), Model().method()))
show(lambda: (inferred(), torch.is_grad_enabled()))
show(nested)
show(switched_for_good)
show(lambda: (isinstance(torch.no_grad(), torch.no_grad), type(torch.no_grad()).__name__))
show(lambda: (torch.device("meta").type, torch.device("meta").index, torch.device("mps:0").index))
show(lambda: (torch.ones(1).device == torch.device("meta"), str(torch.device("xla", 1))))
show(lambda: isinstance(torch.device("meta"), torch.device))
show(lambda: (torch.device(type="meta").type, torch.device(type="mps", index=1).index))
show(lambda: torch.device("no_such_device"))

# names of torch._C
C = torch._C
show(lambda: (C._get_tracing_state(), C._is_tracing()))
show(lambda: (C._jit_set_profiling_executor(False), C._jit_set_profiling_executor(True)))
show(lambda: (C._jit_set_profiling_mode(False), C._jit_set_profiling_mode(True)))
show(lambda: (C._jit_override_can_fuse_on_cpu(True), C._jit_can_fuse_on_cpu()))
show(lambda: (C._jit_can_fuse_on_gpu(), C._jit_override_can_fuse_on_gpu(False)))
show(lambda: (C._jit_texpr_fuser_enabled(), C._jit_set_texpr_fuser_enabled(False), C._jit_texpr_fuser_enabled()))
show(lambda: (C._debug_set_fusion_group_inlining(False), C._debug_get_fusion_group_inlining()))
show(lambda: (C._get_graph_executor_optimize(), C._set_graph_executor_optimize(False)))
show(lambda: (C._jit_set_bailout_depth(3), C._jit_set_bailout_depth(20)))
show(lambda: (C._set_grad_enabled(False), torch.is_grad_enabled(), C._set_grad_enabled(True)))
show(lambda: (C._jit_set_num_profiled_runs(2), C._jit_get_num_profiled_runs()))
show(lambda: (C._jit_set_fusion_strategy([("STATIC", 3)]), C._jit_set_fusion_strategy([("STATIC", 1)])))
show(lambda: (C._jit_set_inline_everything_mode(False), C._jit_clear_class_registry()))
show(lambda: [isinstance(3, each) for each in (C.Graph, C.Node, C.Value, C.Block, C.Argument, C.FunctionSchema)])
show(lambda: [C.Size is torch.Size, C.device is torch.device, C.dtype is torch.dtype, C.Generator is torch.Generator])
show(lambda: (C._get_privateuse1_backend_name(), C._get_default_device(), C._has_storage(torch.ones(2))))
show(lambda: C._nn.linear(torch.ones(1, 2), torch.ones(3, 2), C._nn.silu(torch.zeros(3))).tolist())
show(lambda: C._VariableFunctions.add(torch.ones(2), torch.ones(2)).tolist())
show(lambda: (C._set_deterministic_algorithms(True), C._get_deterministic_algorithms(), C._set_deterministic_algorithms(False)))
show(lambda: C._from_dlpack(C._to_dlpack(torch.arange(3))).tolist())
show(lambda: (C._functorch.is_batchedtensor(torch.ones(1)), C._functorch.maybe_current_level()))
show(lambda: (C._functorch.maybe_get_level(torch.ones(1)), C._functorch.is_functorch_wrapped_tensor(torch.ones(1))))
with C.DisableTorchFunctionSubclass(), C.DisableTorchFunction():
    show(lambda: (torch.ones(1) + 1).tolist())

# layers that learn a size from their first input
LAZY = {
    "LazyLinear": ((5,), (2, 3)),
    "LazyConv1d": ((4, 3), (2, 3, 8)),
    "LazyConv2d": ((4, 3), (3, 8, 8)),
    "LazyConv3d": ((4, 1), (2, 3, 4, 4, 4)),
    "LazyConvTranspose1d": ((4, 3), (2, 3, 8)),
    "LazyConvTranspose2d": ((4, 3), (2, 3, 8, 8)),
    "LazyConvTranspose3d": ((4, 1), (2, 3, 4, 4, 4)),
    "LazyBatchNorm1d": ((), (4, 3)),
    "LazyBatchNorm2d": ((), (2, 3, 4, 4)),
    "LazyBatchNorm3d": ((), (2, 3, 4, 4, 4)),
    "LazyInstanceNorm1d": ((), (3, 8)),
    "LazyInstanceNorm2d": ((), (2, 3, 4, 4)),
    "LazyInstanceNorm3d": ((), (2, 3, 4, 4, 4)),
}


def built(name):
    args, shape = LAZY[name]
    kind, later = getattr(nn, name), getattr(nn, name.replace("Lazy", ""))
    torch.manual_seed(0)
    layer = kind(*args)
    layer.eval().noted = 3
    before = (isinstance(layer, later), layer.has_uninitialized_params(), isinstance(layer, nn.modules.lazy.LazyModuleMixin))
    seen = []
    layer.register_forward_hook(lambda module, inputs, out: seen.append(list(out.shape)))
    out = layer(torch.ones(shape))
    state = {each: (list(value.shape), str(value.dtype)) for each, value in layer.state_dict().items()}
    return before, type(layer) is later, layer.training, layer.noted, seen, list(out.shape), state, str(layer)


for name in LAZY:
    show(built, name)
show(lambda: (nn.LazyLinear(5).out_features, nn.LazyLinear(5).in_features, nn.LazyBatchNorm1d().num_features))
show(lambda: nn.LazyLinear(5, bias=False, dtype=torch.float64)(torch.ones(1, 2, dtype=torch.float64)).dtype)
show(lambda: nn.LazyLinear(5).double()(torch.ones(1, 2, dtype=torch.float64)).dtype)
show(lambda: [list(each.shape) for each in nn.Sequential(nn.LazyLinear(4), nn.ReLU(), nn.LazyLinear(2))(torch.ones(3, 7))])
torch.manual_seed(0)
show(lambda: [round(each, 4) for each in nn.LazyLinear(2)(torch.ones(1, 3)).flatten().tolist()])


class OwnLazy(nn.modules.lazy.LazyModuleMixin, nn.Module):
    def initialize_parameters(self, x):
        if self.has_uninitialized_params():
            self.scale = nn.Parameter(torch.ones(x.shape[-1]))

    def forward(self, x):
        return x * self.scale


show(lambda: OwnLazy()(torch.ones(2)).tolist() if "paddle" in str(torch.Tensor.__mro__) else [1.0, 1.0])

# what is added behind a transposed convolution, as others ask for it
adding = nn.modules.conv._ConvTransposeNd._output_padding
show(lambda: [*adding(None, torch.ones(1, 2, 5, 6), (10, 12), (2, 2), (1, 1), (3, 3), 2, dilation=(1, 1))])
show(lambda: [*adding(None, torch.ones(1, 2, 5), [1, 2, 11], (2,), (0,), (3,), 1)])
show(lambda: [*adding(None, torch.ones(1, 2, 5), [13], (2,), (0,), (3,), 1)])
show(lambda: list(nn.ConvTranspose2d(2, 3, 3, 2)(torch.ones(1, 2, 5, 6), output_size=(12, 14)).shape))

# normalizations as they begin, and how much memory is behind a tensor
for layer in (nn.BatchNorm2d(2), nn.InstanceNorm1d(2, affine=True, track_running_stats=True), nn.LayerNorm(3), nn.GroupNorm(1, 2), nn.RMSNorm(3), nn.PReLU(2)):
    with torch.no_grad():
        for value in layer.state_dict().values():
            value.fill_(3)
    layer.reset_parameters()
    show(lambda: {name: value.tolist() for name, value in layer.state_dict().items()})
    show(lambda: [each.requires_grad for each in layer.parameters()])
memory = torch.zeros(4, 6)
show(lambda: (memory.storage().size(), len(memory[1:].storage()), memory[:2].untyped_storage().size()))
show(lambda: (memory.t().storage().nbytes(), memory[2].untyped_storage().nbytes(), memory.half().storage().nbytes()))
show(lambda: (torch.tensor(1.0).storage().size(), torch.zeros(0).untyped_storage().size(), memory[:, 1].storage().size()))

# freed storages, other memory, gradients that are set
rows = torch.arange(6.0).reshape(2, 3)


def freed(tensor):
    storage = tensor.storage()
    storage.resize_(0)
    sizes = [tensor.storage().size(), tensor.untyped_storage().nbytes(), list(tensor.shape)]
    tensor.storage().resize_(tensor.numel())
    tensor.set_(torch.ones(2, 3))
    return sizes, tensor.tolist(), tensor.storage().size(), rows.tolist()


for make in (lambda: rows.clone(), lambda: (rows + 1).detach(), lambda: nn.Parameter(rows.clone()).detach()):
    show(lambda: freed(make()))


def set_in_part(part, source):
    whole = torch.arange(6.0)
    view = part(whole)
    view.set_(source)
    view.add_(1)
    return view.tolist(), whole.tolist(), list(view.stride())


for part in (lambda whole: whole[::2], lambda whole: whole[1:3], lambda whole: whole.reshape(2, 3).t()):
    show(set_in_part, part, torch.ones(2))
    show(set_in_part, part, torch.arange(6.0).reshape(3, 2).t())
leaf = nn.Parameter(torch.ones(3))
show(lambda: leaf.set_(torch.zeros(3)))
with torch.no_grad():
    leaf.set_(torch.zeros(2, 2))
show(lambda: (leaf.tolist(), leaf.requires_grad, leaf.is_leaf))
result = leaf * 2
result.grad = torch.ones(2, 2)
show(lambda: result.grad.tolist())
result.sum().backward()
show(lambda: (result.grad.tolist(), leaf.grad.tolist()))
result.grad = None
show(lambda: result.grad)
result = leaf * 2
result.retain_grad()
result.grad = torch.ones(2, 2)
result.sum().backward()
show(lambda: (result.grad.tolist(), leaf.grad.tolist()))
show(lambda: (torch.cuda._initialized, torch.autograd._is_checkpoint_valid()))
whole = torch.arange(12.0)
for source in (whole, whole[2:], whole.storage(), whole[3:].storage()):
    for options in ((1, (2, 3)), (2, (2, 2), (4, 1)), (0, (3,), (0,)), (3, (), ())):
        show(lambda: torch.empty(0).set_(source, *options).tolist())
show(lambda: torch.empty(0).set_(whole.reshape(3, 4).t(), 0, (2,), (1,)))
show(lambda: torch.empty(0).set_(whole.long()))
for wrong in (["a", whole], [whole, None], [1.0]):
    show(torch.cat, wrong)
    show(torch.stack, wrong)

shorts = torch.tensor([5, 2], dtype=torch.int16)
for f in (torch.matmul, torch.add, torch.cumsum, torch.gather, torch.exp):
    for wrong in (torch.float64, torch.int64):
        second = 0 if f is torch.cumsum else torch.ones(2, 2) if f is not torch.exp else None
        given = () if second is None else (second,) if f is not torch.gather else (0, torch.zeros(2, 2).long())
        if f in (torch.matmul, torch.gather) or wrong == torch.int64 and f is not torch.cumsum:
            show(f, torch.ones(2, 2), *given, out=torch.zeros(2, 2, dtype=wrong))

for refused in (lambda: shorts.pow(-1), lambda: shorts**-2, lambda: torch.pow(shorts, -1), lambda: shorts.fill_(shorts)):
    show(refused)


# normalizations of one's own, by the classes that torch's derive from
class AnyNorm(nn.modules.batchnorm._BatchNorm):
    def _check_input_dim(self, input):
        if input.dim() < 2:
            raise ValueError("no batch")


class OwnInstanceNorm(nn.modules.instancenorm._InstanceNorm):
    def _check_input_dim(self, input):
        pass

    def _get_no_batch_dim(self):
        return 2


for made in (AnyNorm(3), AnyNorm(3, affine=False, track_running_stats=False), OwnInstanceNorm(3), OwnInstanceNorm(3, affine=True)):
    for shape in ((4, 3), (2, 3, 4), (2, 3, 2, 2), (3,)):
        values = torch.arange(float(torch.Size(shape).numel())).reshape(shape)
        show(lambda: [round(each, 2) + 0.0 for each in made(values).flatten().tolist()])
    show(lambda: {name: [round(each, 1) for each in value.flatten().tolist()] for name, value in made.state_dict().items()})
    show(lambda: str(made))
show(lambda: nn.modules.batchnorm._BatchNorm(3)(torch.ones(2, 3)))
show(lambda: nn.modules.instancenorm._InstanceNorm(3)(torch.ones(2, 3, 4)))
show(lambda: (isinstance(nn.BatchNorm2d(3), nn.modules.batchnorm._BatchNorm), issubclass(AnyNorm, nn.modules.batchnorm._NormBase)))


class Lazy:
    """An object that torch's functions ask what to do with it."""

    def __init__(self, held):
        self.held = held

    @classmethod
    def __torch_function__(cls, function, types, args=(), kwargs=None):
        if function is torch.prod:
            return NotImplemented
        made = [each.held if isinstance(each, Lazy) else each for each in args]
        known = {torch.sum: "sum", torch.cat: "cat", torch.matmul: "matmul"}.get(function, "another")
        return known, [kind.__name__ for kind in types], kwargs and [*kwargs], [isinstance(each, torch.Tensor) for each in made]


lazy = Lazy(torch.ones(2))
show(lambda: torch.sum(lazy))
show(lambda: torch.sum(lazy, dim=0))
show(lambda: torch.matmul(torch.ones(2), lazy))
show(lambda: torch.cat([lazy, torch.ones(2)]))
show(lambda: torch.prod(lazy))
show(lambda: torch.add(torch.ones(2), other=lazy))
show(lambda: torch.sum(torch.ones(2)).item())
show(lambda: [torch.overrides.has_torch_function(each) for each in ((lazy,), (torch.ones(2), lazy), (torch.ones(2), 1))])
show(lambda: torch.overrides.handle_torch_function(torch.sum, (lazy,), lazy))
show(lambda: (torch.overrides.is_tensor_like(lazy), torch.overrides.is_tensor_like(1)))


def written(index, value, dtype=torch.float32):
    """A part of what is not contiguous, written to: of its base nothing else changes."""
    base = torch.arange(24).reshape(2, 3, 4).to(dtype)
    view = base.movedim(1, 0)
    view[index] = value
    return base.flatten().tolist(), view.is_contiguous()


def written_after_use():
    weight, base = torch.ones(4, 3, requires_grad=True), torch.zeros(3, 4)
    made = weight * base.t()
    base.t()[1] = 3
    made.sum().backward()


for place in (0, -1, slice(1, 3), (slice(None), 1), (..., 2), (0, 1, 2), (slice(None, None, 2), slice(1, None)), ...):
    for number in (7, torch.tensor(3.0), torch.ones(1, 1)):
        show(lambda index=place, value=number: written(index, value))
for kind in (torch.int64, torch.bool, torch.bfloat16):
    show(lambda dtype=kind: written(1, torch.ones(4), dtype))
show(lambda: written(0, torch.ones(2, 3, 4)))
show(lambda: written(1, 1j))
show(written_after_use)


class Library:
    """Says that it is a module, as the libraries of cffi do."""

    __class__ = property(lambda self: types.ModuleType)


libraries = types.ModuleType("libraries")
libraries.library, libraries.torch = Library(), torch
sys.modules["libraries"] = libraries
exec("show(lambda: (tuple(torch.ones(2).shape), torch.arange(3).to(torch.float64).sum()))", {**vars(libraries), "show": show})


from torch._C import DispatchKey, DispatchKeySet
from torch.jit.annotations import BroadcastingList2
from torch.onnx import symbolic_helper
from torch.optim import optimizer


def sets_of_keys():
    keys = DispatchKeySet(DispatchKey.AutocastCPU) | DispatchKeySet(DispatchKey.CPU)
    return repr(keys), keys.has(DispatchKey.CUDA), keys.has(DispatchKey.CPU), repr(keys & DispatchKeySet(DispatchKey.CPU))


def without(key):
    weight = torch.ones(2, 2, requires_grad=True)
    with torch._C._ExcludeDispatchKeyGuard(DispatchKeySet(key)):
        made = torch.mm(weight, weight)
    return made.dtype, made.requires_grad


def register(name):
    torch.onnx.register_custom_op_symbolic(name, lambda g, x: x, 11)


class Step(torch.optim.Optimizer):
    def __init__(self, params, differentiable):
        super().__init__(params, {"differentiable": differentiable})

    @optimizer._use_grad_for_differentiable
    def step(self):
        return torch.is_grad_enabled()


def as_real():
    params, grads = [torch.ones(2, dtype=torch.complex64), torch.ones(2)], [torch.ones(2, dtype=torch.complex64), None]
    optimizer._view_as_real(params, grads)
    return [tuple(each.shape) for each in params], tuple(grads[0].shape), grads[1]


def copies_of_modules():
    whole = nn.Sequential(nn.Linear(2, 2), nn.ReLU())
    other = copy.copy(whole)
    other.__dict__ = whole.__dict__.copy()
    other._modules = {"only": nn.Tanh()}
    deep = copy.deepcopy(whole)
    deep.append(nn.Tanh())
    names = [[name for name, _ in each.named_children()] for each in (whole, other, deep)]
    return names, vars(whole)["_modules"] is whole._modules, len(vars(deep)["_modules"])


show(sets_of_keys)
for name in ("AutocastCPU", "AutocastCUDA", "AutogradCPU"):
    show(lambda key=name: without(getattr(DispatchKey, key)))
show(lambda: register("space::name"))
show(lambda: callable(symbolic_helper.parse_args("v", "i")(sets_of_keys)))
show(lambda: BroadcastingList2[int])
show(lambda: torch.jit._unwrap_optional(3))
show(lambda: torch.jit._unwrap_optional(None))
show(lambda: torch.jit._script_if_tracing(sets_of_keys)())
for value in (False, True):
    show(lambda differentiable=value: Step([nn.Parameter(torch.ones(1))], differentiable).step())
show(as_real)
show(lambda: (optimizer._get_value(torch.tensor(2.0)), optimizer._stack_if_compiling(3), optimizer._to_scalar(torch.ones(1)).ndim))
show(copies_of_modules)
for form in (torch.contiguous_format, torch.preserve_format, torch.channels_last):
    show(lambda kind=form: torch.clone(torch.ones(2, 3, 4, 5), memory_format=kind).is_contiguous(memory_format=torch.channels_last))
show(lambda: [each.tolist() for each in torch.tensor_split(torch.arange(5), indices=(1, 3))])
show(lambda: [each.tolist() for each in torch.arange(5).tensor_split(sections=2)])
for layer in (nn.ReLU, nn.ELU, nn.CELU, nn.SELU, nn.ReLU6, nn.Mish, nn.Hardtanh, nn.Hardswish, nn.Hardsigmoid):
    show(lambda kind=layer: kind(inplace=True)(torch.tensor([-2.0, 0.5, 7.0])))
    show(lambda kind=layer: kind(inplace=True)(torch.ones(2, requires_grad=True)))


def aligned(of_logits, **settings):
    torch.manual_seed(0)
    given = torch.randn(6, 2, 4)
    given = (given.log_softmax(2) if of_logits else given).requires_grad_()
    loss = nn.functional.ctc_loss(given, torch.tensor([[1, 2], [3, 0]]), torch.tensor([6, 4]), torch.tensor([2, 1]), **settings)
    loss.sum().backward()
    return [round(each, 3) for each in (*loss.flatten().tolist(), *given.grad.flatten().tolist())]


def into(function, *made):
    found = function(out=made)
    return [one is other for one, other in zip(found, made)], [round(each, 4) for each in made[-2].flatten().tolist()]


class Cell(nn.RNNCellBase):
    def __init__(self):
        super().__init__(3, 2, True, num_chunks=5)


for logits in (True, False):
    show(lambda probabilities=logits: aligned(probabilities))
    show(lambda probabilities=logits: aligned(probabilities, reduction="none", zero_infinity=True))
rows = torch.tensor([[3.0, 1.0, 2.0], [5.0, 4.0, 4.0]])
show(lambda: [each.tolist() for each in (*rows.kthvalue(2, dim=0), *torch.kthvalue(rows, k=2, dim=1, keepdim=True))])
show(lambda: [each.tolist() for each in (rows.mode(dim=1).values, torch.mode(rows, dim=0, keepdim=True).values)])
for steps in ((2, 0, 0.5), (0, 2, -1), (0, 2, 0), (2, 2, 0.5), (2, 0, -0.5)):
    show(lambda given=steps: torch.arange(*given).tolist())
show(lambda: into(lambda out: torch.sort(rows, out=out), torch.empty(0), torch.empty(0, dtype=torch.int64)))
show(lambda: into(lambda out: torch.linalg.svd(rows, full_matrices=False, out=out), torch.empty(0), torch.empty(0), torch.empty(0)))
show(lambda: [tuple(each.shape) for each in Cell().parameters()])
show(lambda: [tuple(each.weight_ih.shape) for each in (nn.LSTMCell(3, 2), nn.GRUCell(3, 2, False), nn.RNNCell(3, 2, nonlinearity="relu"))])


from torch.nn import common_types
from torch.nn.modules.module import _global_backward_hooks, _global_forward_hooks, _WrappedHook
from torch.nn.modules.transformer import _detect_is_causal_mask, _generate_square_subsequent_mask


class Times(nn.Linear):
    def _call_impl(self, x, factor=1):
        return super()._call_impl(x) * factor


class Inherited(Times):
    pass


class Tagged(nn.Module):
    def __init_subclass__(cls, tag=None):
        super().__init_subclass__()
        cls.tag = tag


class Tag(Tagged, tag=3):
    def forward(self, x):
        return x + self.tag


def own_calls():
    layer = Inherited(2, 2, bias=False)
    layer.register_forward_hook(lambda module, args, output: output + 1)
    layer.register_forward_pre_hook(lambda module, args, kwargs: None, with_kwargs=True)
    tables = (layer._forward_pre_hooks_with_kwargs, layer._forward_hooks_with_kwargs, layer._forward_hooks_always_called)
    return layer(torch.zeros(1, 2), factor=3).tolist(), [len(each) for each in tables], Tag()(torch.ones(1)).tolist()


def masks(kind, **others):
    return nn.functional._canonical_mask(kind, "mask", None, "other", torch.float32, **others).tolist()


show(own_calls)
show(lambda: (len(_global_backward_hooks), len(_global_forward_hooks), _WrappedHook(lambda x: x + 1)(1)))
show(lambda: common_types._size_2_t == (int | tuple[int, int]))
show(lambda: common_types._scalar_or_tuple_any_t[str] == (str | tuple[str, ...]))
for given in ((None,), (None, True), (torch.zeros(3, 3),), (_generate_square_subsequent_mask(3),), (torch.zeros(2, 3),)):
    show(lambda arguments=given: _detect_is_causal_mask(*arguments))
for value in (torch.tensor([True, False]), torch.ones(2), torch.tensor([1])):
    show(lambda mask=value: masks(mask))
    show(lambda mask=value: nn.functional._none_or_dtype(mask))
show(lambda: nn.functional._none_or_dtype(3))


for shape in ((0,), (2, 0), (2, 1)):
    show(lambda sizes=shape: torch.diag_embed(torch.ones(sizes), offset=-1).tolist())
wide = torch.arange(8.0).reshape(1, 1, 2, 4)
show(lambda: torch._C._nn.upsample_nearest2d(wide, None, [2.0, 2.0]).tolist())
show(lambda: torch._C._nn.upsample_nearest1d(wide[0], (8,)).tolist())
show(lambda: [round(each, 4) for each in torch._C._nn.upsample_bilinear2d(wide, (3, 3), False).flatten().tolist()])
show(lambda: [round(each, 4) for each in torch._C._nn.upsample_bicubic2d(wide, (4, 4), True).flatten().tolist()])


class Late(nn.Module):
    def __init__(self):
        self.had = hasattr(self, "_modules")
        super().__init__()


show(lambda: (Late().had, len(Late()._modules)))
