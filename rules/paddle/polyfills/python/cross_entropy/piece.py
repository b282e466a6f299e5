import paddle
import paddle.nn.functional as functional

from .computing import _HALVES, _reduced
from .log_softmax import log_softmax
from .promotion import _result_dtype
from .rounded_steps import _in_steps, _takes_half


@_takes_half
def cross_entropy(
    input,
    target,
    weight=None,
    size_average=None,
    ignore_index=-100,
    reduce=None,
    reduction="mean",
    label_smoothing=0.0,
):
    if size_average is not None or reduce is not None:
        summed = "mean" if size_average is None or size_average else "sum"
        reduction = "none" if reduce is False else summed
    axis = min(1, input.ndim - 1)
    classes = input.shape[axis]
    smoothing = label_smoothing / classes
    given = [] if weight is None else [weight.reshape([classes] + [1] * (input.ndim - axis - 1))]

    def of_probabilities(r, logs, y, *weights):
        y = r(r(y * (1 - label_smoothing)) + smoothing) if label_smoothing else y
        each = r(logs * y)
        each = r(each * weights[0]) if weights else each
        if reduction == "none":
            return -each.sum(axis)
        return -(r(each.sum()) / (logs.size / classes) if reduction == "mean" else each.sum())

    def of_classes(r, logs, *weights):
        zero, ones = paddle.zeros(target.shape, logs.dtype), paddle.ones_like(logs)
        counts = ones * weights[0] if weights else ones
        weighed = r(logs * counts)
        picked = [paddle.take_along_axis(each, chosen, axis) for each in (weighed, counts)]
        each, counted = (paddle.where(keep, p.squeeze(axis), zero) for p in picked)
        if label_smoothing:
            every = paddle.where(keep, r(weighed.sum(axis)), zero)
            each = each * (1 - label_smoothing) + every * smoothing
        return -each.sum() / counted.sum() if reduction == "mean" else _reduced(-each, reduction)

    def logs():
        if not input.place.is_cpu_place():
            return functional.log_softmax(input, axis)
        if input.dtype not in _HALVES and input._numel():
            found = functional.log_softmax(input, axis)
            if float(found.detach().min()) > -63.9:  # where Paddle's end
                return found
        return log_softmax(input, axis)

    if target.is_floating_point() and target.dtype != input.dtype:  # of probabilities
        dtype = _result_dtype(input, target)
        input, target = input.astype(dtype), target.astype(dtype)

    if target.shape == input.shape:
        if not target.is_floating_point():
            raise RuntimeError(
                f"class probabilities have to be of a float type, not {target.dtype}"
            )
        return _in_steps(of_probabilities, input.dtype, logs(), target, *given)
    if target.dtype not in (paddle.int64, paddle.uint8):
        raise RuntimeError(f"expected scalar type Long but found {target.dtype}")
    if target.shape != [*input.shape[:axis], *input.shape[axis + 1 :]]:
        raise ValueError(f"size mismatch (got input: {input.shape}, target: {target.shape})")
    target = target.astype("int64")
    keep = target != ignore_index
    chosen = paddle.where(keep, target, paddle.zeros_like(target)).unsqueeze(axis)
    if input.place.is_cpu_place() and bool(((chosen < 0) | (chosen >= classes)).any()):
        raise IndexError("Target is out of bounds.")
    return _in_steps(of_classes, input.dtype, logs(), *given)


class CrossEntropyLoss(paddle.nn.Layer):
    def __init__(
        self,
        weight=None,
        size_average=None,
        ignore_index=-100,
        reduce=None,
        reduction="mean",
        label_smoothing=0.0,
    ):
        super().__init__()
        self.register_buffer("weight", weight)
        self.ignore_index, self.label_smoothing = ignore_index, label_smoothing
        self.reduction = reduction
        self._reducing = size_average, reduce

    def forward(self, input, target):
        size_average, reduce = self._reducing
        given = self.weight, size_average, self.ignore_index, reduce
        return cross_entropy(input, target, *given, self.reduction, self.label_smoothing)
