"""States, containers and dtypes of modules, which torch and the polyfill pieces must share, one line each.

Run by tests/test_compat_package.py: `python torch_modules.py`, or with the path of a unit to run
under Paddle's proxy.
"""

import sys

if len(sys.argv) > 1:
    import runpy

    import paddle

    paddle.enable_compat()
    runpy.run_path(sys.argv[1])

import collections
import copy
import pickle

import torch
from torch import nn
from torch.nn import Parameter, ParameterDict, ParameterList

n = 0


def show(call):
    global n
    n += 1
    try:
        print(n, "ok", call())
    except Exception as error:
        print(n, type(error).__name__, str(error).replace("\n", "|")[:90])


def dtypes(module):
    return [(name, str(value.dtype)) for name, value in module.state_dict().items()]


# The state of a module.
m = nn.Sequential(nn.Linear(2, 3), nn.BatchNorm1d(3))
state = m.state_dict()
show(lambda: (type(state).__name__, [*state], hasattr(state, "_metadata")))
show(lambda: [(value.requires_grad, isinstance(value, Parameter)) for value in state.values()])
show(lambda: [state["0.weight"].zero_().tolist(), m[0].weight.tolist()])
show(lambda: [value.requires_grad for value in m.state_dict(keep_vars=True).values()])
show(lambda: [*m.state_dict(destination=collections.OrderedDict(), prefix="x.")])
show(lambda: m.load_state_dict({}))
show(lambda: m.load_state_dict({}, strict=False))
show(lambda: m.load_state_dict({**state, "other": torch.ones(1)}))
show(lambda: m.load_state_dict({**state, "other": torch.ones(1)}, strict=False))
show(lambda: m.load_state_dict({**state, "0.weight": torch.ones(1)}))
show(lambda: m.load_state_dict({**state, "0.weight": torch.ones(1)}, strict=False))
show(lambda: m.load_state_dict({**state, "0.weight": "text"}))
show(lambda: m.load_state_dict([1]))
show(lambda: (m.load_state_dict(state), m.load_state_dict(state).missing_keys))
kept = m[0].weight
show(lambda: m.load_state_dict({**state, "0.weight": torch.ones(3, 2, dtype=torch.float64)}))
show(lambda: (m[0].weight is kept, kept.dtype == torch.float32, kept.tolist()))
show(lambda: m.load_state_dict({name: value.clone() for name, value in state.items()}, assign=True))
show(lambda: (m[0].weight is kept, isinstance(m[0].weight, Parameter), m[0].weight.requires_grad))


class Extra(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(1, 1)
        self.register_buffer("passing", torch.ones(1), persistent=False)
        self.x = 3

    def get_extra_state(self):
        return {"x": self.x}

    def set_extra_state(self, state):
        self.x = state["x"]

    def _save_to_state_dict(self, destination, prefix, keep_vars):
        super()._save_to_state_dict(destination, prefix, keep_vars)
        destination[f"{prefix}mine"] = torch.ones(1)

    def _load_from_state_dict(self, state_dict, prefix, *args):
        state_dict.pop(f"{prefix}mine", None)
        super()._load_from_state_dict(state_dict, prefix, *args)


first, second = Extra(), Extra()
first.x = 5
show(lambda: [*first.state_dict()])
show(lambda: (second.load_state_dict(first.state_dict()), second.x))
show(lambda: second.load_state_dict({}))
hooked = nn.Linear(1, 1)
handle = hooked._register_state_dict_hook(lambda module, state, prefix, known: state.update(hooked=1))
show(lambda: [*hooked.state_dict()])
handle.remove()
show(lambda: [*hooked.state_dict()])
hooked.register_load_state_dict_post_hook(lambda module, keys: keys.missing_keys.clear())
show(lambda: hooked.load_state_dict({}))
GIVEN = {"weight": torch.zeros(1, 1), "bias": torch.ones(1)}
filled = nn.Linear(1, 1)
filled._register_load_state_dict_pre_hook(lambda state, *rest: state.update(GIVEN))
show(lambda: (filled.load_state_dict({}), filled.weight.tolist()))
filled = nn.Linear(1, 1)
filled.register_load_state_dict_pre_hook(lambda module, state, *rest: state.update(GIVEN))
filled.register_state_dict_pre_hook(lambda module, prefix, keep: print(prefix, keep))
show(lambda: (filled.load_state_dict({}), [*filled.state_dict()]))
tied = nn.Module()
tied.a = tied.b = nn.Linear(1, 1)
show(lambda: [*tied.state_dict()])
show(lambda: [(name, str(v.dtype), v.tolist()) for name, v in nn.BatchNorm1d(2).state_dict().items()])
show(lambda: [*nn.LSTM(2, 3, 2, bidirectional=True).state_dict()])
show(lambda: [*nn.TransformerEncoderLayer(4, 2, 8).state_dict()])


# Dtypes.
def mixed():
    module = nn.BatchNorm1d(2)
    module.register_buffer("c", torch.ones(1, dtype=torch.complex64))
    module.register_buffer("b", torch.tensor([True]))
    return module


show(lambda: dtypes(mixed().double()))
show(lambda: dtypes(mixed().half()))
show(lambda: dtypes(mixed().bfloat16()))
show(lambda: dtypes(mixed().double().float()))
show(lambda: dtypes(mixed().to(torch.float64)))
show(lambda: dtypes(mixed().to(dtype=torch.float16)))
show(lambda: dtypes(mixed().to("cpu", torch.float64)))
show(lambda: dtypes(mixed().to(torch.ones(1).double())))

# Containers of parameters.
ones = ParameterList([torch.ones(2), Parameter(torch.zeros(1)), 3, None, "x"])
show(lambda: [isinstance(v, Parameter) if isinstance(v, torch.Tensor) else v for v in ones])
show(lambda: [name for name, _ in ones.named_parameters()])
ones.append(torch.ones(1))
ones += [Parameter(torch.ones(2) * 2)]
show(lambda: (len(ones), ones[-1].tolist(), ones[1:3][0].tolist(), type(ones[1:]) is ParameterList))
ones[0] = torch.full((2,), 7.0)
show(lambda: (ones[0].tolist(), [*ones.state_dict()]))
show(lambda: ones[20])
show(lambda: ones.extend(3))
named = ParameterDict({"a": torch.ones(2), "b": Parameter(torch.ones(1))})
named["c"] = 3
show(lambda: ([*named.keys()], [*named], len(named), "a" in named, [key for key, _ in named.items()]))
show(lambda: ([name for name, _ in named.named_parameters()], [*reversed(named)], named.get("z", 1)))
show(lambda: (named.setdefault("q", torch.ones(1)).tolist(), named.pop("a").tolist(), [*named]))
show(lambda: ([*(named | {"n": torch.ones(1)})], named.popitem()[0], [*named.copy()]))
named.update([("m", torch.ones(1))])
named.update(ParameterDict({"w": torch.ones(1)}))
show(lambda: ([*named], [*named.fromkeys(["u"], torch.ones(1))], named.clear(), len(named)))
show(lambda: named.__setitem__(1, torch.ones(1)))


class Holder(nn.Module):
    def __init__(self):
        super().__init__()
        self.several = ParameterList(Parameter(torch.ones(at)) for at in range(3))
        self.named = ParameterDict({"k": Parameter(torch.ones(2))})


holder = Holder()
show(lambda: ([*holder.state_dict()], sum(p.sum().item() for p in holder.several)))
show(lambda: (holder.load_state_dict(holder.state_dict()), str(holder.double().named["k"].dtype)))
show(lambda: (holder.requires_grad_(False).named["k"].requires_grad, [n for n, _ in copy.deepcopy(holder).named_parameters()]))
show(lambda: dtypes(mixed().to(float)))
show(lambda: mixed().to(torch.int32))
show(lambda: mixed().to(dtype=bool))
show(lambda: [isinstance(v, Parameter) for v in pickle.loads(pickle.dumps(nn.Linear(1, 1))).parameters()])
show(lambda: pickle.loads(pickle.dumps(Parameter(torch.ones(1), requires_grad=False))).requires_grad)
counted = nn.BatchNorm1d(2)
show(lambda: (counted.type(torch.float64).float()(torch.ones(2, 2)).shape[0], counted.num_batches_tracked.item()))


def step_in_hooks():
    layer, seen = nn.Linear(2, 1), []
    with torch.no_grad():
        for each in layer.parameters():
            each.fill_(1)
    steps = {each: torch.optim.SGD([each], 0.5) for each in layer.parameters()}

    def step(parameter):
        steps[parameter].step()
        parameter.grad = None
        seen.append(parameter.numel())

    handles = [each.register_post_accumulate_grad_hook(step) for each in layer.parameters()]
    layer(torch.ones(3, 2)).sum().backward()
    handles[0].remove()
    layer(torch.ones(3, 2)).sum().backward()
    return [each.tolist() for each in layer.parameters()], sorted(seen), layer.bias.grad


show(step_in_hooks)
show(lambda: torch.ones(2).register_post_accumulate_grad_hook(print))
show(lambda: (torch.ones(2, requires_grad=True) * 2).register_post_accumulate_grad_hook(print))

several = nn.Sequential(nn.Linear(2, 3), nn.BatchNorm1d(3))
with torch.no_grad():
    for parameter in several.parameters():
        parameter.fill_(0.5)
show(lambda: (next(several.parameters()).shape, next(several.buffers()).shape, next(several.parameters()).is_cuda))
show(lambda: [type(given).__name__ for given in (several.parameters(), several.buffers())])
show(lambda: ([*several.parameters(recurse=False)], len([*several[0].parameters(False)]), len([*several.buffers()])))
show(lambda: nn.utils.parameters_to_vector(several.parameters()).tolist())
show(lambda: nn.utils.vector_to_parameters(torch.arange(15.0), several.parameters()))
show(lambda: [parameter.tolist() for parameter in several.parameters()])
show(lambda: len(nn.ParameterList(several.parameters())))
show(lambda: len(torch.autograd.grad(several(torch.ones(4, 2)).sum(), several.parameters())))


def clip(of):
    layer = nn.Linear(2, 1)
    (layer(torch.ones(1, 2)) * 8).sum().backward()
    total = of(layer.parameters())
    gradients = [(each.grad * 1000).round().tolist() for each in layer.parameters()]
    return total is not None and round(float(total), 3), gradients


show(lambda: clip(lambda parameters: nn.utils.clip_grad_norm_(parameters, 1.0)))
show(lambda: clip(lambda parameters: nn.utils.clip_grad_norm_(filter(None.__ne__, parameters), 1.0, foreach=False)))
show(lambda: clip(lambda parameters: nn.utils.clip_grad_norm_(next(parameters), 1.0)))
show(lambda: clip(lambda parameters: nn.utils.clip_grad_value_(parameters, 0.5)))


from torch.nn.modules.module import (
    register_module_backward_hook,
    register_module_forward_hook,
    register_module_forward_pre_hook,
    register_module_full_backward_hook,
    register_module_full_backward_pre_hook,
)

TABLES = [
    f"_{name}"
    for name in """\
    backward_hooks backward_pre_hooks buffers forward_hooks forward_hooks_always_called forward_hooks_with_kwargs
    forward_pre_hooks forward_pre_hooks_with_kwargs is_full_backward_hook load_state_dict_post_hooks
    load_state_dict_pre_hooks modules non_persistent_buffers_set parameters state_dict_hooks state_dict_pre_hooks\
    """.split()
]


def shallow(module):
    """A copy that has tables of its own, and the rest of what the module has."""
    made = type(module).__new__(type(module))
    for name, value in vars(module).items():
        vars(made)[name] = value.copy() if name in TABLES and hasattr(value, "copy") else value
    return made


def copied_tables():
    module = nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1d(2))
    other = shallow(module)
    other[0], other.more, other[1] = nn.Linear(2, 3), nn.ReLU(), None
    module._modules = {**module._modules, "last": nn.Identity()}
    del other.more
    return module, other, [*module.state_dict()], [*other._modules], hasattr(module, "more")


class Counted(nn.Linear):
    calls = 0

    def _apply(self, fn, recurse=True):
        self.calls += 1
        return super()._apply(fn, recurse)


class Refused(nn.Module):
    def __init__(self, kind):
        if kind == "module":
            self.inner = nn.Identity()
        super().__init__()
        self.inner = nn.Identity()
        self.inner = kind


def applied(change):
    layer = nn.Sequential(Counted(1, 1), nn.BatchNorm1d(1))
    weight, mean, counted = layer[0].weight, layer[1].running_mean, layer[1].num_batches_tracked
    layer(torch.ones(2, 1)).sum().backward()
    change(layer)
    same = layer[0].weight is weight, layer[1].running_mean is mean, layer[1].num_batches_tracked is counted
    return layer[0].calls, same, mean.dtype, [(each.dtype, each.grad.dtype) for each in layer.parameters()], dtypes(layer)


def hooks_of_all():
    seen = []
    layer = nn.Sequential(nn.Linear(1, 1), nn.ReLU())
    with torch.no_grad():
        layer[0].weight.fill_(2.0)
        layer[0].bias.fill_(1.0)
    layer[0].register_forward_pre_hook(lambda module, args: seen.append("own before"))
    layer[0].register_forward_hook(lambda module, args, output: seen.append("own after"))
    handles = [
        register_module_forward_pre_hook(lambda module, args: seen.append(f"before {type(module).__name__}")),
        register_module_forward_hook(lambda module, args, output: seen.append(f"after {type(module).__name__}")),
        register_module_forward_hook(lambda module, args, named, output: seen.append([*named]), with_kwargs=True),
        register_module_forward_hook(lambda module, args, output: output + 1 if type(module) is nn.Linear else None),
    ]
    found = layer(torch.ones(1, 1)).tolist(), layer[0](input=torch.ones(1, 1)).tolist()
    for handle in handles:
        handle.remove()
    return found, seen, layer(torch.ones(1, 1)).tolist(), len(seen)


def gradients_of_all():
    seen = []
    layer, x = nn.Sequential(nn.Linear(1, 1), nn.Identity()), torch.ones(1, 1, requires_grad=True)
    with torch.no_grad():
        layer[0].weight.fill_(2.0)

    def note(module, *gradients):
        seen.append((type(module).__name__, [[each.tolist() for each in given] for given in gradients]))

    handles = [register_module_full_backward_hook(note), register_module_full_backward_pre_hook(note)]
    double = register_module_full_backward_hook(lambda module, inputs, outputs: (2 * inputs[0],))
    layer(x).sum().backward()
    try:
        register_module_backward_hook(note)
    except RuntimeError as error:
        seen.append(str(error)[:40])
    for handle in (*handles, double):
        handle.remove()
    layer(x).sum().backward()
    return seen, x.grad.tolist()


def kinds_of_hooks():
    layer, found = nn.Linear(1, 1), []
    layer.register_full_backward_hook(lambda *given: None)
    found.append((layer._is_full_backward_hook, [len(each) for each in layer._get_backward_hooks()]))
    layer.register_backward_hook(lambda *given: None)
    return found


show(lambda: [name for name in TABLES if name not in vars(nn.Linear(1, 1))])
show(lambda: [name for name in vars(nn.Linear(1, 1)) if "hook" in name and name not in TABLES])
show(copied_tables)
show(lambda: (nn.Module._version, nn.BatchNorm1d._version, nn.InstanceNorm1d._version, nn.Module.call_super_init, nn.Module.dump_patches))
for kind in ("module", 3, torch.ones(1), nn.Parameter(torch.ones(1)), None):
    show(lambda given=kind: Refused(given))
for change in (
    *(nn.Module.double, nn.Module.half, nn.Module.cpu, lambda each: each.to(torch.bfloat16), lambda each: each.to("cpu")),
    *(lambda each: each.type(torch.float64), lambda each: each._apply(lambda tensor: tensor + 0)),
    lambda each: each.to(dtype=torch.float64, device="cpu"),
):
    show(lambda given=change: applied(given))
show(hooks_of_all)
show(gradients_of_all)
show(kinds_of_hooks)
show(lambda: [len(each) for each in nn.Identity()._get_backward_hooks()])


def contained(make, change):
    made = make()
    found = change(made)
    kept = "itself" if found is made else type(found).__name__
    return kept, str(found).replace("\n", "|") if kept != "itself" else "", [*made._modules], str(made).replace("\n", "|")


def put(at, value):
    return lambda each: each.__setitem__(at, value)


def take(at):
    return lambda each: each.__delitem__(at)


I = nn.Identity
sequence, listed = (lambda: nn.Sequential(I(), nn.ReLU(), nn.Tanh())), (lambda: nn.ModuleList([I(), nn.ReLU(), nn.Tanh()]))
for make in sequence, listed:
    for change in (
        *(put(0, I()), put(-1, I()), put(1, None), put("a", I()), put(7, I()), put(0, 3), take(0), take(-1), take(slice(0, 2))),
        *(lambda each: each[-1], lambda each: each[1:], lambda each: each[:2], lambda each: each[torch.tensor(1)], lambda each: each[7]),
        *(lambda each: each.pop(0), lambda each: each.pop(-1), lambda each: each.append(I()), lambda each: each.append(3)),
        *(lambda each: each.insert(1, I()), lambda each: each.extend(I() for _ in range(2)), lambda each: each.add_module("x", I())),
        *(lambda each: each + make(), lambda each: each.__iadd__(make()), lambda each: len(each), lambda each: each[0] in each),
    ):
        show(lambda: contained(make, change))
for change in (
    *(lambda each: each * 2, lambda each: 2 * each, lambda each: each.__imul__(2), lambda each: each + [1]),
    lambda each: each.insert(-1, I()),
):
    show(lambda: contained(sequence, change))
for given in ([I()], (("a", I()), ("b", I())), None, len, collections.OrderedDict(a=I(), b=I()), collections.OrderedDict({3: I()})):
    show(lambda: str(nn.Sequential(given)))
    show(lambda: str(nn.ModuleList(given)))
named = lambda: nn.ModuleDict({"a": I(), "b": nn.ReLU()})
for change in (
    *(put(name, I()) for name in ("c", "keys", "training", "type", "full", "a.b", "", 3)),
    *(put("c", 3), put("c", None), take("a"), lambda each: each.pop("a"), lambda each: each.update([("d", I())]), lambda each: each.update(named())),
):
    show(lambda: contained(named, change))
values = [nn.Parameter(torch.ones(2, 3)), torch.ones(1, dtype=torch.float64), 3]
show(lambda: (str(ParameterList(values)), str(ParameterDict({f"k{at}": each for at, each in enumerate(values)}))))
show(lambda: str(ParameterList(values[:1])))


def normed(kind, make, *settings):
    torch.manual_seed(0)
    module = getattr(nn.utils, f"{kind}_norm")(make(), *settings)
    shapes = [(name, tuple(each.shape)) for name, each in module.state_dict().items()], sorted(vars(module).keys() & {"weight"})
    x = torch.linspace(-1, 1, 36).reshape(2, 2, 3, 3) if module.weight.ndim == 4 else torch.linspace(-1, 1, 6).reshape(2, 3)
    made = [round(each.abs().sum().item(), 3) for each in (module(x), module(x), module.eval()(x))]
    module(x).sum().backward()
    gradients = [each.grad is not None for each in module.parameters()]
    plain = getattr(nn.utils, f"remove_{kind}_norm")(module)
    return shapes, made, gradients, [*plain.state_dict()], len(plain._forward_pre_hooks), round(plain(x).abs().sum().item(), 3)


for kind in ("weight", "spectral"):
    show(lambda: normed(kind, lambda: nn.Linear(3, 2)))
    show(lambda: normed(kind, lambda: nn.ConvTranspose2d(2, 4, 2)))
    show(lambda: getattr(nn.utils, f"remove_{kind}_norm")(nn.ReLU()))
    show(lambda: (lambda norm: norm(norm(nn.Linear(2, 2))))(getattr(nn.utils, f"{kind}_norm")))
show(lambda: normed("weight", lambda: nn.Linear(3, 2), "weight", None))
show(lambda: (lambda cell: (cell._flat_weights_names, [tuple(each.shape) for each in cell._flat_weights]))(nn.GRU(2, 3)))
show(lambda: [isinstance(nn.Identity(), kind) for kind in (torch.jit.RecursiveScriptModule, torch.jit.TopLevelTracedModule)])
