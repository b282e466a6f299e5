import paddle

from .computing import _reduced
from .layers import _layer, _reduction
from .torchs_meaning import _torch


def multilabel_margin_loss(input, target, size_average=None, reduce=None, reduction="mean"):
    """Of each score that is not of a target: by how much it comes closer than 1 to each that is."""
    if input.shape != target.shape or input.ndim > 2:
        raise RuntimeError(f"inconsistent target size: {target.shape} for size: {input.shape}")
    rows, wanted = (each.reshape([-1, max(input.size, 1) if input.ndim < 2 else input.shape[-1]]) for each in (input, target))
    listed = paddle.cumsum((wanted < 0).astype("int64"), -1) == 0  # up to the first -1
    places = paddle.where(listed, wanted, paddle.zeros_like(wanted)).astype("int64")
    marks = paddle.nn.functional.one_hot(places, rows.shape[-1]) * listed.unsqueeze(-1).astype("float32")
    others = (marks.sum(1) == 0).astype(rows.dtype).unsqueeze(1)
    margins = 1 - paddle.take_along_axis(rows, places, -1).unsqueeze(-1) + rows.unsqueeze(1)
    counted = others * listed.unsqueeze(-1).astype(rows.dtype)
    each = (paddle.nn.functional.relu(margins) * counted).sum([1, 2]) / rows.shape[-1]
    each = each.reshape([]) if input.ndim < 2 else each
    return _reduced(each, _reduction(reduction, size_average, reduce))


def multi_margin_loss(
    input, target, p=1, margin=1.0, weight=None, size_average=None, reduce=None, reduction="mean"
):
    """Of each score but the target's: by how much it comes closer to that than the margin."""
    if p not in (1, 2):
        raise ValueError("only p == 1 and p == 2 supported")
    rows = input.reshape([-1, max(input.size, 1) if input.ndim < 2 else input.shape[-1]])
    places = target.reshape([-1, 1]).astype("int64")
    margins = paddle.nn.functional.relu(margin - paddle.take_along_axis(rows, places, -1) + rows)
    margins = margins if p == 1 else margins * margins
    if weight is not None:
        margins = margins * weight.index_select(places.flatten()).unsqueeze(-1)
    own = paddle.nn.functional.one_hot(places.flatten(), rows.shape[-1]).astype(rows.dtype)
    each = (margins * (1 - own)).sum(-1) / rows.shape[-1]
    return _reduced(each.reshape(target.shape), _reduction(reduction, size_average, reduce))


def ctc_loss(
    log_probs, targets, input_lengths, target_lengths, blank=0, reduction="mean", zero_infinity=False
):
    single = log_probs.ndim == 2
    if single:
        log_probs = log_probs.unsqueeze(1)
    before, after = (
        paddle.to_tensor(each, dtype="int64").reshape([-1]).cpu() for each in (input_lengths, target_lengths)
    )
    if targets.ndim == 1:  # of all sequences, one after the other
        parts = paddle.split(targets[: int(after.sum())], after.tolist()) if len(after) > 1 else [targets]
        longest = max(after.tolist())
        targets = paddle.stack([_lengthened(part, longest) for part in parts])
    where = log_probs.place
    given = targets.astype("int32"), before.to(where), after.to(where)
    each = paddle.nn.functional.ctc_loss(log_probs, *given, blank, "none").reshape([-1])
    each = each - _unlike_softmax(log_probs, given[1])
    if zero_infinity:
        each = paddle.where(paddle.isinf(each), paddle.zeros_like(each), each)
    if reduction == "mean":
        each = each / given[2].clip(min=1).astype(each.dtype)
    return _reduced(each.reshape([]) if single and reduction == "none" else each, reduction)


def _unlike_softmax(log_probs, lengths):
    """What a loss of probabilities that do not add up to 1 lacks, as Paddle takes them for logits."""
    total = _torch("logsumexp")(log_probs, -1)
    gradient = total - log_probs.exp().sum(-1)  # torch's is that of the probabilities as they are
    steps = paddle.arange(log_probs.shape[0], dtype="int64").to(lengths.place).unsqueeze(1) < lengths
    # where, as infinite numbers may follow the end of a sequence
    return paddle.where(steps, total.detach() + gradient - gradient.detach(), paddle.zeros_like(total)).sum(0)


def _lengthened(part, length):
    return paddle.concat([part, paddle.zeros([length - part.shape[0]], part.dtype)])


_OLD = {"size_average": None, "reduce": None, "reduction": "mean"}
NLLLoss = _layer(
    "NLLLoss", "nll_loss", weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean"
)
KLDivLoss = _layer("KLDivLoss", "kl_div", **_OLD, log_target=False)
BCELoss = _layer("BCELoss", "binary_cross_entropy", weight=None, **_OLD)
BCEWithLogitsLoss = _layer(
    "BCEWithLogitsLoss", "binary_cross_entropy_with_logits", weight=None, **_OLD, pos_weight=None
)
MarginRankingLoss = _layer("MarginRankingLoss", "margin_ranking_loss", margin=0.0, **_OLD)
HingeEmbeddingLoss = _layer("HingeEmbeddingLoss", "hinge_embedding_loss", margin=1.0, **_OLD)
MultiLabelMarginLoss = _layer("MultiLabelMarginLoss", "multilabel_margin_loss", **_OLD)
MultiLabelSoftMarginLoss = _layer(
    "MultiLabelSoftMarginLoss", "multilabel_soft_margin_loss", weight=None, **_OLD
)
MultiMarginLoss = _layer("MultiMarginLoss", "multi_margin_loss", p=1, margin=1.0, weight=None, **_OLD)
GaussianNLLLoss = _layer(
    "GaussianNLLLoss", "gaussian_nll_loss", full=False, eps=1e-6, reduction="mean"
)
CTCLoss = _layer("CTCLoss", "ctc_loss", blank=0, reduction="mean", zero_infinity=False)
