import math
import types

from .learning_rates import LRScheduler, ReduceLROnPlateau


def _one_for_each(name, optimizer, value):
    """A setting for each group of an optimizer."""
    count = len(optimizer.param_groups)
    if not isinstance(value, (list, tuple)):
        return [value] * count
    if len(value) != count:
        raise ValueError(f"{name} must have the same length as optimizer.param_groups, {count}")
    return list(value)


def _set_momentum(group, value):
    """What torch calls momentum here: of Adam and the like, the first beta."""
    if "betas" in group:
        group["betas"] = value, *group["betas"][1:]
    else:
        group["momentum"] = value


class _CyclesOfRates(LRScheduler):
    """A schedule that moves the momentum against the learning rate."""

    def _begin_momenta(self, base_momentum, max_momentum, last_epoch):
        defaults = self.optimizer.defaults
        if "momentum" not in defaults and "betas" not in defaults:
            raise ValueError("optimizer must support momentum or beta1 with `cycle_momentum` option enabled")
        self.use_beta1 = "betas" in defaults
        lowest = _one_for_each("base_momentum", self.optimizer, base_momentum)
        highest = _one_for_each("max_momentum", self.optimizer, max_momentum)
        if last_epoch == -1:
            for group, low, high in zip(self.optimizer.param_groups, lowest, highest, strict=True):
                group.update(base_momentum=low, max_momentum=high)
                _set_momentum(group, high)
        return lowest, highest


class OneCycleLR(_CyclesOfRates):
    def __init__(
        self, optimizer, max_lr, total_steps=None, epochs=None, steps_per_epoch=None, pct_start=0.3,
        anneal_strategy="cos", cycle_momentum=True, base_momentum=0.85, max_momentum=0.95, div_factor=25.0,
        final_div_factor=1e4, three_phase=False, last_epoch=-1,
    ):  # fmt: skip
        self.optimizer = optimizer
        if total_steps is None and None in (epochs, steps_per_epoch):
            raise ValueError("You must define either total_steps OR (epochs AND steps_per_epoch)")
        counts = (epochs, steps_per_epoch) if total_steps is None else (total_steps,)
        if not all(isinstance(each, int) and each > 0 for each in counts):
            raise ValueError(f"Expected positive integers, but got {counts}")
        if not isinstance(pct_start, float) or not 0 <= pct_start <= 1:
            raise ValueError(f"Expected float between 0 and 1 pct_start, but got {pct_start}")
        if anneal_strategy not in ("cos", "linear"):
            raise ValueError(f"anneal_strategy must be 'cos' or 'linear', instead got {anneal_strategy}")
        self.total_steps, self._anneal_func_type = math.prod(counts), anneal_strategy
        first, last = pct_start * self.total_steps - 1, self.total_steps - 1
        # the last step of each phase, and between which values it leads
        self._phases = [(first, "initial_lr", "max_lr", "max_momentum", "base_momentum")]
        if three_phase:
            self._phases.append((2 * first, "max_lr", "initial_lr", "base_momentum", "max_momentum"))
            self._phases.append((last, "initial_lr", "min_lr", "max_momentum", "max_momentum"))
        else:
            self._phases.append((last, "max_lr", "min_lr", "base_momentum", "max_momentum"))
        highest = _one_for_each("max_lr", optimizer, max_lr)
        if last_epoch == -1:
            for group, rate in zip(optimizer.param_groups, highest, strict=True):
                lowest = rate / div_factor
                group.update(initial_lr=lowest, max_lr=rate, min_lr=lowest / final_div_factor)
        self.cycle_momentum = cycle_momentum
        if cycle_momentum:
            self._begin_momenta(base_momentum, max_momentum, last_epoch)
        super().__init__(optimizer, last_epoch)

    def _between(self, start, end, part):
        if self._anneal_func_type == "linear":
            return (end - start) * part + start
        return end + (start - end) / 2.0 * (math.cos(math.pi * part) + 1)

    def get_lr(self):
        step = self.last_epoch
        if step > self.total_steps:
            raise ValueError(f"Tried to step {step} times. The specified number of total steps is {self.total_steps}")
        number = next((i for i, phase in enumerate(self._phases) if step <= phase[0]), len(self._phases) - 1)
        end, low, high, momentum, next_momentum = self._phases[number]
        start = self._phases[number - 1][0] if number else 0.0
        part = (step - start) / (end - start)
        groups = self.optimizer.param_groups
        if self.cycle_momentum:
            for group in groups:
                _set_momentum(group, self._between(group[momentum], group[next_momentum], part))
        return [self._between(group[low], group[high], part) for group in groups]


class CyclicLR(_CyclesOfRates):
    def __init__(
        self, optimizer, base_lr, max_lr, step_size_up=2000, step_size_down=None, mode="triangular", gamma=1.0,
        scale_fn=None, scale_mode="cycle", cycle_momentum=True, base_momentum=0.8, max_momentum=0.9, last_epoch=-1,
    ):  # fmt: skip
        self.optimizer = optimizer
        if mode not in ("triangular", "triangular2", "exp_range") and scale_fn is None:
            raise ValueError("mode is invalid and scale_fn is None")
        lowest = _one_for_each("base_lr", optimizer, base_lr)
        self.max_lrs = _one_for_each("max_lr", optimizer, max_lr)
        if last_epoch == -1:
            for group, rate in zip(optimizer.param_groups, lowest, strict=True):
                group["lr"] = rate
        self.total_size = float(step_size_up) + float(step_size_up if step_size_down is None else step_size_down)
        self.step_ratio = step_size_up / self.total_size
        self.mode, self.gamma, self._scale_fn_custom = mode, gamma, scale_fn
        own_mode = "iterations" if mode == "exp_range" else "cycle"
        self.scale_mode = scale_mode if scale_fn is not None else own_mode
        self.cycle_momentum = cycle_momentum
        if cycle_momentum:
            momenta = self._begin_momenta(base_momentum, max_momentum, last_epoch)
            self.base_momentums, self.max_momentums = momenta
        super().__init__(optimizer, last_epoch)
        self.base_lrs = lowest

    def scale_fn(self, x):
        if self._scale_fn_custom is not None:
            return self._scale_fn_custom(x)
        return {"triangular": 1.0, "triangular2": 2.0 ** (1 - x)}.get(self.mode, self.gamma**x)

    def get_lr(self):
        cycle = math.floor(1 + self.last_epoch / self.total_size)
        part = 1.0 + self.last_epoch / self.total_size - cycle
        up = part <= self.step_ratio
        height = part / self.step_ratio if up else (part - 1) / (self.step_ratio - 1)
        height *= self.scale_fn(cycle if self.scale_mode == "cycle" else self.last_epoch)
        if self.cycle_momentum:
            momenta = zip(self.optimizer.param_groups, self.base_momentums, self.max_momentums, strict=True)
            for group, low, high in momenta:
                _set_momentum(group, high - (high - low) * height)
        lowest = self.base_lrs if self._step_count > 1 else self._rates()  # the first are those of the groups
        return [low + (high - low) * height for low, high in zip(lowest, self.max_lrs, strict=True)]

    def state_dict(self):
        """A function is not kept; of an object that is called, its attributes."""
        kept, own = super().state_dict(), self._scale_fn_custom
        plain = own is None or isinstance(own, types.FunctionType)
        return {**kept, "_scale_fn_custom": None if plain else dict(vars(own))}

    def load_state_dict(self, state_dict):
        given = dict(state_dict)
        kept = given.pop("_scale_fn_custom")
        self.__dict__.update(given)
        if kept is not None:
            vars(self._scale_fn_custom).update(kept)


class ChainedScheduler(LRScheduler):
    def __init__(self, schedulers, optimizer=None):
        if not schedulers:
            raise ValueError("ChainedScheduler expects at least one scheduler to be chained, but got no scheduler.")
        self.optimizer, self._schedulers = optimizer or schedulers[0].optimizer, schedulers
        for each in schedulers:
            if not hasattr(each, "optimizer"):
                raise TypeError(f"{type(each).__name__} should have `optimizer` as its attribute")
            if isinstance(each, ReduceLROnPlateau):
                raise ValueError("ReduceLROnPlateau cannot be chained: its steps need a metric")
            if each.optimizer is not self.optimizer:
                raise ValueError("all schedulers are expected to belong to the same optimizer")
        self._last_lr = self._rates()

    def step(self):
        for each in self._schedulers:
            each.step()
        self._last_lr = self._rates()

    def state_dict(self):
        return {**super().state_dict(), "_schedulers": [each.state_dict() for each in self._schedulers]}

    def load_state_dict(self, state_dict):
        given = dict(state_dict)
        for own, kept in zip(self._schedulers, given.pop("_schedulers"), strict=True):
            own.load_state_dict(kept)
        self.__dict__.update(given)
