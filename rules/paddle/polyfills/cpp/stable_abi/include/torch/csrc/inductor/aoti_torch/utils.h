#pragma once
#include <torch/csrc/inductor/aoti_torch/c/shim.h>

#include <utility>

namespace torch::aot_inductor {

inline at::Tensor* tensor_handle_to_tensor_pointer(AtenTensorHandle handle) { return &handle->value; }

inline AtenTensorHandle new_tensor_handle(at::Tensor&& tensor) {
  return new AtenTensorOpaque{::std::move(tensor)};
}

}  // namespace torch::aot_inductor
