#pragma once

#include <porter_compat/eager.h>
#include <torch/csrc/autograd/variable.h>

#include <optional>
#include <stdexcept>
#include <vector>

namespace torch::autograd::compat_detail {

inline std::vector<paddle::Tensor> inner(const variable_list& tensors) {
  std::vector<paddle::Tensor> found;
  for (const auto& tensor : tensors) found.push_back(tensor._PD_GetInner());
  return found;
}

}  // namespace torch::autograd::compat_detail

namespace torch::autograd {

inline variable_list grad(
    const variable_list& outputs, const variable_list& inputs,
    const variable_list& grad_outputs = {}, std::optional<bool> retain_graph = std::nullopt,
    bool create_graph = false, bool allow_unused = false) {
  const auto from = compat_detail::inner(outputs);
  const auto given =
      at::compat_detail::gradients_of(from, compat_detail::inner(grad_outputs));
  const auto found = egr::Grad(
      from, compat_detail::inner(inputs), given, retain_graph.value_or(create_graph), create_graph,
      true, allow_unused, {}, "");
  return variable_list(found.begin(), found.end());
}

inline void backward(
    const variable_list& tensors, const variable_list& grad_tensors = {},
    std::optional<bool> retain_graph = std::nullopt, bool create_graph = false,
    const variable_list& inputs = {}) {
  if (create_graph || !inputs.empty()) {
    throw std::runtime_error("backward() with create_graph or inputs: use autograd::grad");
  }
  const auto from = compat_detail::inner(tensors);
  const auto given =
      at::compat_detail::gradients_of(from, compat_detail::inner(grad_tensors));
  egr::Backward(from, given, retain_graph.value_or(false), "");
}

}  // namespace torch::autograd
