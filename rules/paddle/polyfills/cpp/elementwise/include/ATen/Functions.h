#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/ops/cat.h>
#include <porter_compat/promotion.h>
#include <porter_compat/python_calls.h>

#include <string_view>
#include <tuple>

namespace at {

namespace compat_detail {

inline Tensor number_of_double(const Scalar& value) {
  return paddle::experimental::full({}, value, phi::DataType::FLOAT64);
}

}  // namespace compat_detail

inline Tensor angle(const Tensor& self) { return self.angle(); }

inline Tensor conj(const Tensor& self) { return self.conj(); }

inline Tensor conj_physical(const Tensor& self) { return self.conj_physical(); }

inline Tensor& conj_physical_(Tensor& self) { return self.conj_physical_(); }

inline Tensor resolve_conj(const Tensor& self) { return self.resolve_conj(); }

inline Tensor resolve_neg(const Tensor& self) { return self.resolve_neg(); }

inline bool is_conj(const Tensor& self) { return self.is_conj(); }

inline bool is_neg(const Tensor& self) { return self.is_neg(); }

inline Tensor positive(const Tensor& self) { return self.positive(); }

inline Tensor signbit(const Tensor& self) { return self.signbit(); }

inline Tensor sinc(const Tensor& self) { return self.sinc(); }

inline Tensor& sinc_(Tensor& self) { return self.sinc_(); }

inline Tensor nan_to_num(const Tensor& self, ::std::optional<double> nan = ::std::nullopt, ::std::optional<double> posinf = ::std::nullopt, ::std::optional<double> neginf = ::std::nullopt) { return self.nan_to_num(nan, posinf, neginf); }

inline Tensor& nan_to_num_(Tensor& self, ::std::optional<double> nan = ::std::nullopt, ::std::optional<double> posinf = ::std::nullopt, ::std::optional<double> neginf = ::std::nullopt) { return self.nan_to_num_(nan, posinf, neginf); }

inline Tensor logaddexp(const Tensor& self, const Tensor& other) { return self.logaddexp(other); }

inline Tensor logaddexp2(const Tensor& self, const Tensor& other) { return self.logaddexp2(other); }

inline Tensor float_power(const Tensor& self, const Scalar& exponent) { return self.float_power(exponent); }

inline Tensor& float_power_(Tensor& self, const Scalar& exponent) { return self.float_power_(exponent); }

inline Tensor float_power(const Tensor& self, const Tensor& exponent) { return self.float_power(exponent); }

inline Tensor& float_power_(Tensor& self, const Tensor& exponent) { return self.float_power_(exponent); }

inline Tensor hypot(const Tensor& self, const Tensor& other) { return self.hypot(other); }

inline Tensor& hypot_(Tensor& self, const Tensor& other) { return self.hypot_(other); }

inline Tensor xlogy(const Tensor& self, const Tensor& other) { return self.xlogy(other); }

inline Tensor& xlogy_(Tensor& self, const Tensor& other) { return self.xlogy_(other); }

inline Tensor xlogy(const Tensor& self, const Scalar& other) { return self.xlogy(other); }

inline Tensor& xlogy_(Tensor& self, const Scalar& other) { return self.xlogy_(other); }

inline Tensor gcd(const Tensor& self, const Tensor& other) { return self.gcd(other); }

inline Tensor& gcd_(Tensor& self, const Tensor& other) { return self.gcd_(other); }

inline Tensor lcm(const Tensor& self, const Tensor& other) { return self.lcm(other); }

inline Tensor& lcm_(Tensor& self, const Tensor& other) { return self.lcm_(other); }

inline Tensor heaviside(const Tensor& self, const Tensor& values) { return self.heaviside(values); }

inline Tensor& heaviside_(Tensor& self, const Tensor& values) { return self.heaviside_(values); }

inline Tensor ldexp(const Tensor& self, const Tensor& other) { return self.ldexp(other); }

inline Tensor& ldexp_(Tensor& self, const Tensor& other) { return self.ldexp_(other); }

inline Tensor nextafter(const Tensor& self, const Tensor& other) { return self.nextafter(other); }

inline Tensor& nextafter_(Tensor& self, const Tensor& other) { return self.nextafter_(other); }

inline Tensor deg2rad(const Tensor& self) { return self.deg2rad(); }

inline Tensor& deg2rad_(Tensor& self) { return self.deg2rad_(); }

inline Tensor rad2deg(const Tensor& self) { return self.rad2deg(); }

inline Tensor& rad2deg_(Tensor& self) { return self.rad2deg_(); }

inline Tensor logit(const Tensor& self, ::std::optional<double> eps = ::std::nullopt) { return self.logit(eps); }

inline Tensor& logit_(Tensor& self, ::std::optional<double> eps = ::std::nullopt) { return self.logit_(eps); }

inline Tensor i0(const Tensor& self) { return self.i0(); }

inline Tensor& i0_(Tensor& self) { return self.i0_(); }

inline Tensor igammac(const Tensor& self, const Tensor& other) { return self.igammac(other); }

inline Tensor& igammac_(Tensor& self, const Tensor& other) { return self.igammac_(other); }

inline Tensor igamma(const Tensor& self, const Tensor& other) { return self.igamma(other); }

inline Tensor& igamma_(Tensor& self, const Tensor& other) { return self.igamma_(other); }

inline Tensor mvlgamma(const Tensor& self, int64_t p) { return self.mvlgamma(p); }

inline Tensor isposinf(const Tensor& self) { return self.isposinf(); }

inline Tensor isneginf(const Tensor& self) { return self.isneginf(); }

inline Tensor isreal(const Tensor& self) { return self.isreal(); }

inline Tensor hardshrink(const Tensor& self, const Scalar& lambd = 0.5) { return self.hardshrink(lambd); }

inline Tensor prelu(const Tensor& self, const Tensor& weight) { return self.prelu(weight); }

inline Tensor logcumsumexp(const Tensor& self, int64_t dim) { return self.logcumsumexp(dim); }

inline Tensor renorm(const Tensor& self, const Scalar& p, int64_t dim, const Scalar& maxnorm) { return self.renorm(p, dim, maxnorm); }

inline Tensor polygamma(int64_t n, const Tensor& self) { return self.polygamma(n); }

inline Tensor xlogy(const Scalar& self, const Tensor& other) {
  return compat_detail::number_of_double(self)
      .toType(compat_detail::floating(other.scalar_type())).xlogy(other);
}

inline Tensor softshrink(const Tensor& self, const Scalar& lambd = 0.5) {
  compat_detail::only_real(self);
  const Tensor near = self.sub(self.clamp(-lambd.to<double>(), lambd));
  return near.where(self.isnan().logical_not(), self);
}

inline Tensor softshrink_backward(
    const Tensor& grad_output, const Tensor& self, const Scalar& lambd) {
  return grad_output.where(self.abs().le(lambd).logical_not(), 0);
}

inline Tensor hardshrink_backward(
    const Tensor& grad_out, const Tensor& self, const Scalar& lambd) {
  return grad_out.where(self.abs().le(lambd).logical_not(), 0);
}

inline Tensor hardsigmoid_backward(const Tensor& grad_output, const Tensor& self) {
  return grad_output.div(6).where(self.abs().lt(3), 0);
}

inline Tensor hardswish_backward(const Tensor& grad_output, const Tensor& self) {
  const Tensor slope = self.div(3).add(0.5).where(self.lt(3), 1);
  return grad_output.mul(slope.where(self.gt(-3), 0));
}

inline Tensor mish_backward(const Tensor& grad_output, const Tensor& self) {
  const Tensor t = self.exp().log1p().tanh();
  return grad_output.mul(t.add(self.mul(self.sigmoid()).mul(t.square().neg().add(1))));
}

inline Tensor log_sigmoid_backward(
    const Tensor& grad_output, const Tensor& self, const Tensor&) {
  return grad_output.mul(self.neg().sigmoid());
}

inline Tensor logit_backward(
    const Tensor& grad_output, const Tensor& self, ::std::optional<double> eps = ::std::nullopt) {
  compat_detail::only_real(self);
  const Tensor slope = grad_output.div(self.mul(self.neg().add(1)));
  return eps ? slope.where(self.ge(*eps).logical_and(self.le(1 - *eps)), 0) : slope;
}

inline Tensor& abs_(Tensor& self) { return self.abs_(); }

inline Tensor& clamp_min_(Tensor& self, const Scalar& min) { return self.clamp_min_(min); }

inline Tensor& clamp_min_(Tensor& self, const Tensor& min) { return self.clamp_min_(min); }

inline Tensor& clamp_max_(Tensor& self, const Scalar& max) { return self.clamp_max_(max); }

inline Tensor& clamp_max_(Tensor& self, const Tensor& max) { return self.clamp_max_(max); }

inline Tensor& clip_(
    Tensor& self, const ::std::optional<Scalar>& min,
    const ::std::optional<Scalar>& max = ::std::nullopt) {
  return self.clip_(min, max);
}

inline Tensor& clip_(
    Tensor& self, const ::std::optional<Tensor>& min = {}, const ::std::optional<Tensor>& max = {}) {
  return self.clip_(min, max);
}

inline Tensor float_power(const Scalar& self, const Tensor& exponent) {
  return compat_detail::number_of_double(self).pow(exponent.toType(kDouble));
}

inline ::std::tuple<Tensor, Tensor> frexp(const Tensor& self) { return self.frexp(); }

inline Tensor glu(const Tensor& self, int64_t dim = -1) {
  TORCH_CHECK(self.dim() > 0 && self.size(dim) % 2 == 0, "glu: an even size to halve");
  const int64_t half = self.size(dim) / 2;
  return self.narrow(dim, 0, half).mul(self.narrow(dim, half, half).sigmoid());
}

inline Tensor glu_backward(const Tensor& grad_output, const Tensor& self, int64_t dim) {
  const int64_t half = self.size(dim) / 2;
  const Tensor a = self.narrow(dim, 0, half), gate = self.narrow(dim, half, half).sigmoid();
  const Tensor open = grad_output.mul(gate);
  return at::cat({open, open.mul(gate.neg().add(1)).mul(a)}, dim);
}

}  // namespace at
