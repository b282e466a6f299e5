#pragma once
#include <ATen/core/Tensor.h>

namespace at {

// instead of the one with: paddle::experimental::abs(self._PD_GetInner())
inline at::Tensor abs(const at::Tensor& self) { return self.abs(); }

}  // namespace at
