import paddle

from .optimizers import _check_option, _options_given, _plain_number, _StepwiseOptimizer


class ASGD(_StepwiseOptimizer):
    def __init__(
        self, params, lr=1e-2, lambd=1e-4, alpha=0.75, t0=1e6, weight_decay=0, foreach=None, maximize=False,
        differentiable=False, capturable=False,
    ):  # fmt: skip
        _check_option("learning rate", lr, _plain_number(lr) >= 0)
        _check_option("weight_decay value", weight_decay, weight_decay >= 0)
        super().__init__(params, _options_given(locals()))

    def update(self, tensor, grad, state, options):
        rate, decay = _plain_number(options["lr"]), options["lambd"]
        if "eta" not in state:
            state["eta"] = paddle.to_tensor(rate, "float32")
            state["mu"] = paddle.ones([], "float32")
        count = self.counted(state, tensor, "ax")
        eta, mu = float(state["eta"]), float(state["mu"])
        tensor = tensor * (1 - decay * eta) - eta * grad
        state["ax"] = tensor.clone() if mu == 1 else state["ax"] + (tensor - state["ax"]) * mu
        eta = rate / (1 + decay * rate * count) ** options["alpha"]
        state["eta"] = paddle.to_tensor(eta, "float32")
        state["mu"] = paddle.to_tensor(1 / max(1, count - options["t0"]), "float32")
        return tensor


class Rprop(_StepwiseOptimizer):
    def __init__(
        self, params, lr=1e-2, etas=(0.5, 1.2), step_sizes=(1e-6, 50), *, capturable=False, foreach=None,
        maximize=False, differentiable=False,
    ):  # fmt: skip
        _check_option("learning rate", lr, _plain_number(lr) >= 0)
        _check_option("eta values", etas, 0.0 < etas[0] < 1.0 < etas[1])
        super().__init__(params, _options_given(locals()))

    def update(self, tensor, grad, state, options):
        (minus, plus), (least, most) = options["etas"], options["step_sizes"]
        state.setdefault("step_size", paddle.full_like(grad, _plain_number(options["lr"])))
        self.counted(state, tensor, "prev")
        sign = paddle.sign(grad * state["prev"])
        factor = paddle.where(sign > 0, plus * paddle.ones_like(sign), paddle.ones_like(sign))
        factor = paddle.where(sign < 0, minus * paddle.ones_like(sign), factor)
        state["step_size"] = paddle.clip(state["step_size"] * factor, least, most)
        grad = paddle.where(sign < 0, paddle.zeros_like(grad), grad)
        state["prev"] = grad.clone()
        return tensor - paddle.sign(grad) * state["step_size"]
