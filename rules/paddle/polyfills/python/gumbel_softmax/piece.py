import paddle

from .computing import _of_itself
from .torchs_meaning import _tensor_method


def gumbel_softmax(logits, tau=1, hard=False, eps=1e-10, dim=-1):
    """Shares that are drawn by their logits; with hard, one of them is 1 and has the gradient of its share."""
    waits = _tensor_method("exponential_")(paddle.empty_like(logits.detach()))
    shares = _of_itself(lambda x: paddle.nn.functional.softmax((x - waits.astype(x.dtype).log()) / tau, dim), logits)
    if not hard:
        return shares
    chosen = paddle.zeros_like(shares.detach())
    chosen = paddle.put_along_axis(chosen, shares.detach().argmax(dim, keepdim=True), 1.0, dim)
    return chosen - shares.detach() + shares
