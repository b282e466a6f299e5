#pragma once

#include <porter_compat/eager.h>
#include <torch/csrc/autograd/variable.h>

namespace torch::autograd {

using Node = egr::GradNodeBase;

}  // namespace torch::autograd
