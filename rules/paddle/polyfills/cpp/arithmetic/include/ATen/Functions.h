#pragma once

#include <porter_compat/recorded.h>
#include <ATen/core/Tensor.h>
#include <porter_compat/arithmetic.h>

namespace at {

inline Tensor add(const Tensor& self, const Tensor& other, const Scalar& alpha = 1) {
  return self.add(other, alpha);
}

inline Tensor& add_out(
    Tensor& out, const Tensor& self, const Tensor& other,
    const Scalar& alpha = 1) {
  return compat_detail::write_out(out, self.add(other, alpha));
}

inline Tensor add(const Tensor& self, const Scalar& other, const Scalar& alpha = 1) {
  return self.add(other, alpha);
}

inline Tensor sub(const Tensor& self, const Tensor& other, const Scalar& alpha = 1) {
  return self.sub(other, alpha);
}

inline Tensor& sub_out(
    Tensor& out, const Tensor& self, const Tensor& other,
    const Scalar& alpha = 1) {
  return compat_detail::write_out(out, self.sub(other, alpha));
}

inline Tensor sub(const Tensor& self, const Scalar& other, const Scalar& alpha = 1) {
  return self.sub(other, alpha);
}

inline Tensor subtract(const Tensor& self, const Tensor& other, const Scalar& alpha = 1) {
  return self.sub(other, alpha);
}

inline Tensor subtract(const Tensor& self, const Scalar& other, const Scalar& alpha = 1) {
  return self.sub(other, alpha);
}

inline Tensor rsub(const Tensor& self, const Tensor& other, const Scalar& alpha = 1) {
  return compat_detail::add_scaled("subtract", paddle::recorded::subtract, other, self,
      alpha);
}

inline Tensor rsub(const Tensor& self, const Scalar& other, const Scalar& alpha = 1) {
  return compat_detail::add_scaled("subtract", paddle::recorded::subtract, other, self,
      alpha);
}

inline Tensor mul(const Tensor& self, const Tensor& other) { return self.mul(other); }

inline Tensor multiply(const Tensor& self, const Tensor& other) { return self.mul(other); }

inline Tensor mul(const Tensor& self, const Scalar& other) { return self.mul(other); }

inline Tensor multiply(const Tensor& self, const Scalar& other) { return self.mul(other); }

inline Tensor& mul_out(Tensor& out, const Tensor& self, const Tensor& other) {
  return compat_detail::write_out(out, self.mul(other));
}

inline Tensor div(const Tensor& self, const Tensor& other) { return self.div(other); }

inline Tensor divide(const Tensor& self, const Tensor& other) { return self.div(other); }

inline Tensor true_divide(const Tensor& self, const Tensor& other) { return self.div(other); }

inline Tensor div(const Tensor& self, const Scalar& other) { return self.div(other); }

inline Tensor divide(const Tensor& self, const Scalar& other) { return self.div(other); }

inline Tensor true_divide(const Tensor& self, const Scalar& other) { return self.div(other); }

inline Tensor& div_out(Tensor& out, const Tensor& self, const Tensor& other) {
  return compat_detail::write_out(out, self.div(other));
}

inline Tensor div(
    const Tensor& self, const Tensor& other,
    ::std::optional<::std::string_view> rounding_mode) {
  return self.div(other, rounding_mode);
}

inline Tensor div(
    const Tensor& self, const Scalar& other,
    ::std::optional<::std::string_view> rounding_mode) {
  return self.div(other, rounding_mode);
}

inline Tensor floor_divide(const Tensor& self, const Tensor& other) {
  return self.floor_divide(other);
}

inline Tensor floor_divide(const Tensor& self, const Scalar& other) {
  return self.floor_divide(other);
}

inline Tensor& floor_divide_out(Tensor& out, const Tensor& self, const Tensor& other) {
  return compat_detail::write_out(out, self.floor_divide(other));
}

inline Tensor remainder(const Tensor& self,
    const Tensor& other) { return self.remainder(other); }

inline Tensor remainder(const Tensor& self,
    const Scalar& other) { return self.remainder(other); }

inline Tensor& remainder_out(Tensor& out, const Tensor& self, const Tensor& other) {
  return compat_detail::write_out(out, self.remainder(other));
}

inline Tensor remainder(const Scalar& self, const Tensor& other) {
  return compat_detail::modulo("remainder", paddle::recorded::remainder, self, other);
}

inline Tensor fmod(const Tensor& self, const Tensor& other) { return self.fmod(other); }

inline Tensor fmod(const Tensor& self, const Scalar& other) { return self.fmod(other); }

inline Tensor& fmod_out(Tensor& out, const Tensor& self, const Tensor& other) {
  return compat_detail::write_out(out, self.fmod(other));
}

inline Tensor pow(const Tensor& self, const Tensor& exponent) { return self.pow(exponent); }

inline Tensor& pow_out(Tensor& out, const Tensor& self, const Tensor& exponent) {
  return compat_detail::write_out(out, self.pow(exponent));
}

inline Tensor pow(const Tensor& self, const Scalar& exponent) { return self.pow(exponent); }

inline Tensor& pow_out(Tensor& out, const Tensor& self, const Scalar& exponent) {
  return compat_detail::write_out(out, self.pow(exponent));
}

inline Tensor pow(const Scalar& self, const Tensor& exponent) {
  return compat_detail::binary("elementwise_pow", paddle::recorded::elementwise_pow, self,
      exponent);
}

inline Tensor atan2(const Tensor& self, const Tensor& other) { return self.atan2(other); }

inline Tensor arctan2(const Tensor& self, const Tensor& other) { return self.atan2(other); }

inline Tensor& atan2_out(Tensor& out, const Tensor& self, const Tensor& other) {
  return compat_detail::write_out(out, self.atan2(other));
}

inline Tensor maximum(const Tensor& self, const Tensor& other) { return self.maximum(other); }

inline Tensor& maximum_out(Tensor& out, const Tensor& self, const Tensor& other) {
  return compat_detail::write_out(out, self.maximum(other));
}

inline Tensor minimum(const Tensor& self, const Tensor& other) { return self.minimum(other); }

inline Tensor& minimum_out(Tensor& out, const Tensor& self, const Tensor& other) {
  return compat_detail::write_out(out, self.minimum(other));
}

inline Tensor fmax(const Tensor& self, const Tensor& other) { return self.fmax(other); }

inline Tensor& fmax_out(Tensor& out, const Tensor& self, const Tensor& other) {
  return compat_detail::write_out(out, self.fmax(other));
}

inline Tensor fmin(const Tensor& self, const Tensor& other) { return self.fmin(other); }

inline Tensor& fmin_out(Tensor& out, const Tensor& self, const Tensor& other) {
  return compat_detail::write_out(out, self.fmin(other));
}

inline Tensor copysign(const Tensor& self, const Tensor& other) { return self.copysign(other); }

inline Tensor copysign(const Tensor& self, const Scalar& other) { return self.copysign(other); }

inline Tensor addcmul(
    const Tensor& self, const Tensor& tensor1, const Tensor& tensor2,
    const Scalar& value = 1) {
  return self.addcmul(tensor1, tensor2, value);
}

inline Tensor addcdiv(
    const Tensor& self, const Tensor& tensor1, const Tensor& tensor2,
    const Scalar& value = 1) {
  return self.addcdiv(tensor1, tensor2, value);
}

inline Tensor lerp(const Tensor& self, const Tensor& end, const Scalar& weight) {
  return self.lerp(end, weight);
}

inline Tensor lerp(const Tensor& self, const Tensor& end, const Tensor& weight) {
  return self.lerp(end, weight);
}

inline Tensor divide(
    const Tensor& self, const Tensor& other, ::std::optional<::std::string_view> rounding_mode) {
  return self.div(other, rounding_mode);
}

inline Tensor divide(
    const Tensor& self, const Scalar& other, ::std::optional<::std::string_view> rounding_mode) {
  return self.div(other, rounding_mode);
}

inline Tensor& div_out(
    Tensor& out, const Tensor& self, const Tensor& other,
    ::std::optional<::std::string_view> rounding_mode) {
  return compat_detail::write_out(out, self.div(other, rounding_mode));
}

inline Tensor& fmod_out(Tensor& out, const Tensor& self, const Scalar& other) {
  return compat_detail::write_out(out, self.fmod(other));
}

inline Tensor& remainder_out(Tensor& out, const Tensor& self, const Scalar& other) {
  return compat_detail::write_out(out, self.remainder(other));
}

inline Tensor& pow_out(Tensor& out, const Scalar& self, const Tensor& exponent) {
  return compat_detail::write_out(out, at::pow(self, exponent));
}

}  // namespace at
