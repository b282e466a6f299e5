#pragma once

#include <ATen/core/Tensor.h>
#include <c10/cuda/CUDAFunctions.h>

namespace at::cuda {
// Whether all tensors are on the current device.
inline bool check_device(ArrayRef<Tensor> tensors) {
  const auto current = c10::cuda::current_device();
  for (const auto& tensor : tensors) {
    if (!tensor.is_cuda() || tensor.get_device() != current) return false;
  }
  return true;
}
}  // namespace at::cuda
