#pragma once

#include <ATen/core/Tensor.h>

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

}  // namespace at
