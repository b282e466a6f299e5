#pragma once
#include <c10/core/SymIntArrayRef.h>

namespace at {

// instead of the one with: compat::_PD_AtenScalarTypeToPhiDataType(options.dtype())
inline at::Tensor zeros_symint(c10::SymIntArrayRef size, at::TensorOptions options = {}) {
  return zeros(c10::IntArrayRef(size), options);
}

}  // namespace at
