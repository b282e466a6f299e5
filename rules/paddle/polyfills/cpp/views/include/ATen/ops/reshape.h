#pragma once
#include <ATen/core/Tensor.h>
#include <c10/core/SymIntArrayRef.h>

namespace at {

// instead of the one with: paddle::experimental::reshape(self._PD_GetInner()
inline at::Tensor reshape(const at::Tensor& self, at::IntArrayRef shape) {
  return self.reshape(shape);
}

// instead of the one with: paddle::experimental::reshape(self._PD_GetInner()
inline at::Tensor reshape_symint(const at::Tensor& self, c10::SymIntArrayRef shape) {
  return self.reshape(shape);
}

}  // namespace at
