#pragma once

#include <porter_compat/recorded.h>
#include <porter_compat/promotion.h>

#include <string_view>

namespace at::compat_detail {

// A dimension counted from the front.
inline int axis(const TensorBase& x, int64_t dim) {
  const int64_t dims = x.dim() ? x.dim() : 1;
  TORCH_CHECK(-dims <= dim && dim < dims, "dimension ", dim, " of a tensor of ", x.dim());
  return static_cast<int>(dim < 0 ? dim + dims : dim);
}

inline paddle::Tensor negative(const TensorBase& x) {
  const auto type = not_bool(x.scalar_type());
  return binary("multiply", paddle::recorded::multiply, x, Scalar(-1), type);
}

// 1, 0 or -1; 0 for what is no number.
inline paddle::Tensor signs(const TensorBase& x) {
  namespace pe = paddle::recorded;
  const auto in = computed("subtract", x.scalar_type(), x._PD_GetInner().place());
  const auto value = as(x._PD_GetInner(), in), zero = pe::zeros_like(value);
  const auto above = pe::cast(pe::greater_than(value, zero), in);
  return as(pe::subtract(above, pe::cast(pe::less_than(value, zero), in)), x.scalar_type());
}

// Floating tensors rounded in a way; integers are whole already.
template <class F, class... Args>
paddle::Tensor rounded(const char* kernel, F f, const TensorBase& x, const Args&... args) {
  const auto type = not_bool(x.scalar_type());
  if (category(type) == 1) return paddle::recorded::assign(x._PD_GetInner());
  return unary(kernel, f, x, type, args...);
}

inline paddle::Tensor elu(const TensorBase& self, double alpha, double scale, double steep) {
  namespace pe = paddle::recorded;
  const auto in = computed("elu", only_real(self), self._PD_GetInner().place());
  const auto x = as(self._PD_GetInner(), in), zero = pe::zeros_like(x);
  const auto below = pe::scale(pe::expm1(pe::scale(pe::minimum(x, zero), steep, 0, true)), alpha, 0, true);
  return as(pe::scale(pe::add(pe::maximum(x, zero), below), scale, 0, true), self.scalar_type());
}

// Paddle's own kernel gives nothing below -64 on a CPU.
inline paddle::Tensor log_softmax(const TensorBase& self, int dim) {
  namespace pe = paddle::recorded;
  const auto in = computed("logsumexp", only_real(self), self._PD_GetInner().place());
  const auto x = as(self._PD_GetInner(), in);
  const auto sum = x.numel() ? pe::logsumexp(x, {dim}, true, false) : x;
  return as(pe::subtract(x, x.dims().size() ? sum : x), self.scalar_type());
}

inline paddle::Tensor fraction(const TensorBase& x) {
  const TensorBase whole(unary("trunc", paddle::recorded::trunc, x, only_real(x)));
  return binary("subtract", paddle::recorded::subtract, x, whole);
}

// The larger or smaller of two: by choice where it is recorded, as the gradient of Paddle's kernels
// goes to both of two that are equal. It goes to the first, or to the second if that wins a draw.
template <class A, class B>
paddle::Tensor bounded(
    const A& a, const B& b, ScalarType type, bool below, bool second = false) {
  namespace pe = paddle::recorded;
  if (!is_recorded(a, b)) {
    return below ? binary("maximum", pe::maximum, a, b, type)
                 : binary("minimum", pe::minimum, a, b, type);
  }
  const auto choose = [=](const paddle::Tensor& x, const paddle::Tensor& y, auto) {
    const auto beyond = second ? (below ? pe::less_equal(x, y) : pe::greater_equal(x, y))
                               : (below ? pe::less_than(x, y) : pe::greater_than(x, y));
    const auto sizes = beyond.shape();
    return pe::where(beyond, expanded(y, sizes), expanded(x, sizes));
  };
  return binary(below ? "maximum" : "minimum", choose, a, b, type);
}

// The larger of x and min, then the smaller of that and max, of tensors or numbers.
template <class B>
paddle::Tensor clamp(
    const TensorBase& x, const ::std::optional<B>& min, const ::std::optional<B>& max) {
  TORCH_CHECK(min || max, "clamp: at least one of min and max is needed");
  const auto type = min && max ? common_type(x, *min, *max) : common_type(x, min ? *min : *max);
  TensorBase out = x;
  if (min) out = TensorBase(bounded(out, *min, type, true));
  if (max) out = TensorBase(bounded(out, *max, type, false));
  return out._PD_GetInner();
}

}  // namespace at::compat_detail
