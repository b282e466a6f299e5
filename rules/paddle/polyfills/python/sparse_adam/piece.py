import math

import paddle

from .computing import _is_zero
from .optimizers import _check_options, _options_given, _StepwiseOptimizer


class SparseAdam(_StepwiseOptimizer):
    """Adam for rows that have a gradient: the averages of the others stay as they are."""

    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, maximize=False):
        if not 0 < lr:
            raise ValueError(f"Invalid learning rate: {lr}")
        if not 0 < eps:
            raise ValueError(f"Invalid epsilon value: {eps}")
        for at, each in enumerate(betas):
            if not 0 <= each < 1:
                raise ValueError(f"Invalid beta parameter at index {at}: {each}")
        _check_options(lr, (), eps, 0)
        super().__init__(params, _options_given(locals()))

    def update(self, tensor, grad, state, options):
        beta1, beta2 = options["betas"]
        count = self.counted(state, tensor, "exp_avg", "exp_avg_sq")
        changed = ~_is_zero(grad)
        rows = changed.reshape([grad.shape[0], -1]).any(-1) if grad.ndim else changed
        given = rows.reshape([-1] + [1] * (grad.ndim - 1)) if grad.ndim else rows
        first = state["exp_avg"] + (1 - beta1) * (grad - state["exp_avg"])
        second = state["exp_avg_sq"] + (1 - beta2) * (grad * grad - state["exp_avg_sq"])
        state["exp_avg"] = paddle.where(given, first, state["exp_avg"])
        state["exp_avg_sq"] = paddle.where(given, second, state["exp_avg_sq"])
        rate = options["lr"] * math.sqrt(1 - beta2**count) / (1 - beta1**count)
        return paddle.where(given, tensor - rate * first / (second.sqrt() + options["eps"]), tensor)
