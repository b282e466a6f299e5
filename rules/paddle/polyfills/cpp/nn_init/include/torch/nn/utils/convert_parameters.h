#pragma once

#include <ATen/Functions.h>
#include <ATen/core/Tensor.h>
#include <torch/types.h>

#include <vector>

namespace torch::nn::utils {

inline Tensor parameters_to_vector(const std::vector<Tensor>& parameters) {
  std::vector<Tensor> parts;
  for (const auto& parameter : parameters) parts.push_back(parameter.view({-1}));
  return at::cat(parts);
}

inline void vector_to_parameters(const Tensor& vec, const std::vector<Tensor>& parameters) {
  int64_t start = 0;
  for (const auto& parameter : parameters) {
    const auto end = start + parameter.numel();
    parameter.set_data(vec.slice(0, start, end).view(parameter.sizes()).detach());
    start = end;
  }
}

}  // namespace torch::nn::utils
