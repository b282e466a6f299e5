#pragma once

#include <porter_compat/recorded.h>
#include <porter_compat/arithmetic.h>

namespace at {

// extends
class Tensor {
  Tensor add(const Tensor& other, const Scalar& alpha = 1) const {
    return compat_detail::add_scaled("add", paddle::recorded::add, *this, other, alpha);
  }

  Tensor& add_(const Tensor& other, const Scalar& alpha = 1) const {
    return compat_detail::write(*this, compat_detail::before_write(*this, other, alpha).add(other, alpha));
  }

  Tensor add(const Scalar& other, const Scalar& alpha = 1) const {
    return compat_detail::add_scaled("add", paddle::recorded::add, *this, other, alpha);
  }

  Tensor& add_(const Scalar& other, const Scalar& alpha = 1) const {
    return compat_detail::write(*this, compat_detail::before_write(*this, other, alpha).add(other, alpha));
  }

  Tensor sub(const Tensor& other, const Scalar& alpha = 1) const {
    return compat_detail::add_scaled("subtract", paddle::recorded::subtract, *this, other,
        alpha);
  }

  Tensor& sub_(const Tensor& other, const Scalar& alpha = 1) const {
    return compat_detail::write(*this, compat_detail::before_write(*this, other, alpha).sub(other, alpha));
  }

  Tensor sub(const Scalar& other, const Scalar& alpha = 1) const {
    return compat_detail::add_scaled("subtract", paddle::recorded::subtract, *this, other,
        alpha);
  }

  Tensor& sub_(const Scalar& other, const Scalar& alpha = 1) const {
    return compat_detail::write(*this, compat_detail::before_write(*this, other, alpha).sub(other, alpha));
  }

  Tensor subtract(const Tensor& other, const Scalar& alpha = 1) const { return sub(other,
      alpha); }

  Tensor& subtract_(const Tensor& other, const Scalar& alpha = 1) const {
    return sub_(other, alpha);
  }

  Tensor subtract(const Scalar& other, const Scalar& alpha = 1) const { return sub(other,
      alpha); }

  Tensor& subtract_(const Scalar& other, const Scalar& alpha = 1) const {
    return sub_(other, alpha);
  }

  Tensor mul(const Tensor& other) const {
    return compat_detail::binary("multiply", paddle::recorded::multiply, *this, other);
  }

  Tensor& mul_(const Tensor& other) const { return compat_detail::write(*this, compat_detail::before_write(*this, other).mul(other)); }

  Tensor multiply(const Tensor& other) const { return mul(other); }

  Tensor& multiply_(const Tensor& other) const { return mul_(other); }

  Tensor mul(const Scalar& other) const {
    return compat_detail::binary("multiply", paddle::recorded::multiply, *this, other);
  }

  Tensor& mul_(const Scalar& other) const { return compat_detail::write(*this, compat_detail::before_write(*this, other).mul(other)); }

  Tensor multiply(const Scalar& other) const { return mul(other); }

  Tensor& multiply_(const Scalar& other) const { return mul_(other); }

  Tensor div(const Tensor& other) const { return compat_detail::quotient(*this, other); }

  Tensor& div_(const Tensor& other) const { return compat_detail::write(*this, compat_detail::before_write(*this, other).div(other)); }

  Tensor divide(const Tensor& other) const { return div(other); }

  Tensor& divide_(const Tensor& other) const { return div_(other); }

  Tensor true_divide(const Tensor& other) const { return div(other); }

  Tensor& true_divide_(const Tensor& other) const { return div_(other); }

  Tensor div(const Scalar& other) const { return compat_detail::quotient(*this, other); }

  Tensor& div_(const Scalar& other) const { return compat_detail::write(*this, compat_detail::before_write(*this, other).div(other)); }

  Tensor divide(const Scalar& other) const { return div(other); }

  Tensor& divide_(const Scalar& other) const { return div_(other); }

  Tensor true_divide(const Scalar& other) const { return div(other); }

  Tensor& true_divide_(const Scalar& other) const { return div_(other); }

  Tensor div(const Tensor& other, ::std::optional<::std::string_view> rounding_mode) const {
    return compat_detail::quotient(*this, other, rounding_mode);
  }

  Tensor& div_(const Tensor& other, ::std::optional<::std::string_view> rounding_mode) const {
    return compat_detail::write(*this, compat_detail::before_write(*this, other, rounding_mode).div(other, rounding_mode));
  }

  Tensor div(const Scalar& other, ::std::optional<::std::string_view> rounding_mode) const {
    return compat_detail::quotient(*this, other, rounding_mode);
  }

  Tensor& div_(const Scalar& other, ::std::optional<::std::string_view> rounding_mode) const {
    return compat_detail::write(*this, compat_detail::before_write(*this, other, rounding_mode).div(other, rounding_mode));
  }

  Tensor floor_divide(const Tensor& other) const {
    return compat_detail::quotient(*this, other, "floor");
  }

  Tensor& floor_divide_(const Tensor& other) const {
    return compat_detail::write(*this, compat_detail::before_write(*this, other).floor_divide(other));
  }

  Tensor floor_divide(const Scalar& other) const {
    return compat_detail::quotient(*this, other, "floor");
  }

  // instead of the one with: paddle::experimental::full({}, other, other.dtype())
  Tensor& floor_divide_(const Scalar& other) const {
    return compat_detail::write(*this, compat_detail::before_write(*this, other).floor_divide(other));
  }

  Tensor remainder(const Tensor& other) const {
    return compat_detail::modulo("remainder", paddle::recorded::remainder, *this, other);
  }

  Tensor& remainder_(const Tensor& other) const {
    return compat_detail::write(*this, compat_detail::before_write(*this, other).remainder(other));
  }

  Tensor remainder(const Scalar& other) const {
    return compat_detail::modulo("remainder", paddle::recorded::remainder, *this, other);
  }

  Tensor& remainder_(const Scalar& other) const {
    return compat_detail::write(*this, compat_detail::before_write(*this, other).remainder(other));
  }

  Tensor fmod(const Tensor& other) const { return compat_detail::fmod(*this, other); }

  Tensor& fmod_(const Tensor& other) const { return compat_detail::write(*this, compat_detail::before_write(*this, other).fmod(other)); }

  Tensor fmod(const Scalar& other) const { return compat_detail::fmod(*this, other); }

  Tensor& fmod_(const Scalar& other) const { return compat_detail::write(*this, compat_detail::before_write(*this, other).fmod(other)); }

  Tensor pow(const Tensor& exponent) const {
    return compat_detail::binary("elementwise_pow", paddle::recorded::elementwise_pow, *this,
        exponent);
  }

  Tensor& pow_(const Tensor& exponent) const { return compat_detail::write(*this, compat_detail::before_write(*this, exponent).pow(exponent)); }

  Tensor pow(const Scalar& exponent) const { return compat_detail::power(*this, exponent); }

  Tensor& pow_(const Scalar& exponent) const { return compat_detail::write(*this, compat_detail::before_write(*this, exponent).pow(exponent)); }

  Tensor atan2(const Tensor& other) const {
    return compat_detail::binary("atan2", paddle::recorded::atan2, *this, other,
        compat_detail::floating(compat_detail::common_type(*this, other)));
  }

  Tensor& atan2_(const Tensor& other) const { return compat_detail::write(*this, compat_detail::before_write(*this, other).atan2(other)); }

  Tensor arctan2(const Tensor& other) const { return atan2(other); }

  Tensor& arctan2_(const Tensor& other) const { return atan2_(other); }

  Tensor maximum(const Tensor& other) const {
    return compat_detail::binary("maximum", paddle::recorded::maximum, *this, other);
  }

  Tensor minimum(const Tensor& other) const {
    return compat_detail::binary("minimum", paddle::recorded::minimum, *this, other);
  }

  Tensor fmax(const Tensor& other) const {
    return compat_detail::binary("fmax", paddle::recorded::fmax, *this, other);
  }

  Tensor fmin(const Tensor& other) const {
    return compat_detail::binary("fmin", paddle::recorded::fmin, *this, other);
  }

  Tensor copysign(const Tensor& other) const {
    return compat_detail::binary("copysign", paddle::recorded::copysign, *this, other,
        compat_detail::floating(compat_detail::common_type(*this, other)));
  }

  Tensor& copysign_(const Tensor& other) const {
    return compat_detail::write(*this, compat_detail::before_write(*this, other).copysign(other));
  }

  Tensor copysign(const Scalar& other) const {
    return compat_detail::binary("copysign", paddle::recorded::copysign, *this, other,
        compat_detail::floating(compat_detail::common_type(*this, other)));
  }

  Tensor& copysign_(const Scalar& other) const {
    return compat_detail::write(*this, compat_detail::before_write(*this, other).copysign(other));
  }

  Tensor addcmul(const Tensor& tensor1, const Tensor& tensor2, const Scalar& value = 1) const {
    compat_detail::not_bool(scalar_type());
    return compat_detail::add_scaled("add", paddle::recorded::add, *this,
        tensor1.mul(tensor2), value);
  }

  Tensor addcdiv(const Tensor& tensor1, const Tensor& tensor2, const Scalar& value = 1) const {
    const bool whole = c10::isIntegralType(compat_detail::common_type(tensor1, tensor2), true);
    TORCH_CHECK(!whole, "addcdiv does not divide integers");
    return compat_detail::add_scaled("add", paddle::recorded::add, *this,
        tensor1.div(tensor2), value);
  }

  Tensor& addcmul_(const Tensor& tensor1, const Tensor& tensor2, const Scalar& value = 1) const {
    return compat_detail::write(*this, compat_detail::before_write(*this, tensor1, tensor2, value).addcmul(tensor1, tensor2, value));
  }

  Tensor& addcdiv_(const Tensor& tensor1, const Tensor& tensor2, const Scalar& value = 1) const {
    return compat_detail::write(*this, compat_detail::before_write(*this, tensor1, tensor2, value).addcdiv(tensor1, tensor2, value));
  }

  Tensor lerp(const Tensor& end, const Scalar& weight) const {
    return compat_detail::lerp(*this, end, weight);
  }

  Tensor& lerp_(const Tensor& end, const Scalar& weight) const {
    return compat_detail::write(*this, compat_detail::before_write(*this, end, weight).lerp(end, weight));
  }

  Tensor lerp(const Tensor& end, const Tensor& weight) const {
    return compat_detail::lerp(*this, end, weight);
  }

  Tensor& lerp_(const Tensor& end, const Tensor& weight) const {
    return compat_detail::write(*this, compat_detail::before_write(*this, end, weight).lerp(end, weight));
  }

  Tensor& operator+=(const Tensor& other) { return add_(other); }

  Tensor& operator+=(const Scalar& other) { return add_(other); }

  Tensor& operator-=(const Tensor& other) { return sub_(other); }

  Tensor& operator-=(const Scalar& other) { return sub_(other); }

  Tensor& operator*=(const Tensor& other) { return mul_(other); }

  Tensor& operator*=(const Scalar& other) { return mul_(other); }

  Tensor& operator/=(const Tensor& other) { return div_(other); }

  Tensor& operator/=(const Scalar& other) { return div_(other); }

  Tensor operator-() const { return neg(); }

  Tensor divide(const Tensor& other, ::std::optional<::std::string_view> rounding_mode) const {
    return div(other, rounding_mode);
  }

  Tensor& divide_(const Tensor& other, ::std::optional<::std::string_view> rounding_mode) const {
    return compat_detail::write(*this, compat_detail::before_write(*this, other, rounding_mode).div(other, rounding_mode));
  }

  Tensor divide(const Scalar& other, ::std::optional<::std::string_view> rounding_mode) const {
    return div(other, rounding_mode);
  }

  Tensor& divide_(const Scalar& other, ::std::optional<::std::string_view> rounding_mode) const {
    return compat_detail::write(*this, compat_detail::before_write(*this, other, rounding_mode).div(other, rounding_mode));
  }
};

inline Tensor operator+(const Tensor& x, const Tensor& y) { return x.add(y); }

inline Tensor operator+(const Tensor& x, const Scalar& y) { return x.add(y); }

inline Tensor operator+(const Scalar& x, const Tensor& y) { return y.add(x); }

inline Tensor operator-(const Tensor& x, const Tensor& y) { return x.sub(y); }

inline Tensor operator-(const Tensor& x, const Scalar& y) { return x.sub(y); }

inline Tensor operator-(const Scalar& x, const Tensor& y) {
  return Tensor(compat_detail::number(x, y)).sub(y);
}

inline Tensor operator*(const Tensor& x, const Tensor& y) { return x.mul(y); }

inline Tensor operator*(const Tensor& x, const Scalar& y) { return x.mul(y); }

inline Tensor operator*(const Scalar& x, const Tensor& y) { return y.mul(x); }

inline Tensor operator/(const Tensor& x, const Tensor& y) { return x.div(y); }

inline Tensor operator/(const Tensor& x, const Scalar& y) { return x.div(y); }

inline Tensor operator/(const Scalar& x, const Tensor& y) { return compat_detail::over(x, y); }

inline Tensor operator%(const Tensor& x, const Tensor& y) { return x.remainder(y); }

inline Tensor operator%(const Tensor& x, const Scalar& y) { return x.remainder(y); }

inline Tensor operator%(const Scalar& x, const Tensor& y) {
  return Tensor(compat_detail::number(x, y)).remainder(y);
}

}  // namespace at
