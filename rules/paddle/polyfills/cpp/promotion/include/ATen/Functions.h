#pragma once

#include <ATen/core/Tensor.h>
#include <porter_compat/promotion.h>

namespace at {

inline ScalarType result_type(const Tensor& a, const Tensor& b) {
  return compat_detail::common_type(a, b);
}

inline ScalarType result_type(const Tensor& a, const Scalar& b) {
  return compat_detail::common_type(a, b);
}

inline ScalarType result_type(const Scalar& a, const Tensor& b) {
  return compat_detail::common_type(a, b);
}

inline ScalarType result_type(const Scalar& a, const Scalar& b) {
  return compat_detail::common_type(a, b);
}

inline ScalarType promote_types(ScalarType a, ScalarType b) { return c10::promoteTypes(a, b); }

inline bool can_cast(ScalarType from, ScalarType to) { return c10::canCast(from, to); }

}  // namespace at
