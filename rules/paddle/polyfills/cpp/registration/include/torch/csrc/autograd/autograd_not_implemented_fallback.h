#pragma once
#include <porter_compat/operators.h>
#include <torch/library.h>

namespace torch::autograd {

// Leaves calls to the next key: Paddle records nothing of what the operator does.
inline torch::compat_detail::Fallthrough autogradNotImplementedFallback() { return {}; }

}  // namespace torch::autograd
