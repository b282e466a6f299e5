"""Optimizers and schedules of learning rates, as torch and the pieces must have them.

Run by tests/test_compat_package.py: `python torch_optimizers.py`, or with the path of a unit to run
under Paddle's proxy.
"""

import copy
import pickle
import sys

if len(sys.argv) > 1:
    import runpy

    import paddle

    paddle.enable_compat()
    runpy.run_path(sys.argv[1])

import torch
import torch.optim as optim
from torch.optim import lr_scheduler
from torch.optim.optimizer import Optimizer

number = 0


def show(function):
    global number
    number += 1
    try:
        print(number, "ok", function())
    except BaseException as error:
        print(number, type(error).__name__)


def digits(values):
    return [float(f"{value:.5g}") for value in values]


def tensors(dtype=torch.float64):
    first = torch.tensor([1.0, -2.0, 3.0], dtype=dtype, requires_grad=True)
    second = torch.tensor([[0.5], [0.25]], dtype=dtype, requires_grad=True)
    return [first, second]


def loss_of(params):
    first, second = params
    return (first * first).sum() + (second * 3 - first[:1]).pow(2).sum()


def trained(make, dtype=torch.float64, steps=7):
    params = tensors(dtype)
    optimizer = make(params)
    for _ in range(steps):
        optimizer.zero_grad()
        loss_of(params).backward()
        optimizer.step()
    return [digits(p.detach().reshape(-1).tolist()) for p in params], optimizer


MAKERS = {
    "SGD": [
        {"lr": 0.01}, {"lr": 0.01, "momentum": 0.9}, {"lr": 0.01, "weight_decay": 0.1},
        {"lr": 0.01, "momentum": 0.9, "nesterov": True}, {"lr": 0.01, "maximize": True},
        {"lr": 0.01, "momentum": 0.9, "dampening": 0.5, "weight_decay": 0.01},
    ],
    "Adam": [{}, {"amsgrad": True}, {"weight_decay": 0.1, "lr": 0.05, "betas": (0.8, 0.9)}],
    "AdamW": [{}, {"weight_decay": 0.5, "amsgrad": True}, {"maximize": True, "eps": 1e-3}],
    "Adamax": [{}, {"weight_decay": 0.1}],
    "NAdam": [{}, {"weight_decay": 0.1}, {"weight_decay": 0.1, "decoupled_weight_decay": True}],
    "RAdam": [{}, {"betas": (0.9, 0.5)}, {"weight_decay": 0.1, "decoupled_weight_decay": True}],
    "Adagrad": [{}, {"lr_decay": 0.1, "initial_accumulator_value": 0.5}, {"weight_decay": 0.1}],
    "Adadelta": [{}, {"rho": 0.5, "lr": 0.1, "weight_decay": 0.1}],
    "ASGD": [{}, {"lr": 0.1, "lambd": 0.1, "t0": 2, "alpha": 0.5}, {"t0": 0, "weight_decay": 0.1}],
    "Rprop": [{}, {"lr": 0.1, "etas": (0.3, 1.5), "step_sizes": (0.01, 0.12)}, {"maximize": True}],
    "RMSprop": [{}, {"momentum": 0.9}, {"centered": True}, {"centered": True, "momentum": 0.5}],
}  # fmt: skip
for name, every in MAKERS.items():
    for options in every:
        for dtype in (torch.float64, torch.float32):
            show(lambda: trained(lambda p: getattr(optim, name)(p, **options), dtype)[0])
    optimizer = trained(getattr(optim, name))[1]
    show(lambda: sorted(optimizer.param_groups[0]))
    show(lambda: sorted(optimizer.state_dict()["state"][0]))
    show(lambda: len(optimizer.state_dict()["state"]))


def groups():
    first, second = tensors()
    given = [{"params": [first], "lr": 0.5}, {"params": second}]
    optimizer = optim.SGD(given, lr=0.1, momentum=0.5)
    for _ in range(3):
        optimizer.zero_grad()
        loss_of([first, second]).backward()
        optimizer.step()
    return digits(first.detach().tolist()), [group["lr"] for group in optimizer.param_groups]


def continued():
    """A state that is kept, loaded into another optimizer and gone on with."""
    params, optimizer = tensors(), None
    optimizer = optim.Adam(params, lr=0.1)
    for turn in range(4):
        optimizer.zero_grad()
        loss_of(params).backward()
        optimizer.step()
        if turn == 1:
            kept = copy.deepcopy(optimizer.state_dict())
            optimizer = optim.Adam(params, lr=0.3)
            optimizer.load_state_dict(kept)
    return digits(params[0].detach().tolist()), optimizer.param_groups[0]["lr"]


def pickled():
    params = tensors()
    optimizer = pickle.loads(pickle.dumps(optim.SGD(params, lr=0.2, momentum=0.9)))
    return len(optimizer.param_groups[0]["params"]), optimizer.defaults["momentum"]


def closures():
    params = tensors()
    optimizer = optim.SGD(params, lr=0.1)

    def closure():
        optimizer.zero_grad()
        loss = loss_of(params)
        loss.backward()
        return loss

    losses = [optimizer.step(closure).item() for _ in range(3)]
    return digits(losses)


def hooks():
    params, seen = tensors(), []
    optimizer = optim.SGD(params, lr=0.1)
    handle = optimizer.register_step_post_hook(lambda *given: seen.append("after"))
    optimizer.register_step_pre_hook(lambda *given: seen.append("before"))
    loss_of(params).backward()
    optimizer.step()
    handle.remove()
    optimizer.step()
    return seen


def own():
    """An optimizer of a library's, on the base class."""

    class Signs(Optimizer):
        def __init__(self, params, lr):
            super().__init__(params, {"lr": lr})

        @torch.no_grad()
        def step(self, closure=None):
            for group in self.param_groups:
                for p in group["params"]:
                    if p.grad is None:
                        continue
                    state = self.state[p]
                    state["count"] = state.get("count", 0) + 1
                    p.add_(p.grad.sign(), alpha=-group["lr"])

    values, optimizer = trained(lambda p: Signs(p, 0.1))
    return values, optimizer.state_dict()["state"], isinstance(optimizer, torch.optim.Optimizer)


def cleared(to_none):
    params = tensors()
    optimizer = optim.SGD(params, lr=0.1)
    loss_of(params).backward()
    optimizer.zero_grad(set_to_none=to_none)
    return [None if p.grad is None else p.grad.reshape(-1).tolist() for p in params]


def named():
    layer = torch.nn.Linear(2, 1)
    optimizer = optim.SGD(layer.parameters(), lr=0.1)
    before = layer.weight.detach().clone()
    layer(torch.ones(3, 2)).sum().backward()
    optimizer.step()
    return digits((before - layer.weight).reshape(-1).tolist())


for case in (groups, continued, pickled, closures, hooks, own, named):
    show(case)
show(lambda: cleared(True))
show(lambda: cleared(False))
show(lambda: repr(optim.SGD(tensors(), lr=0.1)).splitlines()[:3])
for wrong in (
    lambda: optim.SGD([], lr=0.1),
    lambda: optim.SGD(tensors()[0], lr=0.1),
    lambda: optim.SGD(tensors(), lr=-1.0),
    lambda: optim.SGD(tensors(), lr=0.1, nesterov=True),
    lambda: optim.Adam(tensors(), betas=(1.0, 0.9)),
    lambda: optim.Adam([tensors()[0] * 2]),
    lambda: optim.Adam([1.0]),
    lambda: optim.Adam([tensors()[0]] * 1 + [{"params": []}]),
    lambda: optim.Adam(tensors()).add_param_group({"params": 3}),
    lambda: lr_scheduler.StepLR(None, 3),
):
    show(lambda: type(wrong()).__name__)

SCHEDULES = {
    "StepLR": lambda o: lr_scheduler.StepLR(o, 3, gamma=0.5),
    "MultiStepLR": lambda o: lr_scheduler.MultiStepLR(o, [2, 5, 5], gamma=0.5),
    "ConstantLR": lambda o: lr_scheduler.ConstantLR(o, 0.25, total_iters=3),
    "LinearLR": lambda o: lr_scheduler.LinearLR(o, 0.5, 0.1, total_iters=4),
    "ExponentialLR": lambda o: lr_scheduler.ExponentialLR(o, 0.9),
    "PolynomialLR": lambda o: lr_scheduler.PolynomialLR(o, 6, power=2.0),
    "CosineAnnealingLR": lambda o: lr_scheduler.CosineAnnealingLR(o, 3, eta_min=0.01),
    "CosineAnnealingWarmRestarts": lambda o: lr_scheduler.CosineAnnealingWarmRestarts(o, 2, 2),
    "LambdaLR": lambda o: lr_scheduler.LambdaLR(o, lambda epoch: 1 / (epoch + 1)),
    "LambdaLR by group": lambda o: lr_scheduler.LambdaLR(o, [lambda e: 2.0, lambda e: 0.5**e]),
    "MultiplicativeLR": lambda o: lr_scheduler.MultiplicativeLR(o, lambda epoch: 0.9),
}


def two_groups():
    first, second = tensors()
    return optim.SGD([{"params": [first]}, {"params": [second], "lr": 1.0}], lr=0.1)


def scheduled(make, epochs=9):
    optimizer = two_groups()
    schedule = make(optimizer)
    rates = [digits(schedule.get_last_lr())]
    for _ in range(epochs):
        optimizer.step()
        schedule.step()
        rates.append(digits(group["lr"] for group in optimizer.param_groups))
    return rates, schedule.last_epoch, isinstance(schedule, lr_scheduler.LRScheduler)


for make in SCHEDULES.values():
    show(lambda: scheduled(make))


def on_a_plateau():
    optimizer = two_groups()
    schedule = lr_scheduler.ReduceLROnPlateau(optimizer, factor=0.5, patience=1, cooldown=1)
    rates = []
    for value in (3.0, 2.0, 2.0, 2.0, 2.0, 2.5, 2.0, 1.0, 1.0, 1.0):
        schedule.step(torch.tensor(value))
        rates.append(digits(group["lr"] for group in optimizer.param_groups))
    return rates, schedule.num_bad_epochs, schedule.best


def in_sequence():
    optimizer = two_groups()
    parts = [lr_scheduler.ConstantLR(optimizer, 0.1, 2), lr_scheduler.ExponentialLR(optimizer, 0.9)]
    schedule = lr_scheduler.SequentialLR(optimizer, parts, milestones=[3])
    rates = [digits(schedule.get_last_lr())]
    for _ in range(7):
        optimizer.step()
        schedule.step()
        rates.append(digits(schedule.get_last_lr()))
    return rates


def resumed():
    optimizer = two_groups()
    schedule = lr_scheduler.StepLR(optimizer, 2)
    for _ in range(3):
        optimizer.step()
        schedule.step()
    kept = schedule.state_dict()
    other = lr_scheduler.StepLR(optimizer, 5)
    other.load_state_dict(kept)
    return other.step_size, other.last_epoch, digits(other.get_last_lr()), "optimizer" in kept


for case in (on_a_plateau, in_sequence, resumed):
    show(case)
show(lambda: lr_scheduler.LambdaLR(two_groups(), [lambda epoch: 1.0]))
show(lambda: lr_scheduler.StepLR(two_groups(), 2, last_epoch=4))


def minimized(steps=3, dtype=torch.float64, **options):
    params = tensors(dtype)
    optimizer = optim.LBFGS(params, **options)
    calls = []

    def closure():
        optimizer.zero_grad()
        first, second = params
        loss = (
            loss_of(params) + (first[0] ** 2 - first[1]).pow(2) + (second * first[2]).pow(2).sum()
        )
        loss.backward()
        calls.append(1)
        return loss

    losses = [float(optimizer.step(closure)) for _ in range(steps)]
    state = optimizer.state_dict()["state"][0]
    counts = [len(calls), state["func_evals"], state["n_iter"]]
    return [digits(losses), counts, [digits(p.detach().reshape(-1).tolist()) for p in params]]


for options in (
    {},
    {"lr": 0.1, "max_iter": 4},
    {"line_search_fn": "strong_wolfe"},
    {"line_search_fn": "strong_wolfe", "history_size": 2, "max_iter": 7, "lr": 0.5},
    {"max_eval": 3, "tolerance_grad": 0.5},
    {"line_search_fn": "armijo"},
    {"lr": -1.0},
):
    show(lambda: minimized(**options))
show(lambda: minimized(dtype=torch.float32, max_iter=3, line_search_fn="strong_wolfe", steps=1)[1])
show(lambda: optim.LBFGS([{"params": tensors()[:1]}, {"params": tensors()[1:]}]))
from torch.optim.lbfgs import _cubic_interpolate

ends = [torch.tensor(each) for each in (0.0, 1.0, -2.0, 1.0, 0.5, 1.0)]
show(lambda: digits([float(_cubic_interpolate(*ends)), _cubic_interpolate(*ends, (0.7, 0.8))]))
show(lambda: float(_cubic_interpolate(*ends[:3], *ends[3:5], torch.tensor(-9.0))))


# Schedules that set the momentum too, chains of schedules, and averages of models.
def cycled(make, optimizer=None):
    optimizer = optimizer or optim.SGD(
        [{"params": [each], "lr": rate} for each, rate in zip(tensors(), (0.1, 1.0), strict=True)], momentum=0.3
    )
    schedule = make(optimizer)
    lines = []
    for _ in range(11):
        for group in optimizer.param_groups:
            lines.append(digits([group["lr"], *group.get("betas", [group.get("momentum", 0.0)])]))
        optimizer.step()
        schedule.step()
    kept = schedule.state_dict()
    other = make(optimizer)
    other.load_state_dict(kept)
    return lines, digits(other.get_last_lr()), other.last_epoch, digits(other.get_lr())


CYCLES = (
    lambda o: lr_scheduler.OneCycleLR(o, 2.0, total_steps=12),
    lambda o: lr_scheduler.OneCycleLR(o, [1.0, 2.0], epochs=4, steps_per_epoch=3, anneal_strategy="linear"),
    lambda o: lr_scheduler.OneCycleLR(o, 1.0, 12, three_phase=True, pct_start=0.4, div_factor=3, final_div_factor=7),
    lambda o: lr_scheduler.OneCycleLR(o, 1.0, 12, cycle_momentum=False),
    lambda o: lr_scheduler.OneCycleLR(o, 1.0, 3),
    lambda o: lr_scheduler.OneCycleLR(o, 1.0),
    lambda o: lr_scheduler.OneCycleLR(o, 1.0, 12, pct_start=2.0),
    lambda o: lr_scheduler.OneCycleLR(o, [1.0], 12),
    lambda o: lr_scheduler.CyclicLR(o, 0.1, 1.0, 3),
    lambda o: lr_scheduler.CyclicLR(o, 0.1, [1.0, 2.0], 2, 3, mode="triangular2"),
    lambda o: lr_scheduler.CyclicLR(o, 0.1, 1.0, 2, mode="exp_range", gamma=0.9, cycle_momentum=False),
    lambda o: lr_scheduler.CyclicLR(o, 0.1, 1.0, 2, scale_fn=lambda x: 1 / x, base_momentum=0.1),
    lambda o: lr_scheduler.CyclicLR(o, 0.1, 1.0, 2, mode="other"),
    lambda o: lr_scheduler.ChainedScheduler(
        [lr_scheduler.ConstantLR(o, 0.5, 4), lr_scheduler.ExponentialLR(o, 0.9)]
    ),
    lambda o: lr_scheduler.ChainedScheduler([]),
    lambda o: torch.optim.swa_utils.SWALR(o, 0.05, 4),
    lambda o: torch.optim.swa_utils.SWALR(o, [0.05, 0.5], anneal_epochs=3, anneal_strategy="linear"),
    lambda o: torch.optim.swa_utils.SWALR(o, 0.05, anneal_epochs=0),
)
for make in CYCLES:
    show(lambda: cycled(make))
show(lambda: cycled(CYCLES[0], optim.Adam(tensors())))
show(lambda: cycled(CYCLES[8], optim.Adam(tensors())))
show(lambda: cycled(CYCLES[0], optim.Adagrad(tensors())))

from torch.optim import swa_utils


def averaged(**options):
    torch.manual_seed(0)
    model = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.BatchNorm1d(2))
    average = swa_utils.AveragedModel(model, **options)
    for turn in range(3):
        with torch.no_grad():
            model[0].weight.fill_(1.0 + turn * turn)
        model(torch.tensor([[1.0, 2.0], [3.0, 5.0]]) * (turn + 1))
        average.update_parameters(model)
    swa_utils.update_bn([torch.ones(2, 2), (torch.tensor([[1.0, 2.0], [3.0, 5.0]]), 1)], model)
    state = [digits(each.reshape(-1).tolist()) for each in average.state_dict().values()]
    own = [digits(each.reshape(-1).tolist()) for each in model.state_dict().values()]
    given = average(torch.ones(2, 2)).shape == (2, 2)
    return [*average.state_dict()], state, own[2:], int(average.n_averaged), given, model[1].momentum


for options in (
    {},
    {"use_buffers": True},
    {"avg_fn": swa_utils.get_ema_avg_fn(0.75)},
    {"multi_avg_fn": swa_utils.get_ema_multi_avg_fn(0.75), "use_buffers": True},
    {"multi_avg_fn": swa_utils.get_swa_multi_avg_fn()},
    {"avg_fn": lambda average, new, count: average + new * count},
    {"avg_fn": 1, "multi_avg_fn": 1},
):
    show(lambda: averaged(**options))
show(lambda: swa_utils.get_ema_avg_fn(2.0))


def state_hooks():
    seen = []
    parameter = torch.nn.Parameter(torch.ones(1))
    optimizer = torch.optim.SGD([parameter], lr=0.1)
    handles = [
        optimizer.register_state_dict_pre_hook(lambda own: seen.append("before saving")),
        optimizer.register_state_dict_post_hook(lambda own, state: {**state, "more": 1}),
        optimizer.register_load_state_dict_pre_hook(lambda own, state: seen.append(sorted(state))),
        optimizer.register_load_state_dict_post_hook(lambda own: seen.append("after loading")),
        optimizer.register_load_state_dict_post_hook(lambda own: seen.append("first"), prepend=True),
    ]
    optimizer.load_state_dict(optimizer.state_dict())
    for handle in handles:
        handle.remove()
    optimizer.load_state_dict(optimizer.state_dict())
    return seen


show(state_hooks)


class Keeping(Optimizer):
    def __init__(self, parameters, **options):
        super().__init__(parameters, {"lr": 0.1, **options})

    def __setstate__(self, state):
        super().__setstate__(state)
        for group in self.param_groups:
            group.setdefault("later", len(state))


def loaded(kept, **options):
    """What a loaded state shares with the given one: the tensors that need no other dtype."""
    parameter = torch.nn.Parameter(torch.ones(2, dtype=torch.float64))
    optimizer = Keeping([parameter])
    groups = [{"lr": 0.3, "params": [0], "kept": [kept], **options}]
    optimizer.load_state_dict({"state": {0: {"kept": kept}, "other": {"kept": kept}}, "param_groups": groups})
    return optimizer.state[parameter]["kept"], optimizer.state["other"]["kept"] is kept, optimizer.param_groups[0]


same, wider = torch.ones(2, dtype=torch.float64), torch.ones(2)
for kept in (same, wider, [same], (wider, same), {"step": wider, "average": wider}, 3, None, torch.tensor([1, 2])):
    show(lambda: (loaded(kept)[0], loaded(kept)[0] is kept, *loaded(kept)[1:]))
show(lambda: [value is same for value in loaded([same, same])[0]] + [value is wider for value in loaded([wider])[0]])
for option in ("capturable", "fused", "maximize"):
    show(lambda: loaded({"step": torch.tensor(3)}, **{option: True})[0])


def continued():
    """Two optimizers of one state: each step of one is seen by the other, as it was not copied."""
    first, second = (torch.nn.Parameter(torch.ones(2)) for _ in range(2))
    one, other = (Keeping([each]) for each in (first, second))
    one.state[first]["average"] = torch.zeros(2)
    other.load_state_dict(one.state_dict())
    one.state[first]["average"].add_(1)
    return other.state[second]["average"].tolist()


show(continued)
