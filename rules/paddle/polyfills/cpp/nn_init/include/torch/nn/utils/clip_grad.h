#pragma once

#include <ATen/Functions.h>
#include <ATen/core/Tensor.h>
#include <c10/core/GradMode.h>
#include <torch/types.h>

#include <cmath>
#include <vector>

namespace torch::nn::utils {

inline double clip_grad_norm_(
    const std::vector<Tensor>& parameters, double max_norm, double norm_type = 2.0,
    bool error_if_nonfinite = false) {
  NoGradGuard none;
  std::vector<Tensor> gradients, norms;
  for (const auto& parameter : parameters) {
    if (!parameter.grad().defined()) continue;
    gradients.push_back(parameter.grad());
    norms.push_back(
        std::isinf(norm_type) ? gradients.back().abs().max() : gradients.back().norm(norm_type));
  }
  if (gradients.empty()) return 0;
  const auto all = at::stack(norms);
  const auto norm = norm_type == 0 ? at::full({}, double(norms.size()), all.options()) :
      std::isinf(norm_type) ? all.max() : all.norm(norm_type);
  const auto total = norm.item<double>();
  TORCH_CHECK(
      !error_if_nonfinite || std::isfinite(total), "The total norm of order ", norm_type,
      " for gradients from `parameters` is non-finite, so it cannot be clipped. To disable this "
      "error and scale the gradients with the non-finite norm anyway, set "
      "`error_if_nonfinite=false`");
  const auto factor = (max_norm / (norm + 1e-6)).clamp_max(1.0);
  for (auto& gradient : gradients) gradient.mul_(factor);
  return total;
}

inline double clip_grad_norm_(
    const Tensor& parameter, double max_norm, double norm_type = 2.0,
    bool error_if_nonfinite = false) {
  return clip_grad_norm_(std::vector<Tensor>{parameter}, max_norm, norm_type, error_if_nonfinite);
}

inline void clip_grad_value_(const std::vector<Tensor>& parameters, double clip_value) {
  NoGradGuard none;
  for (const auto& parameter : parameters) {
    if (parameter.grad().defined()) parameter.mutable_grad().clamp_(-clip_value, clip_value);
  }
}

inline void clip_grad_value_(const Tensor& parameter, double clip_value) {
  clip_grad_value_(std::vector<Tensor>{parameter}, clip_value);
}

}  // namespace torch::nn::utils
