#pragma once

#include <porter_compat/unary.h>

namespace at {

// extends
class Tensor {
  Tensor sqrt() const {
    return compat_detail::unary("sqrt", paddle::experimental::sqrt, *this, compat_detail::floating(scalar_type()));
  }

  Tensor& sqrt_() const { return compat_detail::write(*this, sqrt()._PD_GetInner()); }

  Tensor rsqrt() const {
    return compat_detail::unary("rsqrt", paddle::experimental::rsqrt, *this, compat_detail::floating(scalar_type()));
  }

  Tensor& rsqrt_() const { return compat_detail::write(*this, rsqrt()._PD_GetInner()); }

  Tensor exp() const {
    return compat_detail::unary("exp", paddle::experimental::exp, *this, compat_detail::floating(scalar_type()));
  }

  Tensor& exp_() const { return compat_detail::write(*this, exp()._PD_GetInner()); }

  Tensor expm1() const {
    return compat_detail::unary("expm1", paddle::experimental::expm1, *this, compat_detail::floating(scalar_type()));
  }

  Tensor& expm1_() const { return compat_detail::write(*this, expm1()._PD_GetInner()); }

  Tensor log() const {
    return compat_detail::unary("log", paddle::experimental::log, *this, compat_detail::floating(scalar_type()));
  }

  Tensor& log_() const { return compat_detail::write(*this, log()._PD_GetInner()); }

  Tensor log2() const {
    return compat_detail::unary("log2", paddle::experimental::log2, *this, compat_detail::floating(scalar_type()));
  }

  Tensor& log2_() const { return compat_detail::write(*this, log2()._PD_GetInner()); }

  Tensor log10() const {
    return compat_detail::unary("log10", paddle::experimental::log10, *this, compat_detail::floating(scalar_type()));
  }

  Tensor& log10_() const { return compat_detail::write(*this, log10()._PD_GetInner()); }

  Tensor log1p() const {
    return compat_detail::unary("log1p", paddle::experimental::log1p, *this, compat_detail::floating(scalar_type()));
  }

  Tensor& log1p_() const { return compat_detail::write(*this, log1p()._PD_GetInner()); }

  Tensor sin() const {
    return compat_detail::unary("sin", paddle::experimental::sin, *this, compat_detail::floating(scalar_type()));
  }

  Tensor& sin_() const { return compat_detail::write(*this, sin()._PD_GetInner()); }

  Tensor cos() const {
    return compat_detail::unary("cos", paddle::experimental::cos, *this, compat_detail::floating(scalar_type()));
  }

  Tensor& cos_() const { return compat_detail::write(*this, cos()._PD_GetInner()); }

  Tensor tan() const {
    return compat_detail::unary("tan", paddle::experimental::tan, *this, compat_detail::floating(scalar_type()));
  }

  Tensor& tan_() const { return compat_detail::write(*this, tan()._PD_GetInner()); }

  Tensor sinh() const {
    return compat_detail::unary("sinh", paddle::experimental::sinh, *this, compat_detail::floating(scalar_type()));
  }

  Tensor& sinh_() const { return compat_detail::write(*this, sinh()._PD_GetInner()); }

  Tensor cosh() const {
    return compat_detail::unary("cosh", paddle::experimental::cosh, *this, compat_detail::floating(scalar_type()));
  }

  Tensor& cosh_() const { return compat_detail::write(*this, cosh()._PD_GetInner()); }

  Tensor tanh() const {
    return compat_detail::unary("tanh", paddle::experimental::tanh, *this, compat_detail::floating(scalar_type()));
  }

  Tensor& tanh_() const { return compat_detail::write(*this, tanh()._PD_GetInner()); }

  Tensor erf() const {
    return compat_detail::unary("erf", paddle::experimental::erf, *this, compat_detail::floating(scalar_type()));
  }

  Tensor& erf_() const { return compat_detail::write(*this, erf()._PD_GetInner()); }

  Tensor erfinv() const {
    return compat_detail::unary("erfinv", paddle::experimental::erfinv, *this, compat_detail::floating(scalar_type()));
  }

  Tensor& erfinv_() const { return compat_detail::write(*this, erfinv()._PD_GetInner()); }

  Tensor reciprocal() const {
    return compat_detail::unary("reciprocal", paddle::experimental::reciprocal, *this, compat_detail::floating(scalar_type()));
  }

  Tensor& reciprocal_() const { return compat_detail::write(*this, reciprocal()._PD_GetInner()); }

  Tensor digamma() const {
    return compat_detail::unary("digamma", paddle::experimental::digamma, *this, compat_detail::floating(scalar_type()));
  }

  Tensor& digamma_() const { return compat_detail::write(*this, digamma()._PD_GetInner()); }

  Tensor lgamma() const {
    return compat_detail::unary("lgamma", paddle::experimental::lgamma, *this, compat_detail::floating(scalar_type()));
  }

  Tensor& lgamma_() const { return compat_detail::write(*this, lgamma()._PD_GetInner()); }

  Tensor sigmoid() const {
    return compat_detail::unary("sigmoid", paddle::experimental::sigmoid, *this, compat_detail::floating(scalar_type()));
  }

  Tensor& sigmoid_() const { return compat_detail::write(*this, sigmoid()._PD_GetInner()); }

  Tensor asin() const {
    return compat_detail::unary("asin", paddle::experimental::asin, *this, compat_detail::floating(scalar_type()));
  }

  Tensor& asin_() const { return compat_detail::write(*this, asin()._PD_GetInner()); }

  Tensor arcsin() const { return asin(); }

  Tensor& arcsin_() const { return compat_detail::write(*this, asin()._PD_GetInner()); }

  Tensor acos() const {
    return compat_detail::unary("acos", paddle::experimental::acos, *this, compat_detail::floating(scalar_type()));
  }

  Tensor& acos_() const { return compat_detail::write(*this, acos()._PD_GetInner()); }

  Tensor arccos() const { return acos(); }

  Tensor& arccos_() const { return compat_detail::write(*this, acos()._PD_GetInner()); }

  Tensor atan() const {
    return compat_detail::unary("atan", paddle::experimental::atan, *this, compat_detail::floating(scalar_type()));
  }

  Tensor& atan_() const { return compat_detail::write(*this, atan()._PD_GetInner()); }

  Tensor arctan() const { return atan(); }

  Tensor& arctan_() const { return compat_detail::write(*this, atan()._PD_GetInner()); }

  Tensor asinh() const {
    return compat_detail::unary("asinh", paddle::experimental::asinh, *this, compat_detail::floating(scalar_type()));
  }

  Tensor& asinh_() const { return compat_detail::write(*this, asinh()._PD_GetInner()); }

  Tensor arcsinh() const { return asinh(); }

  Tensor& arcsinh_() const { return compat_detail::write(*this, asinh()._PD_GetInner()); }

  Tensor acosh() const {
    return compat_detail::unary("acosh", paddle::experimental::acosh, *this, compat_detail::floating(scalar_type()));
  }

  Tensor& acosh_() const { return compat_detail::write(*this, acosh()._PD_GetInner()); }

  Tensor arccosh() const { return acosh(); }

  Tensor& arccosh_() const { return compat_detail::write(*this, acosh()._PD_GetInner()); }

  Tensor atanh() const {
    return compat_detail::unary("atanh", paddle::experimental::atanh, *this, compat_detail::floating(scalar_type()));
  }

  Tensor& atanh_() const { return compat_detail::write(*this, atanh()._PD_GetInner()); }

  Tensor arctanh() const { return atanh(); }

  Tensor& arctanh_() const { return compat_detail::write(*this, atanh()._PD_GetInner()); }

  Tensor exp2() const {
    return compat_detail::binary("elementwise_pow", paddle::experimental::elementwise_pow, Scalar(2), *this, compat_detail::floating(scalar_type()));
  }

  Tensor& exp2_() const { return compat_detail::write(*this, exp2()._PD_GetInner()); }

  Tensor erfc() const { return erf().neg().add(1); }

  Tensor& erfc_() const { return compat_detail::write(*this, erfc()._PD_GetInner()); }

  Tensor square() const {
    return compat_detail::unary("square", paddle::experimental::square, *this, scalar_type() == kBool ? kLong : scalar_type());
  }

  Tensor& square_() const { return compat_detail::write(*this, square()._PD_GetInner()); }

  Tensor neg() const { return compat_detail::negative(*this); }

  Tensor& neg_() const { return compat_detail::write(*this, neg()._PD_GetInner()); }

  Tensor negative() const { return neg(); }

  Tensor& negative_() const { return compat_detail::write(*this, neg()._PD_GetInner()); }

  Tensor floor() const {
    return compat_detail::rounded("floor", paddle::experimental::floor, *this);
  }

  Tensor& floor_() const { return compat_detail::write(*this, floor()._PD_GetInner()); }

  Tensor ceil() const { return compat_detail::rounded("ceil", paddle::experimental::ceil, *this); }

  Tensor& ceil_() const { return compat_detail::write(*this, ceil()._PD_GetInner()); }

  Tensor trunc() const {
    return compat_detail::rounded("trunc", paddle::experimental::trunc, *this);
  }

  Tensor& trunc_() const { return compat_detail::write(*this, trunc()._PD_GetInner()); }

  Tensor fix() const { return trunc(); }

  Tensor& fix_() const { return compat_detail::write(*this, trunc()._PD_GetInner()); }

  Tensor round() const {
    return compat_detail::rounded("round", paddle::experimental::round, *this, 0);
  }

  Tensor& round_() const { return compat_detail::write(*this, round()._PD_GetInner()); }

  Tensor round(int64_t decimals) const {
    return compat_detail::rounded("round", paddle::experimental::round, *this, int(decimals));
  }

  Tensor frac() const { return compat_detail::fraction(*this); }

  Tensor& frac_() const { return compat_detail::write(*this, frac()._PD_GetInner()); }

  Tensor sign() const {
    return scalar_type() == kBool ? clone() : Tensor(compat_detail::unary("sign", paddle::experimental::sign, *this, scalar_type()));
  }

  Tensor& sign_() const { return compat_detail::write(*this, sign()._PD_GetInner()); }

  Tensor sgn() const { return sign(); }

  Tensor abs() const {
    return compat_detail::unary("abs", paddle::experimental::abs, *this, compat_detail::not_bool(scalar_type()));
  }

  Tensor& abs_() const { return compat_detail::write(*this, abs()._PD_GetInner()); }

  Tensor absolute() const { return abs(); }

  Tensor relu() const {
    return compat_detail::binary("maximum", paddle::experimental::maximum, *this, Scalar(0), compat_detail::not_bool(scalar_type()));
  }

  Tensor& relu_() const { return compat_detail::write(*this, relu()._PD_GetInner()); }

  Tensor softmax(int64_t dim, ::std::optional<ScalarType> dtype = ::std::nullopt) const {
    const Tensor self = dtype ? toType(*dtype) : *this;
    return compat_detail::unary("softmax", paddle::experimental::softmax, self, compat_detail::only_real(self), compat_detail::axis(self, dim));
  }

  Tensor log_softmax(int64_t dim, ::std::optional<ScalarType> dtype = ::std::nullopt) const {
    const Tensor self = dtype ? toType(*dtype) : *this;
    return compat_detail::unary("log_softmax", paddle::experimental::log_softmax, self, compat_detail::only_real(self), compat_detail::axis(self, dim));
  }

  Tensor clamp(
      const ::std::optional<Scalar>& min, const ::std::optional<Scalar>& max = ::std::nullopt) const {
    return compat_detail::clamp(*this, min, max);
  }

  Tensor& clamp_(
      const ::std::optional<Scalar>& min, const ::std::optional<Scalar>& max = ::std::nullopt) const {
    return compat_detail::write(*this, clamp(min, max)._PD_GetInner());
  }

  Tensor clip(
      const ::std::optional<Scalar>& min, const ::std::optional<Scalar>& max = ::std::nullopt) const {
    return clamp(min, max);
  }

  Tensor& clip_(
      const ::std::optional<Scalar>& min, const ::std::optional<Scalar>& max = ::std::nullopt) const {
    return compat_detail::write(*this, clamp(min, max)._PD_GetInner());
  }

  Tensor clamp(
      const ::std::optional<Tensor>& min = {}, const ::std::optional<Tensor>& max = {}) const {
    return compat_detail::clamp(*this, min, max);
  }

  Tensor& clamp_(
      const ::std::optional<Tensor>& min = {}, const ::std::optional<Tensor>& max = {}) const {
    return compat_detail::write(*this, clamp(min, max)._PD_GetInner());
  }

  Tensor clip(
      const ::std::optional<Tensor>& min = {}, const ::std::optional<Tensor>& max = {}) const {
    return clamp(min, max);
  }

  Tensor& clip_(
      const ::std::optional<Tensor>& min = {}, const ::std::optional<Tensor>& max = {}) const {
    return compat_detail::write(*this, clamp(min, max)._PD_GetInner());
  }

  Tensor clamp_min(const Scalar& min) const {
    return compat_detail::binary("maximum", paddle::experimental::maximum, *this, min);
  }

  Tensor& clamp_min_(const Scalar& min) const {
    return compat_detail::write(*this, clamp_min(min)._PD_GetInner());
  }

  Tensor clamp_min(const Tensor& min) const {
    return compat_detail::binary("maximum", paddle::experimental::maximum, *this, min);
  }

  Tensor& clamp_min_(const Tensor& min) const {
    return compat_detail::write(*this, clamp_min(min)._PD_GetInner());
  }

  Tensor clamp_max(const Scalar& max) const {
    return compat_detail::binary("minimum", paddle::experimental::minimum, *this, max);
  }

  Tensor& clamp_max_(const Scalar& max) const {
    return compat_detail::write(*this, clamp_max(max)._PD_GetInner());
  }

  Tensor clamp_max(const Tensor& max) const {
    return compat_detail::binary("minimum", paddle::experimental::minimum, *this, max);
  }

  Tensor& clamp_max_(const Tensor& max) const {
    return compat_detail::write(*this, clamp_max(max)._PD_GetInner());
  }
};

}  // namespace at
