#pragma once

#include <porter_compat/unary.h>
#include <porter_compat/recorded.h>
#include <ATen/core/Tensor.h>
#include <porter_compat/promotion.h>

namespace at {

inline Tensor sqrt(const Tensor& self) { return self.sqrt(); }

inline Tensor& sqrt_(Tensor& self) { return self.sqrt_(); }

inline Tensor& sqrt_out(Tensor& out, const Tensor& self) {
  return compat_detail::write_out(out, self.sqrt());
}

inline Tensor rsqrt(const Tensor& self) { return self.rsqrt(); }

inline Tensor& rsqrt_(Tensor& self) { return self.rsqrt_(); }

inline Tensor& rsqrt_out(Tensor& out, const Tensor& self) {
  return compat_detail::write_out(out, self.rsqrt());
}

inline Tensor exp(const Tensor& self) { return self.exp(); }

inline Tensor& exp_(Tensor& self) { return self.exp_(); }

inline Tensor& exp_out(Tensor& out, const Tensor& self) {
  return compat_detail::write_out(out, self.exp());
}

inline Tensor expm1(const Tensor& self) { return self.expm1(); }

inline Tensor& expm1_(Tensor& self) { return self.expm1_(); }

inline Tensor& expm1_out(Tensor& out, const Tensor& self) {
  return compat_detail::write_out(out, self.expm1());
}

inline Tensor log(const Tensor& self) { return self.log(); }

inline Tensor& log_(Tensor& self) { return self.log_(); }

inline Tensor& log_out(Tensor& out, const Tensor& self) {
  return compat_detail::write_out(out, self.log());
}

inline Tensor log2(const Tensor& self) { return self.log2(); }

inline Tensor& log2_(Tensor& self) { return self.log2_(); }

inline Tensor& log2_out(Tensor& out, const Tensor& self) {
  return compat_detail::write_out(out, self.log2());
}

inline Tensor log10(const Tensor& self) { return self.log10(); }

inline Tensor& log10_(Tensor& self) { return self.log10_(); }

inline Tensor& log10_out(Tensor& out, const Tensor& self) {
  return compat_detail::write_out(out, self.log10());
}

inline Tensor log1p(const Tensor& self) { return self.log1p(); }

inline Tensor& log1p_(Tensor& self) { return self.log1p_(); }

inline Tensor& log1p_out(Tensor& out, const Tensor& self) {
  return compat_detail::write_out(out, self.log1p());
}

inline Tensor sin(const Tensor& self) { return self.sin(); }

inline Tensor& sin_(Tensor& self) { return self.sin_(); }

inline Tensor& sin_out(Tensor& out, const Tensor& self) {
  return compat_detail::write_out(out, self.sin());
}

inline Tensor cos(const Tensor& self) { return self.cos(); }

inline Tensor& cos_(Tensor& self) { return self.cos_(); }

inline Tensor& cos_out(Tensor& out, const Tensor& self) {
  return compat_detail::write_out(out, self.cos());
}

inline Tensor tan(const Tensor& self) { return self.tan(); }

inline Tensor& tan_(Tensor& self) { return self.tan_(); }

inline Tensor& tan_out(Tensor& out, const Tensor& self) {
  return compat_detail::write_out(out, self.tan());
}

inline Tensor sinh(const Tensor& self) { return self.sinh(); }

inline Tensor& sinh_(Tensor& self) { return self.sinh_(); }

inline Tensor& sinh_out(Tensor& out, const Tensor& self) {
  return compat_detail::write_out(out, self.sinh());
}

inline Tensor cosh(const Tensor& self) { return self.cosh(); }

inline Tensor& cosh_(Tensor& self) { return self.cosh_(); }

inline Tensor& cosh_out(Tensor& out, const Tensor& self) {
  return compat_detail::write_out(out, self.cosh());
}

inline Tensor tanh(const Tensor& self) { return self.tanh(); }

inline Tensor& tanh_(Tensor& self) { return self.tanh_(); }

inline Tensor& tanh_out(Tensor& out, const Tensor& self) {
  return compat_detail::write_out(out, self.tanh());
}

inline Tensor erf(const Tensor& self) { return self.erf(); }

inline Tensor& erf_(Tensor& self) { return self.erf_(); }

inline Tensor& erf_out(Tensor& out, const Tensor& self) {
  return compat_detail::write_out(out, self.erf());
}

inline Tensor erfinv(const Tensor& self) { return self.erfinv(); }

inline Tensor& erfinv_(Tensor& self) { return self.erfinv_(); }

inline Tensor& erfinv_out(Tensor& out, const Tensor& self) {
  return compat_detail::write_out(out, self.erfinv());
}

inline Tensor reciprocal(const Tensor& self) { return self.reciprocal(); }

inline Tensor& reciprocal_(Tensor& self) { return self.reciprocal_(); }

inline Tensor& reciprocal_out(Tensor& out, const Tensor& self) {
  return compat_detail::write_out(out, self.reciprocal());
}

inline Tensor digamma(const Tensor& self) { return self.digamma(); }

inline Tensor& digamma_(Tensor& self) { return self.digamma_(); }

inline Tensor& digamma_out(Tensor& out, const Tensor& self) {
  return compat_detail::write_out(out, self.digamma());
}

inline Tensor lgamma(const Tensor& self) { return self.lgamma(); }

inline Tensor& lgamma_(Tensor& self) { return self.lgamma_(); }

inline Tensor& lgamma_out(Tensor& out, const Tensor& self) {
  return compat_detail::write_out(out, self.lgamma());
}

inline Tensor sigmoid(const Tensor& self) { return self.sigmoid(); }

inline Tensor& sigmoid_(Tensor& self) { return self.sigmoid_(); }

inline Tensor& sigmoid_out(Tensor& out, const Tensor& self) {
  return compat_detail::write_out(out, self.sigmoid());
}

inline Tensor asin(const Tensor& self) { return self.asin(); }

inline Tensor& asin_(Tensor& self) { return self.asin_(); }

inline Tensor arcsin(const Tensor& self) { return self.asin(); }

inline Tensor& arcsin_(Tensor& self) { return self.asin_(); }

inline Tensor& asin_out(Tensor& out, const Tensor& self) {
  return compat_detail::write_out(out, self.asin());
}

inline Tensor acos(const Tensor& self) { return self.acos(); }

inline Tensor& acos_(Tensor& self) { return self.acos_(); }

inline Tensor arccos(const Tensor& self) { return self.acos(); }

inline Tensor& arccos_(Tensor& self) { return self.acos_(); }

inline Tensor& acos_out(Tensor& out, const Tensor& self) {
  return compat_detail::write_out(out, self.acos());
}

inline Tensor atan(const Tensor& self) { return self.atan(); }

inline Tensor& atan_(Tensor& self) { return self.atan_(); }

inline Tensor arctan(const Tensor& self) { return self.atan(); }

inline Tensor& arctan_(Tensor& self) { return self.atan_(); }

inline Tensor& atan_out(Tensor& out, const Tensor& self) {
  return compat_detail::write_out(out, self.atan());
}

inline Tensor asinh(const Tensor& self) { return self.asinh(); }

inline Tensor& asinh_(Tensor& self) { return self.asinh_(); }

inline Tensor arcsinh(const Tensor& self) { return self.asinh(); }

inline Tensor& arcsinh_(Tensor& self) { return self.asinh_(); }

inline Tensor& asinh_out(Tensor& out, const Tensor& self) {
  return compat_detail::write_out(out, self.asinh());
}

inline Tensor acosh(const Tensor& self) { return self.acosh(); }

inline Tensor& acosh_(Tensor& self) { return self.acosh_(); }

inline Tensor arccosh(const Tensor& self) { return self.acosh(); }

inline Tensor& arccosh_(Tensor& self) { return self.acosh_(); }

inline Tensor& acosh_out(Tensor& out, const Tensor& self) {
  return compat_detail::write_out(out, self.acosh());
}

inline Tensor atanh(const Tensor& self) { return self.atanh(); }

inline Tensor& atanh_(Tensor& self) { return self.atanh_(); }

inline Tensor arctanh(const Tensor& self) { return self.atanh(); }

inline Tensor& arctanh_(Tensor& self) { return self.atanh_(); }

inline Tensor& atanh_out(Tensor& out, const Tensor& self) {
  return compat_detail::write_out(out, self.atanh());
}

inline Tensor exp2(const Tensor& self) { return self.exp2(); }

inline Tensor& exp2_(Tensor& self) { return self.exp2_(); }

inline Tensor& exp2_out(Tensor& out, const Tensor& self) {
  return compat_detail::write_out(out, self.exp2());
}

inline Tensor erfc(const Tensor& self) { return self.erfc(); }

inline Tensor& erfc_(Tensor& self) { return self.erfc_(); }

inline Tensor& erfc_out(Tensor& out, const Tensor& self) {
  return compat_detail::write_out(out, self.erfc());
}

inline Tensor square(const Tensor& self) { return self.square(); }

inline Tensor& square_(Tensor& self) { return self.square_(); }

inline Tensor& square_out(Tensor& out, const Tensor& self) {
  return compat_detail::write_out(out, self.square());
}

inline Tensor neg(const Tensor& self) { return self.neg(); }

inline Tensor& neg_(Tensor& self) { return self.neg_(); }

inline Tensor negative(const Tensor& self) { return self.neg(); }

inline Tensor& negative_(Tensor& self) { return self.neg_(); }

inline Tensor& neg_out(Tensor& out, const Tensor& self) {
  return compat_detail::write_out(out, self.neg());
}

inline Tensor floor(const Tensor& self) { return self.floor(); }

inline Tensor& floor_(Tensor& self) { return self.floor_(); }

inline Tensor& floor_out(Tensor& out, const Tensor& self) {
  return compat_detail::write_out(out, self.floor());
}

inline Tensor ceil(const Tensor& self) { return self.ceil(); }

inline Tensor& ceil_(Tensor& self) { return self.ceil_(); }

inline Tensor& ceil_out(Tensor& out, const Tensor& self) {
  return compat_detail::write_out(out, self.ceil());
}

inline Tensor trunc(const Tensor& self) { return self.trunc(); }

inline Tensor& trunc_(Tensor& self) { return self.trunc_(); }

inline Tensor fix(const Tensor& self) { return self.trunc(); }

inline Tensor& fix_(Tensor& self) { return self.trunc_(); }

inline Tensor& trunc_out(Tensor& out, const Tensor& self) {
  return compat_detail::write_out(out, self.trunc());
}

inline Tensor round(const Tensor& self) { return self.round(); }

inline Tensor& round_(Tensor& self) { return self.round_(); }

inline Tensor& round_out(Tensor& out, const Tensor& self) {
  return compat_detail::write_out(out, self.round());
}

inline Tensor round(const Tensor& self, int64_t decimals) { return self.round(decimals); }

inline Tensor frac(const Tensor& self) { return self.frac(); }

inline Tensor& frac_(Tensor& self) { return self.frac_(); }

inline Tensor& frac_out(Tensor& out, const Tensor& self) {
  return compat_detail::write_out(out, self.frac());
}

inline Tensor sign(const Tensor& self) { return self.sign(); }

inline Tensor& sign_(Tensor& self) { return self.sign_(); }

inline Tensor& sign_out(Tensor& out, const Tensor& self) {
  return compat_detail::write_out(out, self.sign());
}

inline Tensor sgn(const Tensor& self) { return self.sgn(); }

inline Tensor& abs_out(Tensor& out, const Tensor& self) {
  return compat_detail::write_out(out, self.abs());
}

inline Tensor absolute(const Tensor& self) { return self.abs(); }

inline Tensor relu(const Tensor& self) { return self.relu(); }

inline Tensor& relu_(Tensor& self) { return self.relu_(); }

inline Tensor silu(const Tensor& self) {
  return compat_detail::unary("silu", paddle::recorded::silu, self,
      compat_detail::only_real(self));
}

inline Tensor& silu_(Tensor& self) { return compat_detail::write(self, silu(compat_detail::before_write(self))); }

inline Tensor gelu(const Tensor& self, ::std::string_view approximate = "none") {
  return compat_detail::unary("gelu", paddle::recorded::gelu, self,
      compat_detail::only_real(self), approximate == "tanh");
}

inline Tensor leaky_relu(const Tensor& self, const Scalar& negative_slope = 0.01) {
  const auto slope = negative_slope.to<double>();
  return compat_detail::unary("leaky_relu", paddle::recorded::leaky_relu, self,
      compat_detail::only_real(self), slope);
}

inline Tensor elu(const Tensor& self, const Scalar& alpha = 1, const Scalar& scale = 1,
    const Scalar& input_scale = 1) {
  return compat_detail::elu(self, alpha.to<double>(), scale.to<double>(),
      input_scale.to<double>());
}

inline Tensor softplus(const Tensor& self, const Scalar& beta = 1,
    const Scalar& threshold = 20) {
  const auto steep = beta.to<double>(), from = threshold.to<double>();
  return compat_detail::unary("softplus", paddle::recorded::softplus, self,
      compat_detail::only_real(self), steep, from);
}

inline Tensor log_sigmoid(const Tensor& self) {
  return compat_detail::unary("logsigmoid", paddle::recorded::logsigmoid, self,
      compat_detail::only_real(self));
}

inline Tensor hardtanh(const Tensor& self, const Scalar& min_val = -1,
    const Scalar& max_val = 1) {
  const auto type = compat_detail::not_bool(self.scalar_type());
  if (!compat_detail::is_recorded(self)) return self.clamp(min_val, max_val);
  const Tensor above = compat_detail::bounded(self, min_val, type, true, true);
  return compat_detail::bounded(above, max_val, type, false, true);
}

inline Tensor relu6(const Tensor& self) { return hardtanh(self, 0, 6); }

inline Tensor softmax(
    const Tensor& self, int64_t dim,
    ::std::optional<ScalarType> dtype = ::std::nullopt) {
  return self.softmax(dim, dtype);
}

// The values, whichever way they are asked for.
inline Tensor _softmax(const Tensor& self, int64_t dim, bool half_to_float) {
  return half_to_float ? self.softmax(dim, kFloat) : self.softmax(dim);
}

inline Tensor log_softmax(
    const Tensor& self, int64_t dim,
    ::std::optional<ScalarType> dtype = ::std::nullopt) {
  return self.log_softmax(dim, dtype);
}

// The values, whichever way they are asked for.
inline Tensor _log_softmax(const Tensor& self, int64_t dim, bool half_to_float) {
  return half_to_float ? self.log_softmax(dim, kFloat) : self.log_softmax(dim);
}

inline Tensor clamp(
    const Tensor& self, const ::std::optional<Scalar>& min,
    const ::std::optional<Scalar>& max = ::std::nullopt) {
  return self.clamp(min, max);
}

inline Tensor& clamp_(
    Tensor& self, const ::std::optional<Scalar>& min,
    const ::std::optional<Scalar>& max = ::std::nullopt) {
  return self.clamp_(min, max);
}

inline Tensor& clamp_out(
    Tensor& out, const Tensor& self,
    const ::std::optional<Scalar>& min, const ::std::optional<Scalar>& max = ::std::nullopt) {
  return compat_detail::write_out(out, self.clamp(min, max));
}

inline Tensor clip(
    const Tensor& self, const ::std::optional<Scalar>& min,
    const ::std::optional<Scalar>& max = ::std::nullopt) {
  return self.clamp(min, max);
}

inline Tensor clamp(
    const Tensor& self, const ::std::optional<Tensor>& min = {},
    const ::std::optional<Tensor>& max = {}) {
  return self.clamp(min, max);
}

inline Tensor& clamp_(
    Tensor& self, const ::std::optional<Tensor>& min = {},
    const ::std::optional<Tensor>& max = {}) {
  return self.clamp_(min, max);
}

inline Tensor& clamp_out(
    Tensor& out, const Tensor& self,
    const ::std::optional<Tensor>& min = {}, const ::std::optional<Tensor>& max = {}) {
  return compat_detail::write_out(out, self.clamp(min, max));
}

inline Tensor clip(
    const Tensor& self, const ::std::optional<Tensor>& min = {},
    const ::std::optional<Tensor>& max = {}) {
  return self.clamp(min, max);
}

inline Tensor clamp_min(const Tensor& self, const Scalar& min) { return self.clamp_min(min); }

inline Tensor clamp_min(const Tensor& self, const Tensor& min) { return self.clamp_min(min); }

inline Tensor clamp_max(const Tensor& self, const Scalar& max) { return self.clamp_max(max); }

inline Tensor clamp_max(const Tensor& self, const Tensor& max) { return self.clamp_max(max); }

inline Tensor& round_(Tensor& self, int64_t decimals) { return self.round_(decimals); }

inline Tensor& round_out(Tensor& out, const Tensor& self, int64_t decimals) {
  return compat_detail::write_out(out, self.round(decimals));
}

}  // namespace at
