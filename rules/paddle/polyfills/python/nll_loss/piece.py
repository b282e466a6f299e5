import paddle

from .computing import _applied, _reduced


def nll_loss(
    input,
    target,
    weight=None,
    size_average=None,
    ignore_index=-100,
    reduce=None,
    reduction="mean",
):
    """The negative log likelihoods of classes, of one row too."""
    if size_average is not None or reduce is not None:
        summed = size_average is not None and not size_average
        reduction = "none" if reduce is False else "sum" if summed else "mean"
    axis = min(1, input.ndim - 1)
    if target.shape != [*input.shape[:axis], *input.shape[axis + 1 :]]:
        raise ValueError(f"size mismatch (got input: {input.shape}, target: {target.shape})")
    keep = target != ignore_index
    chosen = paddle.where(keep, target, paddle.zeros_like(target)).unsqueeze(axis)
    if input.place.is_cpu_place() and bool(((chosen < 0) | (chosen >= input.shape[axis])).any()):
        raise IndexError("Target is out of bounds.")

    def loss(logs, *weights):
        each = paddle.take_along_axis(logs, chosen, axis).squeeze(axis)
        counts = paddle.ones_like(each)
        if weights:
            counts = paddle.index_select(weights[0], chosen.flatten()).reshape(each.shape)
        counts = paddle.where(keep, counts, paddle.zeros_like(counts))
        each = paddle.where(keep, -each * counts, paddle.zeros_like(each))
        return each.sum() / counts.sum() if reduction == "mean" else _reduced(each, reduction)

    return _applied(loss, input.dtype, input, *([] if weight is None else [weight]))
