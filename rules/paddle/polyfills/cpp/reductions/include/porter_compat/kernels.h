// What calls of Paddle's kernels have in common.
#pragma once

#include <c10/core/Scalar.h>
#include <c10/core/ScalarType.h>
#include <c10/util/ArrayRef.h>
#include <c10/util/Exception.h>
#include <c10/util/OptionalArrayRef.h>
#include <porter_compat/promotion.h>
#include <porter_compat/strides.h>
#include <utils/scalar_type_conversion.h>

#include <algorithm>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "paddle/phi/api/include/api.h"

namespace at::compat_detail {

// The axes to reduce over: all if none is given.
inline std::vector<int64_t> axes_of(c10::OptionalArrayRef<int64_t> axes, int64_t rank) {
  std::vector<int64_t> found;
  for (int64_t axis : axes.value_or(c10::ArrayRef<int64_t>())) {
    found.push_back(wrapped(axis, rank));
    check(std::count(found.begin(), found.end(), found.back()) == 1,
          "a dim appears multiple times in the list of dims");
  }
  for (int64_t axis = 0; found.size() < size_t(rank) && axis < rank && (!axes || axes->empty());
       ++axis) {
    found.push_back(axis);
  }
  return rank == 0 ? std::vector<int64_t>() : found;
}

inline bool is_integer(phi::DataType type) {
  return c10::isIntegralType(compat::_PD_PhiDataTypeToAtenScalarType(type), true);
}

inline bool is_half(phi::DataType type) {
  return type == phi::DataType::FLOAT16 || type == phi::DataType::BFLOAT16;
}

// In a type that every kernel has: small integers as int32, halves as float32.
inline paddle::Tensor widened(const paddle::Tensor& x) {
  const bool large = x.dtype() == phi::DataType::INT64 || x.dtype() == phi::DataType::INT32;
  if (is_half(x.dtype())) return as(x, phi::DataType::FLOAT32);
  return large || !is_integer(x.dtype()) ? x : as(x, phi::DataType::INT32);
}

// A result in the order of dimensions of the tensor that it was computed from.
inline paddle::Tensor laid_out_as(const paddle::Tensor& x, const paddle::Tensor& result) {
  const auto strides = like_strides(x);
  if (strides == strides_of(result)) return result;
  auto ordered = allocated(result.shape(), strides, result.dtype(), result.place());
  copy_into(ordered, result);
  return ordered;
}

}  // namespace at::compat_detail
