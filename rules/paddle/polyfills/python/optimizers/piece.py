import collections
import collections.abc
import copy
import functools
import itertools
import math

import paddle


class _RequiredOption:
    def __repr__(self):
        return "<required parameter>"


required = _RequiredOption()


def _check_option(name, value, valid):
    if not valid:
        raise ValueError(f"Invalid {name}: {value}")


def _options_given(given):
    """The arguments of a constructor that are options of its groups."""
    return {n: v for n, v in given.items() if n not in ("self", "params", "__class__")}


def _plain_number(value):
    return value.item() if isinstance(value, paddle.Tensor) else value


_HOOKS_OF_OPTIMIZERS = [
    f"_optimizer_{action}_{when}_hooks" for action in ("step", "state_dict", "load_state_dict") for when in ("pre", "post")
]


class Optimizer:
    """Groups of parameters with their options, and a state for each parameter."""

    def __init__(self, params, defaults):
        if isinstance(params, paddle.Tensor):
            raise TypeError(
                "params argument given to the optimizer should be an iterable of Tensors"
            )
        self.defaults = defaults
        self.state = collections.defaultdict(dict)
        self.param_groups = []
        self._hooks()
        groups = list(params)
        if not groups:
            raise ValueError("optimizer got an empty parameter list")
        if not isinstance(groups[0], dict):
            groups = [{"params": groups}]
        for group in groups:
            self.add_param_group(group)

    def _hooks(self):
        for table in _HOOKS_OF_OPTIMIZERS:
            self.__dict__.setdefault(table, {})
        step = type(self).step
        if not hasattr(step, "hooked"):
            type(self).step = self._hooked(step)

    @staticmethod
    def _hooked(step):
        @functools.wraps(step)
        def stepping(self, *args, **kwargs):
            for hook in [*self._optimizer_step_pre_hooks.values()]:
                changed = hook(self, args, kwargs)
                if changed is not None:
                    args, kwargs = changed
            result = step(self, *args, **kwargs)
            for hook in [*self._optimizer_step_post_hooks.values()]:
                hook(self, args, kwargs)
            return result

        stepping.hooked = True
        return stepping

    def register_step_pre_hook(self, hook):
        return _OptimizerHook(self._optimizer_step_pre_hooks, hook)

    def register_step_post_hook(self, hook):
        return _OptimizerHook(self._optimizer_step_post_hooks, hook)

    def register_state_dict_pre_hook(self, hook, prepend=False):
        return _OptimizerHook(self._optimizer_state_dict_pre_hooks, hook, prepend)

    def register_state_dict_post_hook(self, hook, prepend=False):
        return _OptimizerHook(self._optimizer_state_dict_post_hooks, hook, prepend)

    def register_load_state_dict_pre_hook(self, hook, prepend=False):
        return _OptimizerHook(self._optimizer_load_state_dict_pre_hooks, hook, prepend)

    def register_load_state_dict_post_hook(self, hook, prepend=False):
        return _OptimizerHook(self._optimizer_load_state_dict_post_hooks, hook, prepend)

    def _changed_by(self, hooks, state_dict):
        """A state as hooks leave it, which may give another one."""
        for hook in [*hooks.values()]:
            changed = hook(self, state_dict)
            state_dict = state_dict if changed is None else changed
        return state_dict

    def __getstate__(self):
        return {
            "defaults": self.defaults,
            "state": self.state,
            "param_groups": self.param_groups,
        }

    def __setstate__(self, state):
        self.__dict__.update(state)
        self._hooks()

    def __repr__(self):
        lines = [f"{type(self).__name__} ("]
        for number, group in enumerate(self.param_groups):
            lines += ["", f"Parameter Group {number}"] if number else [f"Parameter Group {number}"]
            lines += [f"    {key}: {group[key]}" for key in sorted(group) if key != "params"]
        return "\n".join([*lines, ")"])

    def add_param_group(self, param_group):
        if not isinstance(param_group, dict):
            raise TypeError(f"param_group must be a dict, but got {type(param_group)}")
        params = param_group["params"]
        if isinstance(params, set):
            raise TypeError("optimizer parameters need to be organized in ordered collections")
        params = [params] if isinstance(params, paddle.Tensor) else list(params)
        if params and all(isinstance(each, tuple) for each in params):
            param_group["param_names"] = [name for name, _ in params]
            params = [tensor for _, tensor in params]
        param_group["params"] = params
        for tensor in params:
            if not isinstance(tensor, paddle.Tensor):
                kind = type(tensor).__name__
                raise TypeError(f"optimizer can only optimize Tensors, but one of the params is {kind}")
            if not (tensor.is_leaf or tensor.stop_gradient):
                raise ValueError("can't optimize a non-leaf Tensor")
        for name, default in self.defaults.items():
            if default is required and name not in param_group:
                raise ValueError(f"parameter group didn't specify a value of required {name}")
            param_group.setdefault(name, default)
        known = {id(tensor) for group in self.param_groups for tensor in group["params"]}
        if known & {id(tensor) for tensor in params}:
            raise ValueError("some parameters appear in more than one parameter group")
        self.param_groups.append(param_group)

    def zero_grad(self, set_to_none=True):
        for group in self.param_groups:
            for tensor in group["params"]:
                if tensor.grad is not None and set_to_none:
                    tensor.grad = None
                elif tensor.grad is not None:
                    tensor.clear_gradient(set_to_zero=True)

    def state_dict(self):
        for hook in [*self._optimizer_state_dict_pre_hooks.values()]:
            hook(self)
        numbers = {}
        for group in self.param_groups:
            for tensor in group["params"]:
                numbers.setdefault(id(tensor), len(numbers))
        groups = [
            {**group, "params": [numbers[id(tensor)] for tensor in group["params"]]}
            for group in self.param_groups
        ]
        state = {
            numbers[id(key)] if isinstance(key, paddle.Tensor) else key: value
            for key, value in self.state.items()
        }
        return self._changed_by(self._optimizer_state_dict_post_hooks, {"state": state, "param_groups": groups})

    def load_state_dict(self, state_dict):
        state_dict = self._changed_by(self._optimizer_load_state_dict_pre_hooks, {**state_dict})
        given = state_dict["param_groups"]
        if len(given) != len(self.param_groups):
            raise ValueError("loaded state dict has a different number of parameter groups")
        pairs = list(zip(self.param_groups, given, strict=True))
        if any(len(own["params"]) != len(other["params"]) for own, other in pairs):
            raise ValueError(
                "loaded state dict contains a parameter group that doesn't match the size of optimizer's group"
            )
        numbered = {
            number: (tensor, other)
            for own, other in pairs
            for number, tensor in zip(other["params"], own["params"], strict=True)
        }
        state = collections.defaultdict(dict)
        for key, value in state_dict["state"].items():
            owner, group = numbered.get(key, (None, None))
            state[key if owner is None else owner] = value if owner is None else _state_for(value, owner, group)
        groups = [
            {**copy.deepcopy({**other, "params": None}), "params": own["params"]}
            for own, other in pairs
        ]
        for (own, _), made in zip(pairs, groups, strict=True):
            if "param_names" in own:
                made.setdefault("param_names", own["param_names"])
        self.__setstate__({"state": state, "param_groups": groups})
        for hook in [*self._optimizer_load_state_dict_post_hooks.values()]:
            hook(self)

    def step(self, closure=None):
        raise NotImplementedError

    def _closure(self, closure):
        if closure is None:
            return None
        with paddle.enable_grad():
            return closure()

    def _due(self):
        """Each parameter with a gradient: its group, gradient and state."""
        for group in self.param_groups:
            for tensor in group["params"]:
                if tensor.grad is not None:
                    grad = tensor.grad.detach()
                    grad = -grad if group.get("maximize") else grad
                    state = self.state.get(tensor) or {}
                    yield group, tensor, grad, state
                    if state:
                        self.state[tensor] = state


class _OptimizerHook:
    _numbers = itertools.count()

    def __init__(self, hooks, hook, prepend=False):
        self.hooks, self.id = hooks, next(self._numbers)
        others = dict(hooks) if prepend else {}
        for each in others:
            del hooks[each]
        hooks.update({self.id: hook} | others)

    def remove(self):
        self.hooks.pop(self.id, None)


def _state_for(value, owner, group, key=None):
    """Loaded state, of the parameter's dtype and place but for the count of steps: the same tensors where it is of them."""
    if isinstance(value, paddle.Tensor):
        counted = key == "step"
        if counted and not (group.get("capturable") or group.get("fused")):
            return value
        dtype = paddle.float32 if counted else owner.dtype if owner.is_floating_point() else value.dtype
        value = value if value.place._equals(owner.place) else value._copy_to(owner.place, True)
        return value if value.dtype == dtype else value.astype(dtype)
    if isinstance(value, dict):
        return {name: _state_for(inner, owner, group, name) for name, inner in value.items()}
    if isinstance(value, collections.abc.Iterable) and not isinstance(value, (str, bytes)):
        return type(value)(_state_for(inner, owner, group) for inner in value)
    return value


_WIDENED = (paddle.float16, paddle.bfloat16)  # for which Paddle has next to no kernels on a CPU


_NUMBERS_OF_STATES = frozenset({"step", "mu_product", "eta", "mu"})  # of float32 in torch


def _in_single(value):
    return value.astype(paddle.float32) if isinstance(value, paddle.Tensor) and value.dtype in _WIDENED else value


def _parts_of_complex(value):
    return value.as_real() if isinstance(value, paddle.Tensor) and value.is_complex() else value


class _StepwiseOptimizer(Optimizer):
    """One that steps each parameter by `update`, which gives what it becomes."""

    def __init__(self, params, defaults):
        for name in ("differentiable", "capturable"):
            if defaults.get(name):
                raise NotImplementedError(f"{name}=True has no counterpart under Paddle")
        super().__init__(params, defaults)

    def step(self, closure=None):
        with paddle.no_grad():
            loss = self._closure(closure)
            for group, tensor, grad, state in self._due():
                options = {**group, "lr": _plain_number(group["lr"])}
                update = self._update_parts if tensor.is_complex() else self._decay_and_update
                if tensor.dtype in _WIDENED and tensor.place.is_cpu_place():
                    update = self._update_in_float32
                paddle.assign(update(tensor, grad, state, options), tensor)
        return loss

    def _decay_and_update(self, tensor, grad, state, options):
        if options.get("weight_decay") and not self.is_decoupled(options):
            grad = grad + options["weight_decay"] * tensor
        return self.update(tensor, grad, state, options)

    def _update_parts(self, tensor, grad, state, options):
        """`update` of what is complex, by its real and imaginary parts; the state is complex, too."""
        parts = {name: _parts_of_complex(value) for name, value in state.items()}
        made = self._decay_and_update(tensor.as_real(), grad.as_real(), parts, options)
        shape = [*tensor.shape, 2]
        whole = {n: v.as_complex() for n, v in parts.items() if isinstance(v, paddle.Tensor) and v.shape == shape}
        state.update({**parts, **whole})
        return made.as_complex()

    def _update_in_float32(self, tensor, grad, state, options):
        """`update` of half on a CPU, whose state is of half, too."""
        wide = {name: _in_single(value) for name, value in state.items()}
        made = self._decay_and_update(_in_single(tensor), _in_single(grad), wide, options)
        for name, value in wide.items():
            kept = not isinstance(value, paddle.Tensor) or value.dtype != paddle.float32 or name in _NUMBERS_OF_STATES
            state[name] = value if kept else value.astype(tensor.dtype)
        return made.astype(tensor.dtype)

    def is_decoupled(self, options):
        return options.get("decoupled_weight_decay", False)

    def decayed(self, tensor, options):
        """The parameter after a decay of weights that is apart from the gradient's step."""
        if not (options["weight_decay"] and self.is_decoupled(options)):
            return tensor
        return tensor * (1 - options["lr"] * options["weight_decay"])

    def counted(self, state, tensor, *averages):
        """The count of this step; zeros for the averages in the first one."""
        if "step" not in state:
            state["step"] = paddle.zeros([], "float32")
            state.update({name: paddle.zeros_like(tensor) for name in averages})
        state["step"] = state["step"] + 1
        return int(state["step"])

    def averaged(self, state, grad, beta1, beta2):
        """The running averages of gradients and of their squares."""
        first = state["exp_avg"] + (1 - beta1) * (grad - state["exp_avg"])
        second = state["exp_avg_sq"] * beta2 + (1 - beta2) * grad * grad
        state["exp_avg"], state["exp_avg_sq"] = first, second
        return first, second


def _check_options(lr, betas, eps, weight_decay):
    _check_option("learning rate", lr, _plain_number(lr) >= 0)
    _check_option("epsilon value", eps, eps >= 0)
    for number, beta in enumerate(betas):
        _check_option(f"beta parameter at index {number}", beta, 0 <= beta < 1)
    _check_option("weight_decay value", weight_decay, weight_decay >= 0)


class SGD(_StepwiseOptimizer):
    def __init__(
        self, params, lr=1e-3, momentum=0, dampening=0, weight_decay=0, nesterov=False,
        *, maximize=False, foreach=None, differentiable=False, fused=None,
    ):  # fmt: skip
        if lr is not required:
            _check_option("learning rate", lr, _plain_number(lr) >= 0)
        _check_option("momentum value", momentum, momentum >= 0)
        _check_option("weight_decay value", weight_decay, weight_decay >= 0)
        if nesterov and (momentum <= 0 or dampening != 0):
            raise ValueError("Nesterov momentum requires a momentum and zero dampening")
        super().__init__(params, _options_given(locals()))

    def update(self, tensor, grad, state, options):
        momentum = options["momentum"]
        if momentum:
            kept = state.get("momentum_buffer")
            new = grad.clone()
            if kept is not None:
                new = kept * momentum + (1 - options["dampening"]) * grad
            state["momentum_buffer"] = new
            grad = grad + momentum * new if options["nesterov"] else new
        return tensor - options["lr"] * grad


class Adam(_StepwiseOptimizer):
    def __init__(
        self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0, amsgrad=False,
        *, foreach=None, maximize=False, capturable=False, differentiable=False, fused=None,
        decoupled_weight_decay=False,
    ):  # fmt: skip
        _check_options(lr, betas, eps, weight_decay)
        super().__init__(params, _options_given(locals()))

    def update(self, tensor, grad, state, options):
        beta1, beta2 = options["betas"]
        names = ("exp_avg", "exp_avg_sq", *(["max_exp_avg_sq"] if options["amsgrad"] else []))
        count = self.counted(state, tensor, *names)
        tensor = self.decayed(tensor, options)
        first, second = self.averaged(state, grad, beta1, beta2)
        if options["amsgrad"]:
            second = state["max_exp_avg_sq"] = paddle.maximum(state["max_exp_avg_sq"], second)
        scale = second.sqrt() / math.sqrt(1 - beta2**count) + options["eps"]
        return tensor - options["lr"] / (1 - beta1**count) * first / scale


class AdamW(Adam):
    def __init__(
        self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=1e-2, amsgrad=False,
        *, maximize=False, foreach=None, capturable=False, differentiable=False, fused=None,
    ):  # fmt: skip
        super().__init__(
            params, lr, betas, eps, weight_decay, amsgrad, foreach=foreach, maximize=maximize,
            capturable=capturable, differentiable=differentiable, fused=fused,
            decoupled_weight_decay=True,
        )  # fmt: skip

    def is_decoupled(self, options):
        return True


class Adamax(_StepwiseOptimizer):
    def __init__(
        self, params, lr=2e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0, foreach=None,
        *, maximize=False, differentiable=False, capturable=False,
    ):  # fmt: skip
        _check_options(lr, betas, eps, weight_decay)
        super().__init__(params, _options_given(locals()))

    def update(self, tensor, grad, state, options):
        beta1, beta2 = options["betas"]
        count = self.counted(state, tensor, "exp_avg", "exp_inf")
        first = state["exp_avg"] + (1 - beta1) * (grad - state["exp_avg"])
        largest = paddle.maximum(state["exp_inf"] * beta2, grad.abs() + options["eps"])
        state["exp_avg"], state["exp_inf"] = first, largest
        return tensor - options["lr"] / (1 - beta1**count) * first / largest


class NAdam(_StepwiseOptimizer):
    def __init__(
        self, params, lr=2e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0, momentum_decay=4e-3,
        decoupled_weight_decay=False,
        *, foreach=None, maximize=False, capturable=False, differentiable=False,
    ):  # fmt: skip
        _check_options(lr, betas, eps, weight_decay)
        _check_option("momentum_decay value", momentum_decay, momentum_decay >= 0)
        super().__init__(params, _options_given(locals()))

    def update(self, tensor, grad, state, options):
        beta1, beta2 = options["betas"]
        if "mu_product" not in state:
            state["mu_product"] = paddle.ones([], "float32")
        count = self.counted(state, tensor, "exp_avg", "exp_avg_sq")
        now, later = (
            beta1 * (1 - 0.5 * 0.96 ** (step * options["momentum_decay"]))
            for step in (count, count + 1)
        )
        state["mu_product"] = state["mu_product"] * now
        product = float(state["mu_product"])
        tensor = self.decayed(tensor, options)
        first, second = self.averaged(state, grad, beta1, beta2)
        scale = (second / (1 - beta2**count)).sqrt() + options["eps"]
        tensor = tensor - options["lr"] * (1 - now) / (1 - product) * grad / scale
        return tensor - options["lr"] * later / (1 - product * later) * first / scale


class RAdam(_StepwiseOptimizer):
    def __init__(
        self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0,
        decoupled_weight_decay=False,
        *, foreach=None, maximize=False, capturable=False, differentiable=False,
    ):  # fmt: skip
        _check_options(lr, betas, eps, weight_decay)
        super().__init__(params, _options_given(locals()))

    def update(self, tensor, grad, state, options):
        beta1, beta2 = options["betas"]
        count = self.counted(state, tensor, "exp_avg", "exp_avg_sq")
        tensor = self.decayed(tensor, options)
        first, second = self.averaged(state, grad, beta1, beta2)
        step = options["lr"] * first / (1 - beta1**count)
        left = 1 - beta2**count
        most = 2 / (1 - beta2) - 1
        length = most - 2 * count * beta2**count / left
        if length <= 5:
            return tensor - step
        ratio = (length - 4) * (length - 2) * most / ((most - 4) * (most - 2) * length)
        return tensor - step * math.sqrt(left) / (second.sqrt() + options["eps"]) * math.sqrt(ratio)


class Adagrad(_StepwiseOptimizer):
    def __init__(
        self, params, lr=1e-2, lr_decay=0, weight_decay=0, initial_accumulator_value=0, eps=1e-10,
        foreach=None, *, maximize=False, differentiable=False, fused=None,
    ):  # fmt: skip
        _check_options(lr, (), eps, weight_decay)
        _check_option("lr_decay value", lr_decay, lr_decay >= 0)
        _check_option(
            "initial_accumulator_value value",
            initial_accumulator_value,
            initial_accumulator_value >= 0,
        )
        super().__init__(params, _options_given(locals()))
        for group in self.param_groups:
            for tensor in group["params"]:
                state = self.state[tensor]
                state["step"] = paddle.zeros([], "float32")
                first = group["initial_accumulator_value"]
                state["sum"] = paddle.full_like(tensor.detach(), complex(first, first) if tensor.is_complex() else first)

    def update(self, tensor, grad, state, options):
        count = self.counted(state, tensor)
        state["sum"] = state["sum"] + grad * grad
        lr = options["lr"] / (1 + (count - 1) * options["lr_decay"])
        return tensor - lr * grad / (state["sum"].sqrt() + options["eps"])


class Adadelta(_StepwiseOptimizer):
    def __init__(
        self, params, lr=1.0, rho=0.9, eps=1e-6, weight_decay=0, foreach=None,
        *, capturable=False, maximize=False, differentiable=False,
    ):  # fmt: skip
        _check_options(lr, (), eps, weight_decay)
        _check_option("rho value", rho, 0 <= rho <= 1)
        super().__init__(params, _options_given(locals()))

    def update(self, tensor, grad, state, options):
        rho, eps = options["rho"], options["eps"]
        self.counted(state, tensor, "square_avg", "acc_delta")
        squares = state["square_avg"] * rho + (1 - rho) * grad * grad
        delta = (state["acc_delta"] + eps).sqrt() / (squares + eps).sqrt() * grad
        state["square_avg"] = squares
        state["acc_delta"] = state["acc_delta"] * rho + (1 - rho) * delta * delta
        return tensor - options["lr"] * delta


class RMSprop(_StepwiseOptimizer):
    def __init__(
        self, params, lr=1e-2, alpha=0.99, eps=1e-8, weight_decay=0, momentum=0, centered=False,
        capturable=False, foreach=None, maximize=False, differentiable=False,
    ):  # fmt: skip
        _check_options(lr, (), eps, weight_decay)
        _check_option("momentum value", momentum, momentum >= 0)
        _check_option("alpha value", alpha, alpha >= 0)
        super().__init__(params, _options_given(locals()))

    def update(self, tensor, grad, state, options):
        alpha, momentum = options["alpha"], options["momentum"]
        more = ["momentum_buffer"] * (momentum > 0) + ["grad_avg"] * options["centered"]
        self.counted(state, tensor, "square_avg", *more)
        squares = state["square_avg"] = state["square_avg"] * alpha + (1 - alpha) * grad * grad
        if options["centered"]:
            mean = state["grad_avg"] = state["grad_avg"] + (1 - alpha) * (grad - state["grad_avg"])
            squares = squares - mean * mean
        scale = squares.sqrt() + options["eps"]
        if not momentum > 0:
            return tensor - options["lr"] * grad / scale
        state["momentum_buffer"] = state["momentum_buffer"] * momentum + grad / scale
        return tensor - options["lr"] * state["momentum_buffer"]
