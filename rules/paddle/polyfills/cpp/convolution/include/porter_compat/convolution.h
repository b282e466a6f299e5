// Convolutions of one to three dimensions; an image without a batch is a batch of one.
#pragma once

#include <porter_compat/recorded.h>
#include <porter_compat/eager.h>
#include <porter_compat/python_calls.h>

#include <string>
#include <type_traits>

namespace at::compat_detail {

inline const char* const CONVOLVED = R"py(def conv(x, w, b, s, p, d, g):
    n = w.ndim - 2
    run = getattr(F, f"conv{n}d")
    return batched(lambda x: run(x, w, b, each(s, n), each(p, n), each(d, n), g), x, n + 2)
)py";

inline const char* const TURNED = R"py(def turned(x, w, b, s, p, o, g, d):
    n = w.ndim - 2
    run = getattr(F, f"conv{n}d_transpose")
    more = dict(output_padding=each(o, n), groups=g, dilation=each(d, n))
    return batched(lambda x: run(x, w, b, each(s, n), each(p, n), **more), x, n + 2)
)py";

// Padding by name: none, or what keeps the size, the odd one at the end.
inline const char* const NAMED_PADDING = R"py(def named(x, w, b, s, p, d, g):
    n = w.ndim - 2
    checked(p in ("valid", "same") and (p == "valid" or max(s) == 1), f"padding {p}")
    whole = [a * (k - 1) for a, k in zip(each(d, n), w.shape[2:])]
    both = [i for t in whole for i in (t // 2, t - t // 2)] if p == "same" else 0
    run = getattr(F, f"conv{n}d")
    return batched(lambda x: run(x, w, b, each(s, n), both, each(d, n), g), x, n + 2)
)py";

// Of two or three dimensions where no gradient is recorded: without Python, whose lock may be held by
// a thread that waits for this one.
inline std::optional<paddle::Tensor> convolved_natively(
    int64_t n, const paddle::Tensor& x, const paddle::Tensor& w, const paddle::Tensor& b,
    IntArrayRef stride, IntArrayRef padding, IntArrayRef dilation, int64_t groups) {
  const bool is_float = x.dtype() == phi::DataType::FLOAT32 || x.dtype() == phi::DataType::FLOAT64;
  const bool is_learned = requires_grad(x) || requires_grad(w) || (b.defined() && requires_grad(b));
  if (n < 2 || !is_float || x.dims().size() != n + 2 || x.numel() == 0) return {};
  if (is_learned && recording()) return {};
  const auto each = [n](IntArrayRef xs) {
    return xs.size() == 1 ? std::vector<int>(n, xs[0]) : std::vector<int>(xs.begin(), xs.end());
  };
  namespace native = paddle::recorded;
  auto y = n == 2
      ? native::conv2d(x, w, each(stride), each(padding), "EXPLICIT", each(dilation), groups, "NCHW")
      : native::conv3d(x, w, each(stride), each(padding), "EXPLICIT", groups, each(dilation), "NCDHW");
  if (!b.defined()) return y;
  std::vector<int64_t> shape(n + 2, 1);
  shape[1] = b.numel();
  return native::add(y, native::reshape(b, shape));
}

template <class Padding>
paddle::Tensor convolved(
    const char* how, int64_t n, const TensorBase& x, const TensorBase& w,
    const std::optional<Tensor>& b, IntArrayRef stride, Padding padding, IntArrayRef dilation,
    int64_t groups) {
  TORCH_CHECK(w.dim() == n + 2, "expected a weight of ", n + 2, " dimensions");
  if constexpr (std::is_same_v<Padding, IntArrayRef>) {
    const auto bias = b && b->defined() ? b->_PD_GetInner() : paddle::Tensor();
    const auto y = convolved_natively(
        n, x._PD_GetInner(), w._PD_GetInner(), bias, stride, padding, dilation, groups);
    if (y) return *y;
  }
  return python(how, x, w, b, stride, padding, dilation, groups);
}

// The gradients of input, weight and bias, by the function that gives the result.
inline const char* const CONVOLVED_BACK = R"py(def back(y, x, w, s, p, d, turned, o, g, mask):
    n = w.ndim - 2
    s, p, d, o = each(s, n), each(p, n), each(d, n), each(o, n)
    more = dict(output_padding=o) if turned else {}
    run = getattr(F, f"conv{n}d_transpose" if turned else f"conv{n}d")
    f = lambda x, w, b: run(x, w, b, s, p, dilation=d, groups=g, **more)
    return gradients(f, y, [x, w, paddle.zeros([y.shape[1]], y.dtype)], mask)
)py";

}  // namespace at::compat_detail
