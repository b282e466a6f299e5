#pragma once
#include <ATen/Functions.h>
#include <ATen/core/ATen_fwd.h>

namespace torch::utils {

// All elements of the tensors one after the other.
inline at::Tensor flatten_dense_tensors(at::ArrayRef<at::Tensor> tensors) {
  std::vector<at::Tensor> flat;
  for (const auto& t : tensors) flat.push_back(t.contiguous().view({-1}));
  return at::cat(flat);
}

inline std::vector<at::Tensor> unflatten_dense_tensors(const at::Tensor& flat,
                                                       at::ArrayRef<at::Tensor> tensors) {
  std::vector<at::Tensor> parts;
  int64_t offset = 0;
  for (const auto& t : tensors) {
    parts.push_back(flat.narrow(0, offset, t.numel()).view(t.sizes()));
    offset += t.numel();
  }
  return parts;
}

}  // namespace torch::utils
