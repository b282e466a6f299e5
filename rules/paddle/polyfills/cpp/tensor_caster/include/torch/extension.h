// Paddle's torch/extension.h, and the caster of at::Tensor that it lacks in CPU builds.
#pragma once

#include_next <torch/extension.h>

#include <porter_compat/tensor_caster.h>
