import collections
import enum
import math
import warnings

import paddle

from .torchs_meaning import _tensor_method


class OptState(enum.Enum):
    READY = 0
    UNSCALED = 1
    STEPPED = 2


def _new_state_of_optimizer():
    return {"stage": OptState.READY, "found_inf": []}


class GradScaler:
    """A factor for losses, which gradients are divided by before a step, and which becomes smaller with each step
    whose gradients are infinite or no numbers, and larger after some steps without them."""

    def __init__(
        self, device="cuda", init_scale=2.0**16, growth_factor=2.0, backoff_factor=0.5, growth_interval=2000, enabled=True
    ):
        self._device, self._enabled = str(device), enabled
        if enabled and self._device.startswith("cuda") and not paddle.device.cuda.device_count():
            warnings.warn("torch.cuda.amp.GradScaler is enabled, but CUDA is not available.  Disabling.", stacklevel=2)
            self._enabled = False
        if not self._enabled:
            return
        if growth_factor <= 1.0:
            raise AssertionError("The growth factor must be > 1.0.")
        if backoff_factor >= 1.0:
            raise AssertionError("The backoff factor must be < 1.0.")
        self._init_scale, self._growth_factor, self._backoff_factor = init_scale, growth_factor, backoff_factor
        self._growth_interval, self._init_growth_tracker = growth_interval, 0
        self._scale = self._growth_tracker = None
        self._per_optimizer_states = collections.defaultdict(_new_state_of_optimizer)

    def _begin_scaling(self, place):
        self._scale = paddle.full([], self._init_scale, "float32").to(place)
        self._growth_tracker = paddle.full([], self._init_growth_tracker, "int32").to(place)

    def scale(self, outputs):
        """A tensor, or the tensors of an iterable, times the factor."""
        if not self._enabled:
            return outputs
        if isinstance(outputs, paddle.Tensor):
            if self._scale is None:
                self._begin_scaling(outputs.place)
            return _tensor_method("mul")(outputs, self._scale.to(outputs.place))
        if not isinstance(outputs, collections.abc.Iterable):
            raise ValueError("outputs must be a Tensor or an iterable of Tensors")
        scaled = map(self.scale, outputs)
        return type(outputs)(scaled) if isinstance(outputs, (list, tuple)) else scaled

    def _check_begun(self, asked):
        if self._scale is None:
            raise AssertionError(
                f"Attempted {asked} but _scale is None.  This may indicate your script did not use scaler.scale(loss or "
                "outputs) earlier in the iteration."
            )

    def unscale_(self, optimizer):
        """Divide the gradients of an optimizer's parameters by the factor."""
        if not self._enabled:
            return
        self._check_begun("unscale_")
        state = self._per_optimizer_states[id(optimizer)]
        if state["stage"] is OptState.UNSCALED:
            raise RuntimeError("unscale_() has already been called on this optimizer since the last update().")
        if state["stage"] is OptState.STEPPED:
            raise RuntimeError("unscale_() is being called after step().")
        parameters = [each for group in optimizer.param_groups for each in group["params"]]
        gradients = [each.grad for each in parameters if each.grad is not None]
        if any(each.dtype == paddle.float16 for each in gradients):
            raise ValueError("Attempting to unscale FP16 gradients.")
        inverse = 1.0 / self._scale.astype("float64")
        with paddle.no_grad():
            for each in gradients:
                each.multiply_(inverse.to(each.place).astype(each.dtype))
                state["found_inf"].append(not bool(paddle.isfinite(each).all()))
        state["stage"] = OptState.UNSCALED

    def step(self, optimizer, *args, **kwargs):
        """Let the optimizer make a step, unless its gradients are infinite or no numbers."""
        if not self._enabled:
            return optimizer.step(*args, **kwargs)
        if "closure" in kwargs:
            raise RuntimeError("Closure use is not currently supported if GradScaler is enabled.")
        self._check_begun("step")
        state = self._per_optimizer_states[id(optimizer)]
        if state["stage"] is OptState.STEPPED:
            raise RuntimeError("step() has already been called since the last update().")
        if state["stage"] is OptState.READY:
            self.unscale_(optimizer)
        if not state["found_inf"]:
            raise AssertionError("No inf checks were recorded for this optimizer.")
        made = None if any(state["found_inf"]) else optimizer.step(*args, **kwargs)
        state["stage"] = OptState.STEPPED
        return made

    def update(self, new_scale=None):
        """Take the factor of the next iteration."""
        if not self._enabled:
            return
        self._check_begun("update")
        if new_scale is not None:
            self._scale.fill_(float(new_scale))
        else:
            found = [each for state in self._per_optimizer_states.values() for each in state["found_inf"]]
            if not found:
                raise AssertionError("No inf checks were recorded prior to update.")
            self._adapt(any(found))
        self._per_optimizer_states = collections.defaultdict(_new_state_of_optimizer)

    def _adapt(self, was_infinite):
        steps = 0 if was_infinite else int(self._growth_tracker) + 1
        if was_infinite:
            self._scale.fill_(float(self._scale) * self._backoff_factor)
        elif steps == self._growth_interval:
            larger, steps = float(self._scale * self._growth_factor), 0
            if math.isfinite(larger):
                self._scale.fill_(larger)
        self._growth_tracker.fill_(steps)

    def get_scale(self):
        if not self._enabled:
            return 1.0
        return self._init_scale if self._scale is None else self._scale.item()

    def get_growth_factor(self):
        return self._growth_factor

    def set_growth_factor(self, new_factor):
        self._growth_factor = new_factor

    def get_backoff_factor(self):
        return self._backoff_factor

    def set_backoff_factor(self, new_factor):
        self._backoff_factor = new_factor

    def get_growth_interval(self):
        return self._growth_interval

    def set_growth_interval(self, new_interval):
        self._growth_interval = new_interval

    def _get_growth_tracker(self):
        if not self._enabled:
            return 0
        return self._init_growth_tracker if self._growth_tracker is None else self._growth_tracker.item()

    def is_enabled(self):
        return self._enabled

    def state_dict(self):
        if not self._enabled:
            return {}
        return {
            "scale": self.get_scale(), "growth_factor": self._growth_factor, "backoff_factor": self._backoff_factor,
            "growth_interval": self._growth_interval, "_growth_tracker": self._get_growth_tracker(),
        }  # fmt: skip

    def load_state_dict(self, state_dict):
        if not self._enabled:
            return
        if not state_dict:
            raise RuntimeError(
                "The source state dict is empty, possibly because it was saved from a disabled instance of GradScaler."
            )
        self._init_scale, self._init_growth_tracker = state_dict["scale"], state_dict["_growth_tracker"]
        self._growth_factor, self._backoff_factor = state_dict["growth_factor"], state_dict["backoff_factor"]
        self._growth_interval = state_dict["growth_interval"]
        if self._scale is not None:
            self._begin_scaling(self._scale.place)

    def __getstate__(self):
        kept = {name: value for name, value in self.__dict__.items() if name != "_per_optimizer_states"}
        if self._enabled:
            if self._per_optimizer_states:
                raise AssertionError(
                    "A GradScaler instance may only be pickled at the beginning of an iteration, or at the end after "
                    "scaler.update()."
                )
            kept |= {"_init_scale": self.get_scale(), "_init_growth_tracker": self._get_growth_tracker()}
            kept |= {"_scale": None, "_growth_tracker": None}
        return kept

    def __setstate__(self, state):
        self.__dict__.update(state)
        self._per_optimizer_states = collections.defaultdict(_new_state_of_optimizer)
