import paddle

from .torchs_meaning import _torch

GRID_SAMPLE_INTERPOLATION_MODES = {"bilinear": 0, "nearest": 1, "bicubic": 2}
GRID_SAMPLE_PADDING_MODES = {"zeros": 0, "border": 1, "reflection": 2}


def affine_grid_generator(theta, size, align_corners):
    return _torch("nn.functional.affine_grid")(theta, size, align_corners)


def cond(pred, true_fn, false_fn, operands=()):
    """What one of two functions gives."""
    if not isinstance(pred, (bool, paddle.Tensor)):
        raise RuntimeError(f"Expected pred to be bool or tensor, but got {pred}.")
    if isinstance(pred, paddle.Tensor) and pred.size != 1:
        raise RuntimeError(f"Expected pred to be bool or single-element tensor, but got {pred}.")
    return (true_fn if bool(pred) else false_fn)(*operands)


def while_loop(cond_fn, body_fn, carried_inputs):
    """What a function gives of its own results until another one gives False."""
    values = tuple(carried_inputs)
    while bool(cond_fn(*values)):
        values = body_fn(*values)
        values = values if isinstance(values, tuple) else (values,)
    return values


def conv_tbc(input, weight, bias, pad=0):
    """A convolution of (time, batch, channels) with (length, channels in, channels out)."""
    given = input.transpose([1, 2, 0]), weight.transpose([2, 1, 0])
    return _torch("nn.functional.conv1d")(*given, bias, padding=pad).transpose([2, 0, 1])


def torch_ctc_loss(log_probs, targets, input_lengths, target_lengths, blank=0, reduction=1, zero_infinity=False):
    way = ("none", "mean", "sum")[reduction]
    return _torch("nn.functional.ctc_loss")(log_probs, targets, input_lengths, target_lengths, blank, way, zero_infinity)


def native_channel_shuffle(input, groups):
    return _torch("nn.functional.channel_shuffle")(input, groups)


def spmm(input, mat2):
    return _torch("mm" if input.is_dense() else "sparse.mm")(input, mat2)


dsmm = spmm


def frobenius_norm(input, dim, keepdim=False):
    return _torch("linalg.vector_norm")(input, 2, dim or None, keepdim)


def nuclear_norm(input, dim=(-2, -1), keepdim=False):
    if isinstance(dim, bool):  # nuclear_norm(input, keepdim)
        dim, keepdim = (-2, -1), dim
    return _torch("linalg.matrix_norm")(input, "nuc", dim, keepdim)


def pca_lowrank(A, q=None, center=True, niter=2):
    return paddle.linalg.pca_lowrank(A, q, center, niter)


def svd_lowrank(A, q=6, niter=2, M=None):
    return paddle.linalg.svd_lowrank(A, q, niter, M)


def _gates(input, hidden, w_ih, w_hh, b_ih, b_hh):
    linear = paddle.nn.functional.linear
    return linear(input, w_ih.T, b_ih), linear(hidden, w_hh.T, b_hh)


def lstm_cell(input, hx, w_ih, w_hh, b_ih=None, b_hh=None):
    hidden, state = hx
    i, f, g, o = sum(_gates(input, hidden, w_ih, w_hh, b_ih, b_hh)).chunk(4, -1)
    sigmoid = paddle.nn.functional.sigmoid
    state = sigmoid(f) * state + sigmoid(i) * g.tanh()
    return sigmoid(o) * state.tanh(), state


def gru_cell(input, hx, w_ih, w_hh, b_ih=None, b_hh=None):
    (r, z, n), (r_h, z_h, n_h) = (each.chunk(3, -1) for each in _gates(input, hx, w_ih, w_hh, b_ih, b_hh))
    sigmoid = paddle.nn.functional.sigmoid
    z = sigmoid(z + z_h)
    n = (n + sigmoid(r + r_h) * n_h).tanh()
    return n + z * (hx - n)


def rnn_tanh_cell(input, hx, w_ih, w_hh, b_ih=None, b_hh=None):
    return sum(_gates(input, hx, w_ih, w_hh, b_ih, b_hh)).tanh()


def rnn_relu_cell(input, hx, w_ih, w_hh, b_ih=None, b_hh=None):
    return paddle.nn.functional.relu(sum(_gates(input, hx, w_ih, w_hh, b_ih, b_hh)))


def _of_fractions(input):
    return input if input.is_floating_point() else input.astype(paddle.get_default_dtype())


_BERNOULLI = (1 / 12, -1 / 720, 1 / 30240, -1 / 1209600, 1 / 47900160, -691 / 1307674368000)


def zeta(input, other):
    """The sum of (other + n) ** -input: nine terms, and the formula of Euler and Maclaurin for the rest."""
    values = [each for each in (input, other) if isinstance(each, paddle.Tensor)]
    kept = max((_of_fractions(each).dtype for each in values), key=lambda dtype: dtype == paddle.float64)
    x, q = paddle.broadcast_tensors([
        paddle.to_tensor(each).astype("float64").reshape(getattr(each, "shape", [1])) for each in (input, other)
    ])  # fmt: skip
    total, start = paddle.zeros_like(x), q + 9
    for at in range(9):
        total = total + (q + at) ** (-x)
    total = total + start ** (1 - x) / (x - 1) + start ** (-x) / 2
    factor = x * start ** (-x - 1)
    for at, number in enumerate(_BERNOULLI):
        total = total + number * factor
        factor = factor * (x + 2 * at + 1) * (x + 2 * at + 2) / (start * start)
    infinite = (x == 1) | ((q <= 0) & (q == q.floor()))
    wrong = (x < 1) | ((q < 0) & (q != q.floor()) & (x != x.floor()))
    total = paddle.where(infinite & ~(x < 1), paddle.full_like(x, float("inf")), total)
    total = paddle.where(wrong, paddle.full_like(x, float("nan")), total)
    return total.astype(kept)
