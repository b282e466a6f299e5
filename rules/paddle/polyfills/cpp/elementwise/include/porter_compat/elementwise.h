#pragma once

#include <porter_compat/promotion.h>
#include <porter_compat/python_calls.h>
#include <porter_compat/unary.h>

namespace at::compat_detail {

// A function of whole numbers, in Python and in int64.
inline paddle::Tensor whole(const char* function, const TensorBase& a, const TensorBase& b) {
  const auto type = not_bool(common_type(a, b));
  check(c10::isIntegralType(type, false), "not implemented for this dtype");
  const TensorBase x(as(a._PD_GetInner(), kLong)), y(as(b._PD_GetInner(), kLong));
  return as(python(function, x, y), type);
}

}  // namespace at::compat_detail
