#pragma once

#include <porter_compat/unary.h>

namespace at {

// extends
class Tensor {
  Tensor sqrt() const { return compat_detail::real("sqrt", paddle::experimental::sqrt, *this); }

  Tensor& sqrt_() const { return compat_detail::write(*this, sqrt()); }

  Tensor rsqrt() const { return compat_detail::real("rsqrt", paddle::experimental::rsqrt,
      *this); }

  Tensor& rsqrt_() const { return compat_detail::write(*this, rsqrt()); }

  Tensor exp() const { return compat_detail::real("exp", paddle::experimental::exp, *this); }

  Tensor& exp_() const { return compat_detail::write(*this, exp()); }

  Tensor expm1() const { return compat_detail::real("expm1", paddle::experimental::expm1,
      *this); }

  Tensor& expm1_() const { return compat_detail::write(*this, expm1()); }

  Tensor log() const { return compat_detail::real("log", paddle::experimental::log, *this); }

  Tensor& log_() const { return compat_detail::write(*this, log()); }

  Tensor log2() const { return compat_detail::real("log2", paddle::experimental::log2, *this); }

  Tensor& log2_() const { return compat_detail::write(*this, log2()); }

  Tensor log10() const { return compat_detail::real("log10", paddle::experimental::log10,
      *this); }

  Tensor& log10_() const { return compat_detail::write(*this, log10()); }

  Tensor log1p() const { return compat_detail::real("log1p", paddle::experimental::log1p,
      *this); }

  Tensor& log1p_() const { return compat_detail::write(*this, log1p()); }

  Tensor sin() const { return compat_detail::real("sin", paddle::experimental::sin, *this); }

  Tensor& sin_() const { return compat_detail::write(*this, sin()); }

  Tensor cos() const { return compat_detail::real("cos", paddle::experimental::cos, *this); }

  Tensor& cos_() const { return compat_detail::write(*this, cos()); }

  Tensor tan() const { return compat_detail::real("tan", paddle::experimental::tan, *this); }

  Tensor& tan_() const { return compat_detail::write(*this, tan()); }

  Tensor sinh() const { return compat_detail::real("sinh", paddle::experimental::sinh, *this); }

  Tensor& sinh_() const { return compat_detail::write(*this, sinh()); }

  Tensor cosh() const { return compat_detail::real("cosh", paddle::experimental::cosh, *this); }

  Tensor& cosh_() const { return compat_detail::write(*this, cosh()); }

  Tensor tanh() const { return compat_detail::real("tanh", paddle::experimental::tanh, *this); }

  Tensor& tanh_() const { return compat_detail::write(*this, tanh()); }

  Tensor erf() const { return compat_detail::real("erf", paddle::experimental::erf, *this); }

  Tensor& erf_() const { return compat_detail::write(*this, erf()); }

  Tensor erfinv() const {
    return compat_detail::real("erfinv", paddle::experimental::erfinv, *this);
  }

  Tensor& erfinv_() const { return compat_detail::write(*this, erfinv()); }

  Tensor reciprocal() const {
    return compat_detail::real("reciprocal", paddle::experimental::reciprocal, *this);
  }

  Tensor& reciprocal_() const { return compat_detail::write(*this, reciprocal()); }

  Tensor digamma() const {
    return compat_detail::real("digamma", paddle::experimental::digamma, *this);
  }

  Tensor& digamma_() const { return compat_detail::write(*this, digamma()); }

  Tensor lgamma() const {
    return compat_detail::real("lgamma", paddle::experimental::lgamma, *this);
  }

  Tensor& lgamma_() const { return compat_detail::write(*this, lgamma()); }

  Tensor sigmoid() const {
    return compat_detail::real("sigmoid", paddle::experimental::sigmoid, *this);
  }

  Tensor& sigmoid_() const { return compat_detail::write(*this, sigmoid()); }

  Tensor asin() const { return compat_detail::real("asin", paddle::experimental::asin, *this); }

  Tensor& asin_() const { return compat_detail::write(*this, asin()); }

  Tensor arcsin() const { return asin(); }

  Tensor& arcsin_() const { return compat_detail::write(*this, asin()); }

  Tensor acos() const { return compat_detail::real("acos", paddle::experimental::acos, *this); }

  Tensor& acos_() const { return compat_detail::write(*this, acos()); }

  Tensor arccos() const { return acos(); }

  Tensor& arccos_() const { return compat_detail::write(*this, acos()); }

  Tensor atan() const { return compat_detail::real("atan", paddle::experimental::atan, *this); }

  Tensor& atan_() const { return compat_detail::write(*this, atan()); }

  Tensor arctan() const { return atan(); }

  Tensor& arctan_() const { return compat_detail::write(*this, atan()); }

  Tensor asinh() const { return compat_detail::real("asinh", paddle::experimental::asinh,
      *this); }

  Tensor& asinh_() const { return compat_detail::write(*this, asinh()); }

  Tensor arcsinh() const { return asinh(); }

  Tensor& arcsinh_() const { return compat_detail::write(*this, asinh()); }

  Tensor acosh() const { return compat_detail::real("acosh", paddle::experimental::acosh,
      *this); }

  Tensor& acosh_() const { return compat_detail::write(*this, acosh()); }

  Tensor arccosh() const { return acosh(); }

  Tensor& arccosh_() const { return compat_detail::write(*this, acosh()); }

  Tensor atanh() const { return compat_detail::real("atanh", paddle::experimental::atanh,
      *this); }

  Tensor& atanh_() const { return compat_detail::write(*this, atanh()); }

  Tensor arctanh() const { return atanh(); }

  Tensor& arctanh_() const { return compat_detail::write(*this, atanh()); }

  Tensor exp2() const {
    return compat_detail::binary("elementwise_pow", paddle::experimental::elementwise_pow,
        Scalar(2), *this, compat_detail::floating(scalar_type()));
  }

  Tensor& exp2_() const { return compat_detail::write(*this, exp2()); }

  Tensor erfc() const { return erf().neg().add(1); }

  Tensor& erfc_() const { return compat_detail::write(*this, erfc()); }

  Tensor square() const {
    return compat_detail::unary("square", paddle::experimental::square, *this,
        scalar_type() == kBool ? kLong : scalar_type());
  }

  Tensor& square_() const { return compat_detail::write(*this, square()); }

  Tensor neg() const { return compat_detail::negative(*this); }

  Tensor& neg_() const { return compat_detail::write(*this, neg()); }

  Tensor negative() const { return neg(); }

  Tensor& negative_() const { return compat_detail::write(*this, neg()); }

  Tensor floor() const {
    return compat_detail::rounded("floor", paddle::experimental::floor, *this);
  }

  Tensor& floor_() const { return compat_detail::write(*this, floor()); }

  Tensor ceil() const { return compat_detail::rounded("ceil", paddle::experimental::ceil,
      *this); }

  Tensor& ceil_() const { return compat_detail::write(*this, ceil()); }

  Tensor trunc() const {
    return compat_detail::rounded("trunc", paddle::experimental::trunc, *this);
  }

  Tensor& trunc_() const { return compat_detail::write(*this, trunc()); }

  Tensor fix() const { return trunc(); }

  Tensor& fix_() const { return compat_detail::write(*this, trunc()); }

  Tensor round() const {
    return compat_detail::rounded("round", paddle::experimental::round, *this, 0);
  }

  Tensor& round_() const { return compat_detail::write(*this, round()); }

  Tensor round(int64_t decimals) const {
    return compat_detail::rounded("round", paddle::experimental::round, *this, int(decimals));
  }

  Tensor frac() const { return compat_detail::fraction(*this); }

  Tensor& frac_() const { return compat_detail::write(*this, frac()); }

  Tensor sign() const { return compat_detail::signs(*this); }

  Tensor& sign_() const { return compat_detail::write(*this, sign()); }

  Tensor sgn() const { return sign(); }

  Tensor abs() const {
    return compat_detail::unary("abs", paddle::experimental::abs, *this,
        compat_detail::not_bool(scalar_type()));
  }

  Tensor& abs_() const { return compat_detail::write(*this, abs()); }

  Tensor absolute() const { return abs(); }

  Tensor relu() const {
    return compat_detail::binary("maximum", paddle::experimental::maximum, *this, Scalar(0),
        compat_detail::not_bool(scalar_type()));
  }

  Tensor& relu_() const { return compat_detail::write(*this, relu()); }

  Tensor softmax(int64_t dim, ::std::optional<ScalarType> dtype = ::std::nullopt) const {
    const Tensor self = dtype ? toType(*dtype) : *this;
    return compat_detail::unary("softmax", paddle::experimental::softmax, self,
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
    return compat_detail::write(*this, clamp(min, max));
  }

  Tensor clip(
      const ::std::optional<Scalar>& min,
      const ::std::optional<Scalar>& max = ::std::nullopt) const {
    return clamp(min, max);
  }

  Tensor& clip_(
      const ::std::optional<Scalar>& min,
      const ::std::optional<Scalar>& max = ::std::nullopt) const {
    return compat_detail::write(*this, clamp(min, max));
  }

  Tensor clamp(
      const ::std::optional<Tensor>& min = {},
      const ::std::optional<Tensor>& max = {}) const {
    return compat_detail::clamp(*this, min, max);
  }

  Tensor& clamp_(
      const ::std::optional<Tensor>& min = {},
      const ::std::optional<Tensor>& max = {}) const {
    return compat_detail::write(*this, clamp(min, max));
  }

  Tensor clip(
      const ::std::optional<Tensor>& min = {},
      const ::std::optional<Tensor>& max = {}) const {
    return clamp(min, max);
  }

  Tensor& clip_(
      const ::std::optional<Tensor>& min = {},
      const ::std::optional<Tensor>& max = {}) const {
    return compat_detail::write(*this, clamp(min, max));
  }

  Tensor clamp_min(const Scalar& min) const {
    return compat_detail::binary("maximum", paddle::experimental::maximum, *this, min);
  }

  Tensor& clamp_min_(const Scalar& min) const {
    return compat_detail::write(*this, clamp_min(min));
  }

  Tensor clamp_min(const Tensor& min) const {
    return compat_detail::binary("maximum", paddle::experimental::maximum, *this, min);
  }

  Tensor& clamp_min_(const Tensor& min) const {
    return compat_detail::write(*this, clamp_min(min));
  }

  Tensor clamp_max(const Scalar& max) const {
    return compat_detail::binary("minimum", paddle::experimental::minimum, *this, max);
  }

  Tensor& clamp_max_(const Scalar& max) const {
    return compat_detail::write(*this, clamp_max(max));
  }

  Tensor clamp_max(const Tensor& max) const {
    return compat_detail::binary("minimum", paddle::experimental::minimum, *this, max);
  }

  Tensor& clamp_max_(const Tensor& max) const {
    return compat_detail::write(*this, clamp_max(max));
  }

  Tensor& round_(int64_t decimals) const { return compat_detail::write(*this, round(decimals)); }
};

}  // namespace at
