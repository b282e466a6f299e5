#pragma once

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
  return binary("multiply", paddle::experimental::multiply, x, Scalar(-1), type);
}

// 1, 0 or -1; 0 for what is no number.
inline paddle::Tensor signs(const TensorBase& x) {
  namespace pe = paddle::experimental;
  const auto in = computed("subtract", x.scalar_type(), x._PD_GetInner().place());
  const auto value = as(x._PD_GetInner(), in), zero = pe::zeros_like(value);
  const auto above = pe::cast(pe::greater_than(value, zero), in);
  return as(pe::subtract(above, pe::cast(pe::less_than(value, zero), in)), x.scalar_type());
}

// Floating tensors rounded in a way; integers are whole already.
template <class F, class... Args>
paddle::Tensor rounded(const char* kernel, F f, const TensorBase& x, const Args&... args) {
  const auto type = not_bool(x.scalar_type());
  if (category(type) == 1) return paddle::experimental::assign(x._PD_GetInner());
  return unary(kernel, f, x, type, args...);
}

inline paddle::Tensor elu(const TensorBase& self, double alpha, double scale, double steep) {
  namespace pe = paddle::experimental;
  const auto in = computed("elu", only_real(self), self._PD_GetInner().place());
  const auto x = as(self._PD_GetInner(), in), zero = pe::zeros_like(x);
  const auto below = pe::scale(pe::expm1(pe::scale(pe::minimum(x, zero), steep)), alpha);
  return as(pe::scale(pe::add(pe::maximum(x, zero), below), scale), self.scalar_type());
}

// Paddle's own kernel gives nothing below -64 on a CPU.
inline paddle::Tensor log_softmax(const TensorBase& self, int dim) {
  namespace pe = paddle::experimental;
  const auto in = computed("logsumexp", only_real(self), self._PD_GetInner().place());
  const auto x = as(self._PD_GetInner(), in);
  const auto sum = x.numel() ? pe::logsumexp(x, {dim}, true, false) : x;
  return as(pe::subtract(x, x.dims().size() ? sum : x), self.scalar_type());
}

inline paddle::Tensor fraction(const TensorBase& x) {
  const TensorBase whole(unary("trunc", paddle::experimental::trunc, x, only_real(x)));
  return binary("subtract", paddle::experimental::subtract, x, whole);
}

// The larger of x and min, then the smaller of that and max, of tensors or numbers.
template <class B>
paddle::Tensor clamp(
    const TensorBase& x, const ::std::optional<B>& min, const ::std::optional<B>& max) {
  namespace pe = paddle::experimental;
  TORCH_CHECK(min || max, "clamp: at least one of min and max is needed");
  const auto type = min && max ? common_type(x, *min, *max) : common_type(x, min ? *min : *max);
  TensorBase out = x;
  if (min) out = TensorBase(binary("maximum", pe::maximum, out, *min, type));
  if (max) out = TensorBase(binary("minimum", pe::minimum, out, *max, type));
  return out._PD_GetInner();
}

}  // namespace at::compat_detail
