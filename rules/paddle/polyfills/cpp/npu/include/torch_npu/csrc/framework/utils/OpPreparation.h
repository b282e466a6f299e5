#pragma once
#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>

namespace at_npu::native {

// New tensors of which only the size is known: as torch's, Paddle's have no private formats.
class OpPreparation {
 public:
  static at::Tensor apply_tensor_without_format(const at::Tensor& like) {
    return at::empty(like.sizes(), like.options());
  }
  static at::Tensor apply_tensor_without_format(const at::Tensor& like, at::IntArrayRef sizes) {
    return at::empty(sizes, like.options());
  }
  static at::Tensor apply_tensor_without_format(at::IntArrayRef sizes,
                                                const at::TensorOptions& options) {
    return at::empty(sizes, options);
  }
};

}  // namespace at_npu::native
