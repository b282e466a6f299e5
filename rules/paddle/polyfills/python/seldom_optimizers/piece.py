import math

import paddle

from .optimizers import _options_given, _plain_number, _StepwiseOptimizer


def _refuse_option(valid, text):
    if not valid:
        raise ValueError(text)


def _toward(value, other, weight):
    return value + weight * (other - value)


class Adafactor(_StepwiseOptimizer):
    def __init__(
        self, params, lr=1e-2, beta2_decay=-0.8, eps=(None, 1e-3), d=1.0, weight_decay=0.0,
        *, foreach=None, maximize=False,
    ):  # fmt: skip
        _refuse_option(_plain_number(lr) >= 0, f"Learning rate should be >= 0 but is: {lr}")
        _refuse_option(beta2_decay <= 0, f"beta2_decay should be <= 0 but is: {beta2_decay}")
        _refuse_option(eps[0] is None or eps[0] >= 0, f"epsilon1 should be >= 0 but is: {eps[0]}")
        _refuse_option(eps[1] >= 0, f"epsilon2 should be >= 0 but is: {eps[1]}")
        _refuse_option(d >= 1, f"Clipping threshold d should be >= 1 but is: {d}")
        _refuse_option(weight_decay >= 0, f"weight_decay should be >= 0 but is: {weight_decay}")
        super().__init__(params, _options_given(locals()))

    def is_decoupled(self, options):
        return True

    def update(self, tensor, grad, state, options):
        if grad.is_complex():
            raise RuntimeError("Adafactor does not support complex parameters")
        count = self.counted(state, tensor)
        near, far = options["eps"]
        near = paddle.finfo(tensor.dtype).eps if near is None else near
        weight = count ** options["beta2_decay"]
        size = math.sqrt(tensor.size)
        rate = max(far, float(tensor.norm()) / size) * min(options["lr"], 1 / math.sqrt(count))
        tensor = self.decayed(tensor, options)
        square = grad * grad
        if grad.ndim > 1:
            for name, dim in (("row_var", -1), ("col_var", -2)):
                mean = square.mean(dim, keepdim=True)
                state[name] = _toward(state.get(name, paddle.zeros_like(mean)), mean, weight)
            variance = state["row_var"] @ state["col_var"]
            variance = variance / state["row_var"].mean(-2, keepdim=True).clip(min=near)
        else:
            variance = state["variance"] = _toward(state.get("variance", paddle.zeros_like(grad)), square, weight)
        step = variance.clip(min=near * near).rsqrt() * grad
        return tensor - rate / max(1.0, float(step.norm()) / (size * options["d"])) * step


_ADJUSTING = (None, "original", "match_rms_adamw")


class Muon(_StepwiseOptimizer):
    def __init__(
        self, params, lr=1e-3, weight_decay=0.1, momentum=0.95, nesterov=True, ns_coefficients=(3.4445, -4.775, 2.0315),
        eps=1e-7, ns_steps=5, adjust_lr_fn=None,
    ):  # fmt: skip
        _refuse_option(_plain_number(lr) >= 0, f"Learning rate should be >= 0 but is: {lr}")
        _refuse_option(momentum >= 0, f"momentum should be >= 0 but is: {momentum}")
        _refuse_option(weight_decay >= 0, f"weight decay should be >= 0 but is: {weight_decay}")
        _refuse_option(adjust_lr_fn in _ADJUSTING, f"Adjust learning rate function {adjust_lr_fn} is not supported")
        super().__init__(params, _options_given(locals()))
        for group in self.param_groups:
            for each in group["params"]:
                said = f"Muon only supports 2D parameters whereas we found a parameter with size: {each.shape}"
                _refuse_option(each.ndim == 2, said)

    def is_decoupled(self, options):
        return True

    def update(self, tensor, grad, state, options):
        momentum = options["momentum"]
        kept = state.get("momentum_buffer", paddle.zeros_like(grad))
        kept = state["momentum_buffer"] = _toward(kept, grad, 1 - momentum)
        step = _toward(grad, kept, momentum) if options["nesterov"] else kept
        step = self._made_orthogonal(step, options).astype(tensor.dtype)
        rows, columns = tensor.shape
        if options["adjust_lr_fn"] == "match_rms_adamw":
            ratio = 0.2 * math.sqrt(max(rows, columns))
        else:
            ratio = math.sqrt(max(1, rows / columns))
        return self.decayed(tensor, options) - options["lr"] * ratio * step

    @staticmethod
    def _made_orthogonal(step, options):
        """Nearly the orthogonal matrix next to it, by the iteration of Newton and Schulz in bfloat16."""
        if options["ns_steps"] >= 100:
            raise ValueError("Number of steps must be less than 100 for computational efficiency")
        if len(options["ns_coefficients"]) != 3:
            raise ValueError("Coefficients must be a tuple of exactly 3 values")
        a, b, c = options["ns_coefficients"]
        is_tall = step.shape[0] > step.shape[1]
        x = (step.T if is_tall else step).astype("bfloat16").astype("float32")

        def rounded(value):
            return value.astype("bfloat16").astype("float32")

        x = rounded(x / rounded(x.norm()).clip(min=options["eps"]))
        for _ in range(options["ns_steps"]):
            gram = rounded(x @ x.T)
            gram = rounded(b * gram + c * (gram @ gram))
            x = rounded(a * x + gram @ x)
        return x.T if is_tall else x
