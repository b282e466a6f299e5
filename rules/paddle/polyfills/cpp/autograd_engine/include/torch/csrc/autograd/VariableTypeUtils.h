#pragma once

#include <ATen/core/TensorBody.h>

#include <vector>

namespace torch::autograd {

// The tensor was written to: what a backward pass saved of it is out of date.
inline void increment_version(const at::Tensor& written) {
  written._PD_GetInner().bump_inplace_version();
}

}  // namespace torch::autograd
