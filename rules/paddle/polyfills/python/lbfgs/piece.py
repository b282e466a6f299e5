import functools

import paddle

from .optimizers import Optimizer


def _cubic_interpolate(x1, f1, g1, x2, f2, g2, bounds=None):
    """Where the cubic through two points, with these values and slopes, has its minimum."""
    low, high = bounds if bounds is not None else sorted((x1, x2))
    d1 = g1 + g2 - 3 * (f1 - f2) / (x1 - x2)
    square = d1**2 - g1 * g2
    if square < 0:
        return (low + high) / 2.0
    d2 = square**0.5
    if x1 <= x2:
        place = x2 - (x2 - x1) * ((g2 + d2 - d1) / (g2 - g1 + 2 * d2))
    else:
        place = x1 - (x1 - x2) * ((g1 + d2 - d1) / (g1 - g2 + 2 * d2))
    return min(max(place, low), high)


def _strong_wolfe(
    obj_func, x, t, d, f, g, gtd, c1=1e-4, c2=0.9, tolerance_change=1e-9, max_ls=25
):
    """A step t along d that satisfies the strong Wolfe conditions: value, gradient, step, calls.

    As in Nocedal and Wright, 3.5: a bracket is found first, then made smaller.
    """
    width = d.abs().max()
    points, count, done = [], 0, False  # of the bracket: step, value, gradient, slope

    def look(step):
        value, gradient = obj_func(x, step, d)
        return step, value, gradient.clone(), gradient.dot(d)

    before, now = (0, f, g.clone(), gtd), look(t)
    calls = 1
    while count < max_ls:
        step, value, _, slope = now
        if value > f + c1 * step * gtd or (count > 1 and value >= before[1]):
            points = [before, now]
        elif abs(slope) <= -c2 * gtd:
            points, done = [now], True
        elif slope >= 0:
            points = [before, now]
        if points:
            break
        bounds = step + 0.01 * (step - before[0]), step * 10
        wanted = _cubic_interpolate(before[0], before[1], before[3], step, value, slope, bounds)
        before, now = now, look(wanted)
        calls += 1
        count += 1
    if not points:
        points = [(0, f, g, gtd), now]
    stuck = False
    low, high = (0, 1) if points[0][1] <= points[-1][1] else (1, 0)
    while not done and count < max_ls:
        (a, fa, _, ga), (b, fb, _, gb) = points
        if abs(b - a) * width < tolerance_change:
            break
        step = _cubic_interpolate(a, fa, ga, b, fb, gb)
        least, most = min(a, b), max(a, b)
        margin = 0.1 * (most - least)
        near = min(most - step, step - least) < margin
        if near and (stuck or step >= most or step <= least):
            step = most - margin if abs(step - most) < abs(step - least) else least + margin
            near = False
        stuck = near
        now = look(step)
        calls += 1
        count += 1
        _, value, _, slope = now
        if value > f + c1 * step * gtd or value >= points[low][1]:
            points[high] = now
            low, high = (0, 1) if points[0][1] <= points[1][1] else (1, 0)
            continue
        if abs(slope) <= -c2 * gtd:
            done = True
        elif slope * (points[high][0] - points[low][0]) >= 0:
            points[high] = points[low]
        points[low] = now
    step, value, gradient, _ = points[low if len(points) > 1 else 0]
    return value, gradient, step, calls


class LBFGS(Optimizer):
    def __init__(
        self,
        params,
        lr=1,
        max_iter=20,
        max_eval=None,
        tolerance_grad=1e-7,
        tolerance_change=1e-9,
        history_size=100,
        line_search_fn=None,
    ):
        if not lr >= 0:
            raise ValueError(f"Invalid learning rate: {lr}")
        defaults = {
            "lr": lr,
            "max_iter": max_iter,
            "max_eval": max_iter * 5 // 4 if max_eval is None else max_eval,
            "tolerance_grad": tolerance_grad,
            "tolerance_change": tolerance_change,
            "history_size": history_size,
            "line_search_fn": line_search_fn,
        }
        super().__init__(params, defaults)
        if len(self.param_groups) != 1:
            raise ValueError("LBFGS doesn't support per-parameter options (parameter groups)")
        self._params = self.param_groups[0]["params"]

    def _gradient(self):
        flat = (
            paddle.zeros([p.size], p.dtype) if p.grad is None else p.grad.flatten()
            for p in self._params
        )
        return paddle.concat([*flat])

    @paddle.no_grad()
    def _move(self, step, direction):
        at = 0
        for p in self._params:
            p.add_(step * direction[at : at + p.size].reshape(p.shape))
            at += p.size

    def _evaluated(self, closure, x, step, direction):
        self._move(step, direction)
        loss = float(closure())
        gradient = self._gradient()
        for p, value in zip(self._params, x):
            paddle.assign(value, p)
        return loss, gradient

    @staticmethod
    def _direction(state, gradient, size):
        """The Newton direction by the last steps, where the gradient changed along them."""
        olds = state["old_dirs"], state["old_stps"], state["ro"]
        change, moved = gradient - state["prev_flat_grad"], state["d"] * state["t"]
        along = change.dot(moved)
        if along > 1e-10:
            for each, value in zip(olds, (change, moved, 1.0 / along)):
                if len(each) == size:
                    each.pop(0)
                each.append(value)
            state["H_diag"] = along / change.dot(change)
        rows, wanted, parts = [*zip(*olds)], -gradient, []
        for change, moved, inverse in reversed(rows):
            parts.append(moved.dot(wanted) * inverse)
            wanted = wanted - parts[-1] * change
        wanted = wanted * state["H_diag"]
        for change, moved, inverse in rows:
            wanted = wanted + moved * (parts.pop() - change.dot(wanted) * inverse)
        return wanted

    @paddle.no_grad()
    def step(self, closure):
        closure = paddle.enable_grad()(closure)
        group = self.param_groups[0]
        lr, least, enough = (group[n] for n in ("lr", "tolerance_change", "tolerance_grad"))
        search = group["line_search_fn"]
        if search not in (None, "strong_wolfe"):
            raise RuntimeError("only 'strong_wolfe' is supported")
        state = self.state[self._params[0]]
        first = closure()
        loss, gradient, calls = float(first), self._gradient(), 1
        for name in ("func_evals", "n_iter"):
            state.setdefault(name, 0)
        state["func_evals"] += 1
        if gradient.abs().max() <= enough:
            return first
        for number in range(1, group["max_iter"] + 1):
            state["n_iter"] += 1
            if state["n_iter"] == 1:
                state |= {"d": -gradient, "old_dirs": [], "old_stps": [], "ro": [], "H_diag": 1}
                step = min(1.0, 1.0 / float(gradient.abs().sum())) * lr
            else:
                state["d"] = self._direction(state, gradient, group["history_size"])
                step = lr
            direction, loss_before = state["d"], loss
            state["prev_flat_grad"], state["prev_loss"] = gradient.clone(), loss
            slope = gradient.dot(direction)
            state["t"] = step
            if slope > -least:
                break
            done = 0
            if search:
                x = [p.clone() for p in self._params]
                look = functools.partial(self._evaluated, closure)
                loss, gradient, step, done = _strong_wolfe(
                    look, x, step, direction, loss, gradient, slope
                )
                self._move(step, direction)
            else:
                self._move(step, direction)
                if number != group["max_iter"]:
                    loss, gradient, done = float(closure()), self._gradient(), 1
            state["t"] = step
            calls += done
            state["func_evals"] += done
            small = (search or done) and gradient.abs().max() <= enough
            if calls >= group["max_eval"] or small or (direction * step).abs().max() <= least:
                break
            if abs(loss - loss_before) < least:
                break
        return first
