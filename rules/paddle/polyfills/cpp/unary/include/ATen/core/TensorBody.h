#pragma once

#include <porter_compat/recorded.h>
#include <porter_compat/unary.h>

namespace at {

// extends
class Tensor {
  Tensor sqrt() const { return compat_detail::real("sqrt", paddle::recorded::sqrt, *this); }

  Tensor& sqrt_() const { return compat_detail::write(*this, compat_detail::before_write(*this).sqrt()); }

  Tensor rsqrt() const { return compat_detail::real("rsqrt", paddle::recorded::rsqrt,
      *this); }

  Tensor& rsqrt_() const { return compat_detail::write(*this, compat_detail::before_write(*this).rsqrt()); }

  Tensor exp() const { return compat_detail::real("exp", paddle::recorded::exp, *this); }

  Tensor& exp_() const { return compat_detail::write(*this, compat_detail::before_write(*this).exp()); }

  Tensor expm1() const { return compat_detail::real("expm1", paddle::recorded::expm1,
      *this); }

  Tensor& expm1_() const { return compat_detail::write(*this, compat_detail::before_write(*this).expm1()); }

  Tensor log() const { return compat_detail::real("log", paddle::recorded::log, *this); }

  Tensor& log_() const { return compat_detail::write(*this, compat_detail::before_write(*this).log()); }

  Tensor log2() const { return compat_detail::real("log2", paddle::recorded::log2, *this); }

  Tensor& log2_() const { return compat_detail::write(*this, compat_detail::before_write(*this).log2()); }

  Tensor log10() const { return compat_detail::real("log10", paddle::recorded::log10,
      *this); }

  Tensor& log10_() const { return compat_detail::write(*this, compat_detail::before_write(*this).log10()); }

  Tensor log1p() const { return compat_detail::real("log1p", paddle::recorded::log1p,
      *this); }

  Tensor& log1p_() const { return compat_detail::write(*this, compat_detail::before_write(*this).log1p()); }

  Tensor sin() const { return compat_detail::real("sin", paddle::recorded::sin, *this); }

  Tensor& sin_() const { return compat_detail::write(*this, compat_detail::before_write(*this).sin()); }

  Tensor cos() const { return compat_detail::real("cos", paddle::recorded::cos, *this); }

  Tensor& cos_() const { return compat_detail::write(*this, compat_detail::before_write(*this).cos()); }

  Tensor tan() const { return compat_detail::real("tan", paddle::recorded::tan, *this); }

  Tensor& tan_() const { return compat_detail::write(*this, compat_detail::before_write(*this).tan()); }

  Tensor sinh() const { return compat_detail::real("sinh", paddle::recorded::sinh, *this); }

  Tensor& sinh_() const { return compat_detail::write(*this, compat_detail::before_write(*this).sinh()); }

  Tensor cosh() const { return compat_detail::real("cosh", paddle::recorded::cosh, *this); }

  Tensor& cosh_() const { return compat_detail::write(*this, compat_detail::before_write(*this).cosh()); }

  Tensor tanh() const { return compat_detail::real("tanh", paddle::recorded::tanh, *this); }

  Tensor& tanh_() const { return compat_detail::write(*this, compat_detail::before_write(*this).tanh()); }

  Tensor erf() const { return compat_detail::real("erf", paddle::recorded::erf, *this); }

  Tensor& erf_() const { return compat_detail::write(*this, compat_detail::before_write(*this).erf()); }

  Tensor erfinv() const {
    return compat_detail::real("erfinv", paddle::recorded::erfinv, *this);
  }

  Tensor& erfinv_() const { return compat_detail::write(*this, compat_detail::before_write(*this).erfinv()); }

  Tensor reciprocal() const {
    return compat_detail::real("reciprocal", paddle::recorded::reciprocal, *this);
  }

  Tensor& reciprocal_() const { return compat_detail::write(*this, compat_detail::before_write(*this).reciprocal()); }

  Tensor digamma() const {
    return compat_detail::real("digamma", paddle::recorded::digamma, *this);
  }

  Tensor& digamma_() const { return compat_detail::write(*this, compat_detail::before_write(*this).digamma()); }

  Tensor lgamma() const {
    return compat_detail::real("lgamma", paddle::recorded::lgamma, *this);
  }

  Tensor& lgamma_() const { return compat_detail::write(*this, compat_detail::before_write(*this).lgamma()); }

  Tensor sigmoid() const {
    return compat_detail::real("sigmoid", paddle::recorded::sigmoid, *this);
  }

  Tensor& sigmoid_() const { return compat_detail::write(*this, compat_detail::before_write(*this).sigmoid()); }

  Tensor asin() const { return compat_detail::real("asin", paddle::recorded::asin, *this); }

  Tensor& asin_() const { return compat_detail::write(*this, compat_detail::before_write(*this).asin()); }

  Tensor arcsin() const { return asin(); }

  Tensor& arcsin_() const { return compat_detail::write(*this, compat_detail::before_write(*this).asin()); }

  Tensor acos() const { return compat_detail::real("acos", paddle::recorded::acos, *this); }

  Tensor& acos_() const { return compat_detail::write(*this, compat_detail::before_write(*this).acos()); }

  Tensor arccos() const { return acos(); }

  Tensor& arccos_() const { return compat_detail::write(*this, compat_detail::before_write(*this).acos()); }

  Tensor atan() const { return compat_detail::real("atan", paddle::recorded::atan, *this); }

  Tensor& atan_() const { return compat_detail::write(*this, compat_detail::before_write(*this).atan()); }

  Tensor arctan() const { return atan(); }

  Tensor& arctan_() const { return compat_detail::write(*this, compat_detail::before_write(*this).atan()); }

  Tensor asinh() const { return compat_detail::real("asinh", paddle::recorded::asinh,
      *this); }

  Tensor& asinh_() const { return compat_detail::write(*this, compat_detail::before_write(*this).asinh()); }

  Tensor arcsinh() const { return asinh(); }

  Tensor& arcsinh_() const { return compat_detail::write(*this, compat_detail::before_write(*this).asinh()); }

  Tensor acosh() const { return compat_detail::real("acosh", paddle::recorded::acosh,
      *this); }

  Tensor& acosh_() const { return compat_detail::write(*this, compat_detail::before_write(*this).acosh()); }

  Tensor arccosh() const { return acosh(); }

  Tensor& arccosh_() const { return compat_detail::write(*this, compat_detail::before_write(*this).acosh()); }

  Tensor atanh() const { return compat_detail::real("atanh", paddle::recorded::atanh,
      *this); }

  Tensor& atanh_() const { return compat_detail::write(*this, compat_detail::before_write(*this).atanh()); }

  Tensor arctanh() const { return atanh(); }

  Tensor& arctanh_() const { return compat_detail::write(*this, compat_detail::before_write(*this).atanh()); }

  Tensor exp2() const {
    return compat_detail::binary("elementwise_pow", paddle::recorded::elementwise_pow,
        Scalar(2), *this, compat_detail::floating(scalar_type()));
  }

  Tensor& exp2_() const { return compat_detail::write(*this, compat_detail::before_write(*this).exp2()); }

  Tensor erfc() const { return erf().neg().add(1); }

  Tensor& erfc_() const { return compat_detail::write(*this, compat_detail::before_write(*this).erfc()); }

  Tensor square() const {
    return compat_detail::unary("square", paddle::recorded::square, *this,
        scalar_type() == kBool ? kLong : scalar_type());
  }

  Tensor& square_() const { return compat_detail::write(*this, compat_detail::before_write(*this).square()); }

  Tensor neg() const { return compat_detail::negative(*this); }

  Tensor& neg_() const { return compat_detail::write(*this, compat_detail::before_write(*this).neg()); }

  Tensor negative() const { return neg(); }

  Tensor& negative_() const { return compat_detail::write(*this, compat_detail::before_write(*this).neg()); }

  Tensor floor() const {
    return compat_detail::rounded("floor", paddle::recorded::floor, *this);
  }

  Tensor& floor_() const { return compat_detail::write(*this, compat_detail::before_write(*this).floor()); }

  Tensor ceil() const { return compat_detail::rounded("ceil", paddle::recorded::ceil,
      *this); }

  Tensor& ceil_() const { return compat_detail::write(*this, compat_detail::before_write(*this).ceil()); }

  Tensor trunc() const {
    return compat_detail::rounded("trunc", paddle::recorded::trunc, *this);
  }

  Tensor& trunc_() const { return compat_detail::write(*this, compat_detail::before_write(*this).trunc()); }

  Tensor fix() const { return trunc(); }

  Tensor& fix_() const { return compat_detail::write(*this, compat_detail::before_write(*this).trunc()); }

  Tensor round() const {
    return compat_detail::rounded("round", paddle::recorded::round, *this, 0);
  }

  Tensor& round_() const { return compat_detail::write(*this, compat_detail::before_write(*this).round()); }

  Tensor round(int64_t decimals) const {
    return compat_detail::rounded("round", paddle::recorded::round, *this, int(decimals));
  }

  Tensor frac() const { return compat_detail::fraction(*this); }

  Tensor& frac_() const { return compat_detail::write(*this, compat_detail::before_write(*this).frac()); }

  Tensor sign() const { return compat_detail::signs(*this); }

  Tensor& sign_() const { return compat_detail::write(*this, compat_detail::before_write(*this).sign()); }

  Tensor sgn() const { return sign(); }

  Tensor abs() const {
    return compat_detail::unary("abs", paddle::recorded::abs, *this,
        compat_detail::not_bool(scalar_type()));
  }

  Tensor& abs_() const { return compat_detail::write(*this, compat_detail::before_write(*this).abs()); }

  Tensor absolute() const { return abs(); }

  Tensor relu() const {
    return compat_detail::binary("maximum", paddle::recorded::maximum, *this, Scalar(0),
        compat_detail::not_bool(scalar_type()));
  }

  Tensor& relu_() const { return compat_detail::write(*this, compat_detail::before_write(*this).relu()); }

  Tensor softmax(int64_t dim, ::std::optional<ScalarType> dtype = ::std::nullopt) const {
    const Tensor self = dtype ? toType(*dtype) : *this;
    return compat_detail::unary("softmax", paddle::recorded::softmax, self,
        compat_detail::only_real(self), compat_detail::axis(self, dim));
  }

  Tensor log_softmax(int64_t dim, ::std::optional<ScalarType> dtype = ::std::nullopt) const {
    const Tensor self = dtype ? toType(*dtype) : *this;
    return compat_detail::log_softmax(self, compat_detail::axis(self, dim));
  }

  Tensor clamp(
      const ::std::optional<Scalar>& min,
      const ::std::optional<Scalar>& max = ::std::nullopt) const {
    return compat_detail::clamp(*this, min, max);
  }

  Tensor& clamp_(
      const ::std::optional<Scalar>& min,
      const ::std::optional<Scalar>& max = ::std::nullopt) const {
    return compat_detail::write(*this, compat_detail::before_write(*this, min, max).clamp(min, max));
  }

  Tensor clip(
      const ::std::optional<Scalar>& min,
      const ::std::optional<Scalar>& max = ::std::nullopt) const {
    return clamp(min, max);
  }

  Tensor& clip_(
      const ::std::optional<Scalar>& min,
      const ::std::optional<Scalar>& max = ::std::nullopt) const {
    return compat_detail::write(*this, compat_detail::before_write(*this, min, max).clamp(min, max));
  }

  Tensor clamp(
      const ::std::optional<Tensor>& min = {},
      const ::std::optional<Tensor>& max = {}) const {
    return compat_detail::clamp(*this, min, max);
  }

  Tensor& clamp_(
      const ::std::optional<Tensor>& min = {},
      const ::std::optional<Tensor>& max = {}) const {
    return compat_detail::write(*this, compat_detail::before_write(*this, min, max).clamp(min, max));
  }

  Tensor clip(
      const ::std::optional<Tensor>& min = {},
      const ::std::optional<Tensor>& max = {}) const {
    return clamp(min, max);
  }

  Tensor& clip_(
      const ::std::optional<Tensor>& min = {},
      const ::std::optional<Tensor>& max = {}) const {
    return compat_detail::write(*this, compat_detail::before_write(*this, min, max).clamp(min, max));
  }

  Tensor clamp_min(const Scalar& min) const {
    return compat_detail::bounded(*this, min, compat_detail::common_type(*this, min), true);
  }

  Tensor& clamp_min_(const Scalar& min) const {
    return compat_detail::write(*this, compat_detail::before_write(*this, min).clamp_min(min));
  }

  Tensor clamp_min(const Tensor& min) const {
    return compat_detail::bounded(*this, min, compat_detail::common_type(*this, min), true);
  }

  Tensor& clamp_min_(const Tensor& min) const {
    return compat_detail::write(*this, compat_detail::before_write(*this, min).clamp_min(min));
  }

  Tensor clamp_max(const Scalar& max) const {
    return compat_detail::bounded(*this, max, compat_detail::common_type(*this, max), false);
  }

  Tensor& clamp_max_(const Scalar& max) const {
    return compat_detail::write(*this, compat_detail::before_write(*this, max).clamp_max(max));
  }

  Tensor clamp_max(const Tensor& max) const {
    return compat_detail::bounded(*this, max, compat_detail::common_type(*this, max), false);
  }

  Tensor& clamp_max_(const Tensor& max) const {
    return compat_detail::write(*this, compat_detail::before_write(*this, max).clamp_max(max));
  }

  Tensor& round_(int64_t decimals) const { return compat_detail::write(*this, compat_detail::before_write(*this, decimals).round(decimals)); }
};

}  // namespace at
