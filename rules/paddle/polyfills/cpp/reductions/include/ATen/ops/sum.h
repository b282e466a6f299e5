#pragma once

#include <ATen/core/Tensor.h>
#include <c10/util/OptionalArrayRef.h>
#include <porter_compat/promotion.h>

namespace at {

// instead of the one with: dtype.value_or(c10::get_default_dtype())
inline Tensor sum(const Tensor& self, ::std::optional<ScalarType> dtype = ::std::nullopt) {
  return self.sum(dtype);
}

// instead of the one with: dtype.value_or(c10::get_default_dtype())
inline Tensor sum(const Tensor& self, OptionalIntArrayRef dim, bool keepdim = false,
                  ::std::optional<ScalarType> dtype = ::std::nullopt) {
  return self.sum(dim, keepdim, dtype);
}

// instead of the one with: paddle::experimental::assign_out_(
inline Tensor& sum_out(Tensor& out, const Tensor& self, OptionalIntArrayRef dim,
                       bool keepdim = false,
                       ::std::optional<ScalarType> dtype = ::std::nullopt) {
  return compat_detail::write_out(out, self.sum(dim, keepdim, dtype.value_or(out.scalar_type())));
}

// instead of the one with: paddle::experimental::assign_out_(
inline Tensor& sum_out(Tensor& out, const Tensor& self,
                       ::std::optional<ScalarType> dtype = ::std::nullopt) {
  return compat_detail::write_out(out, self.sum(dtype.value_or(out.scalar_type())));
}

}  // namespace at
