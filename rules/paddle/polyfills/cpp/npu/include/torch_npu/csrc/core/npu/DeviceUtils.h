#pragma once
#include <ATen/core/Tensor.h>

namespace torch_npu::utils {

inline bool is_npu(const at::Tensor& tensor) { return tensor._PD_GetInner().is_custom_device(); }

inline bool is_npu(const at::Device& device) { return device.type() == c10::kCUSTOM; }

}  // namespace torch_npu::utils
