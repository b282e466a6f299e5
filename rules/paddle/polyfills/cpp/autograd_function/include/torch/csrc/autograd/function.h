#pragma once

#include <porter_compat/eager.h>
#include <torch/csrc/autograd/variable.h>

namespace torch::autograd {

using Node = egr::GradNodeBase;

inline bool any_variable_requires_grad(const variable_list& variables) {
  for (const auto& one : variables) {
    if (one.defined() && one.requires_grad()) return true;
  }
  return false;
}

}  // namespace torch::autograd
