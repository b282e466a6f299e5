#pragma once

#include <ATen/core/Tensor.h>
#include <porter_compat/losses.h>

#include <tuple>

namespace at {

inline Tensor mse_loss(
    const Tensor& self, const Tensor& target, int64_t reduction = Reduction::Mean) {
  return compat_detail::python(
      compat_detail::reduced("x, t", compat_detail::SQUARED), reduction, self, target);
}

inline Tensor mse_loss_backward(
    const Tensor& grad_output, const Tensor& self, const Tensor& target, int64_t reduction) {
  return compat_detail::python(
      compat_detail::reduced_back("t", compat_detail::SQUARED), reduction, grad_output, self, target);
}

inline Tensor l1_loss(
    const Tensor& self, const Tensor& target, int64_t reduction = Reduction::Mean) {
  return compat_detail::python(
      compat_detail::reduced("x, t", "(x - t).abs()"), reduction, self, target);
}

inline Tensor smooth_l1_loss(
    const Tensor& self, const Tensor& target, int64_t reduction = Reduction::Mean,
    double beta = 1.0) {
  TORCH_CHECK(beta >= 0, "smooth_l1_loss: a negative beta");
  return compat_detail::python(
      compat_detail::reduced("x, t, b", compat_detail::SMOOTH), reduction, self, target, beta);
}

inline Tensor smooth_l1_loss_backward(
    const Tensor& grad_output, const Tensor& self, const Tensor& target, int64_t reduction,
    double beta) {
  return compat_detail::python(
      compat_detail::reduced_back("t, b", compat_detail::SMOOTH), reduction, grad_output, self, target, beta);
}

inline Tensor huber_loss(
    const Tensor& self, const Tensor& target, int64_t reduction = Reduction::Mean,
    double delta = 1.0) {
  TORCH_CHECK(delta > 0, "huber_loss: delta is not positive");
  return compat_detail::python(
      compat_detail::reduced("x, t, b", compat_detail::HUBER), reduction, self, target, delta);
}

inline Tensor huber_loss_backward(
    const Tensor& grad_output, const Tensor& self, const Tensor& target, int64_t reduction,
    double delta) {
  return compat_detail::python(
      compat_detail::reduced_back("t, b", compat_detail::HUBER), reduction, grad_output, self, target, delta);
}

inline Tensor binary_cross_entropy(
    const Tensor& self, const Tensor& target, 
    const ::std::optional<Tensor>& weight = {}, int64_t reduction = Reduction::Mean) {
  return compat_detail::python(
      compat_detail::reduced("x, t, w", compat_detail::ENTROPY), reduction, self, target, weight);
}

inline Tensor binary_cross_entropy_backward(
    const Tensor& grad_output, const Tensor& self, const Tensor& target, 
    const ::std::optional<Tensor>& weight = {}, int64_t reduction = Reduction::Mean) {
  return compat_detail::python(
      "lambda y, x, t, w, r: y * (x - t) / ((1 - x) * x).clip(1e-12) * (1 if w is None else w)"
      " / (max(x.size, 1) if r == 1 else 1)", grad_output, self, target, weight, reduction);
}

inline Tensor binary_cross_entropy_with_logits(
    const Tensor& self, const Tensor& target, 
    const ::std::optional<Tensor>& weight = {},
    const ::std::optional<Tensor>& pos_weight = {}, int64_t reduction = Reduction::Mean) {
  return compat_detail::python(
      compat_detail::reduced("x, t, w, p", 
          "((1 - t) * x + (1 if p is None else (p - 1) * t + 1) * -F.log_sigmoid(x))"
          " * (1 if w is None else w)"), reduction, self, target,
      weight, pos_weight);
}

inline Tensor kl_div(
    const Tensor& self, const Tensor& target, int64_t reduction = Reduction::Mean,
    bool log_target = false) {
  return compat_detail::python(
      compat_detail::reduced("x, t, log", 
          "t.exp() * (t - x) if log else paddle.where(t > 0, t * t.log(), t * 0) - t * x"), reduction, self,
      target, log_target);
}

inline Tensor soft_margin_loss(
    const Tensor& self, const Tensor& target, int64_t reduction = Reduction::Mean) {
  return compat_detail::python(
      compat_detail::reduced("x, t", "(-t * x).exp().log1p()"), reduction, self, target);
}

inline Tensor margin_ranking_loss(
    const Tensor& input1, const Tensor& input2, const Tensor& target, double margin = 0.0,
    int64_t reduction = Reduction::Mean) {
  return compat_detail::python(
      compat_detail::reduced("x, y, t, m", "(-t * (x - y) + m).clip(0)"), reduction, input1, input2,
      target, margin);
}

inline Tensor hinge_embedding_loss(
    const Tensor& self, const Tensor& target, double margin = 1.0,
    int64_t reduction = Reduction::Mean) {
  return compat_detail::python(
      compat_detail::reduced("x, t, m", 
          "paddle.where(t != 1, (m - x).clip(0), paddle.zeros_like(x))"
          " + paddle.where(t != -1, x, paddle.zeros_like(x))"), reduction, self, target, margin);
}

inline Tensor cosine_embedding_loss(
    const Tensor& input1, const Tensor& input2, const Tensor& target, double margin = 0.0,
    int64_t reduction = Reduction::Mean) {
  TORCH_CHECK(input1.dim() == target.dim() + 1, "one target for each pair of vectors");
  return compat_detail::python(
      compat_detail::reduced("x, y, t, m", R"py(
    (lambda a, b, p: (lambda c: paddle.where(t == 1, 1 - c, paddle.zeros_like(c))
                      + paddle.where(t == -1, (c - m).clip(0), paddle.zeros_like(c)))(
        p / ((a + 1e-12) * (b + 1e-12)).sqrt()))(
            x.square().sum(-1), y.square().sum(-1), (x * y).sum(-1)))py"), reduction, input1, input2, target, margin);
}

inline Tensor triplet_margin_loss(
    const Tensor& anchor, const Tensor& positive, const Tensor& negative, double margin = 1.0,
    double p = 2, double eps = 1e-06, bool swap = false, int64_t reduction = Reduction::Mean) {
  return compat_detail::python(
      compat_detail::reduced("a, b, c, m, p, e, swap", R"py(
    (lambda d: (m + d(a, b) - (paddle.minimum(d(a, c), d(b, c)) if swap else d(a, c))).clip(0))(
        lambda x, y: (x - y + e).norm(p, -1)))py"), reduction, anchor, positive, negative, margin, p, eps, swap);
}

inline ::std::tuple<Tensor, Tensor> nll_loss_forward(
    const Tensor& self, const Tensor& target, const ::std::optional<Tensor>& weight,
    int64_t reduction, int64_t ignore_index) {
  return compat_detail::python_two(
      compat_detail::CLASSES, self, target, weight, reduction, ignore_index);
}

inline Tensor nll_loss(
    const Tensor& self, const Tensor& target, const ::std::optional<Tensor>& weight = {},
    int64_t reduction = Reduction::Mean, int64_t ignore_index = -100) {
  TORCH_CHECK(self.dim() == 1 || self.dim() == 2, "input tensor should be 1D or 2D");
  return ::std::get<0>(nll_loss_forward(self, target, weight, reduction, ignore_index));
}

inline Tensor nll_loss2d(
    const Tensor& self, const Tensor& target, const ::std::optional<Tensor>& weight = {},
    int64_t reduction = Reduction::Mean, int64_t ignore_index = -100) {
  TORCH_CHECK(self.dim() == 4, "only batches of spatial inputs supported (4D tensors)");
  return ::std::get<0>(nll_loss_forward(self, target, weight, reduction, ignore_index));
}

inline Tensor nll_loss_nd(
    const Tensor& self, const Tensor& target, const ::std::optional<Tensor>& weight = {},
    int64_t reduction = Reduction::Mean, int64_t ignore_index = -100) {
  return ::std::get<0>(nll_loss_forward(self, target, weight, reduction, ignore_index));
}

inline Tensor nll_loss_backward(
    const Tensor& grad_output, const Tensor& self, const Tensor& target,
    const ::std::optional<Tensor>& weight, int64_t reduction, int64_t ignore_index,
    const Tensor& total_weight) {
  return compat_detail::python(R"py(def back(y, x, t, w, r, ignored, total):
    axis, count = (0, x.shape[0]) if x.ndim == 1 else (1, x.shape[1])
    w = paddle.ones([count], x.dtype) if w is None else w
    wide = w.reshape([count] + [1] * (x.ndim - axis - 1))
    at = (paddle.arange(count).reshape(wide.shape) == t.unsqueeze(axis)) & (t != ignored).unsqueeze(axis)
    y = y.unsqueeze(axis) if r == 0 else y / total if r == 1 else y
    return -y * wide * at.astype(x.dtype)
)py", grad_output, self, target, weight, reduction, ignore_index, total_weight);
}

// Targets are classes, or the probability of each.
inline Tensor cross_entropy_loss(
    const Tensor& self, const Tensor& target, const ::std::optional<Tensor>& weight = {},
    int64_t reduction = Reduction::Mean, int64_t ignore_index = -100, double label_smoothing = 0.0) {
  TORCH_CHECK(label_smoothing >= 0 && label_smoothing <= 1, "label_smoothing is no probability");
  const ::std::string classes = compat_detail::CLASSES;
  return compat_detail::python(R"py(def entropy(given, x, t, w, r, ignored, smooth):
    axis = 0 if x.ndim == 1 else 1
    count, rest = x.shape[axis], [*x.shape[:axis], *x.shape[axis + 1 :]]
    wide = 1 if w is None else w.reshape([count] + [1] * (x.ndim - axis - 1))
    x = x - paddle.logsumexp(x, axis, True)  # Paddle's log_softmax gives nothing below -64
    if t.shape == x.shape:
        checked(t.is_floating_point(), "a target of probabilities")
        t = t * (1 - smooth) + smooth / count if smooth else t
        loss = -(x * t * wide).sum(axis)
        return loss if r == 0 else loss.sum() / max(prod(rest), 1) if r == 1 else loss.sum()
    loss, total = made(given)(x, t, w, r, ignored)
    if smooth:
        even = -(x * wide).sum(axis)
        even = paddle.where(t != ignored, even, paddle.zeros_like(even))
        even = even if r == 0 else even.sum() / total if r == 1 else even.sum()
        loss = loss * (1 - smooth) + even * (smooth / count)
    return loss
)py", classes, self, target, weight, reduction, ignore_index, label_smoothing);
}

inline Tensor ctc_loss(
    const Tensor& log_probs, const Tensor& targets, const Tensor& input_lengths,
    const Tensor& target_lengths, int64_t blank = 0, int64_t reduction = Reduction::Mean,
    bool zero_infinity = false) {
  TORCH_CHECK(log_probs.dim() == 3 && targets.dim() == 2, "ctc_loss: batches of both");
  return compat_detail::python(R"py(def ctc(x, t, long, wanted, blank, r, zero):
    checked(int(wanted.min()) > 0, "an empty target")
    loss = F.ctc_loss(x, t.astype("int32"), long.astype("int64"), wanted.astype("int64"), blank, "none")
    steps = (paddle.arange(x.shape[0]).unsqueeze(1) < long.astype("int64").reshape([1, -1])).astype(x.dtype)
    each = paddle.logsumexp(x, -1)  # Paddle takes the softmax of what torch takes for logarithms
    more = ((x.exp().sum(-1) - each) * steps).sum(0)
    loss = loss.reshape([-1]) - (each * steps).sum(0).detach() + (more - more.detach())
    loss = paddle.where(loss == inf, paddle.zeros_like(loss), loss) if zero else loss
    return loss if r == 0 else (loss / wanted.astype(loss.dtype)).mean() if r == 1 else loss.sum()
)py", log_probs, targets, input_lengths, target_lengths, blank, reduction, zero_infinity);
}

inline Tensor ctc_loss(
    const Tensor& log_probs, const Tensor& targets, IntArrayRef input_lengths,
    IntArrayRef target_lengths, int64_t blank = 0, int64_t reduction = Reduction::Mean,
    bool zero_infinity = false) {
  return at::ctc_loss(
      log_probs, targets, at::tensor(input_lengths, kLong), at::tensor(target_lengths, kLong), blank,
      reduction, zero_infinity);
}

inline Tensor poisson_nll_loss(
    const Tensor& input, const Tensor& target, bool log_input, bool full, double eps,
    int64_t reduction) {
  return compat_detail::python(
      compat_detail::reduced("x, t, log, full, e", R"py(
    (x.exp() - t * x if log else x - t * (x + e).log()) + (0 if not full else paddle.where(
        t > 1, t * t.log() - t + 0.5 * (t * 6.283185307179586).log(), paddle.zeros_like(x))))py"),
      reduction, input, target, log_input, full, eps);
}

inline Tensor multi_margin_loss(
    const Tensor& self, const Tensor& target, const Scalar& p = 1, const Scalar& margin = 1,
    const ::std::optional<Tensor>& weight = {}, int64_t reduction = Reduction::Mean) {
  return compat_detail::python(R"py(def margins(x, t, p, m, w, r):
    checked(p in (1, 2) and t.shape == x.shape[:-1], "p, or a target's shape,")
    own = F.one_hot(t, x.shape[-1]).astype(x.dtype)
    z = (m - (x * own).sum(-1, keepdim=True) + x).clip(0) ** p * (1 - own)
    z = z if w is None else z * w.gather(t.flatten()).reshape([*t.shape, 1])
    z = z.sum(-1) / x.shape[-1]
    return z if r == 0 else z.mean() if r == 1 else z.sum()
)py", self, target, p, margin, weight, reduction);
}

// The classes before the first -1 of a target are its own.
inline Tensor multilabel_margin_loss(
    const Tensor& self, const Tensor& target, int64_t reduction = Reduction::Mean) {
  TORCH_CHECK(self.dim() < 3 && self.sizes() == target.sizes(), "multilabel_margin_loss: inconsistent sizes");
  return compat_detail::python(R"py(def margins(x, t, r):
    x, t = x.reshape([-1, x.shape[-1] if x.ndim else 1]), t.reshape([-1, t.shape[-1] if t.ndim else 1])
    checked(int(t.max()) < x.shape[-1] and int(t.min()) >= -1, "a target")
    own = (t >= 0).astype("int64").cumprod(-1).astype(x.dtype)
    places = t.clip(0)
    chosen = (F.one_hot(places, x.shape[-1]).astype(x.dtype) * own.unsqueeze(-1)).sum(1) > 0
    z = (1 - x.take_along_axis(places, 1).unsqueeze(-1) + x.unsqueeze(1)).clip(0) * own.unsqueeze(-1)
    z = (z * (~chosen).astype(x.dtype).unsqueeze(1)).sum([1, 2]) / x.shape[-1]
    return z if r == 0 else z.mean() if r == 1 else z.sum()
)py", self, target, reduction);
}

inline ::std::tuple<Tensor, Tensor> nll_loss2d_forward(
    const Tensor& self, const Tensor& target, const ::std::optional<Tensor>& weight,
    int64_t reduction, int64_t ignore_index) {
  TORCH_CHECK(self.dim() == 4, "only batches of spatial inputs supported (4D tensors)");
  return nll_loss_forward(self, target, weight, reduction, ignore_index);
}

}  // namespace at
