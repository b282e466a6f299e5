#pragma once

#include <porter_compat/recorded.h>
#include <ATen/core/Tensor.h>
#include <c10/util/complex.h>
#include <c10/util/Exception.h>

#include "paddle/phi/api/include/api.h"

namespace c10 {

// at::complex(real, imag), a function of torch, where at::complex is a class template.
template <>
struct complex<at::Tensor> : at::Tensor {
  complex(const at::Tensor& real, const at::Tensor& imag) : at::Tensor(made(real, imag)) {}

 private:
  static paddle::Tensor made(const at::Tensor& real, const at::Tensor& imag) {
    const auto type = real.scalar_type();
    TORCH_CHECK(type == imag.scalar_type(), "complex: expected one dtype");
    TORCH_CHECK(type == at::kFloat || type == at::kDouble, "complex: expected float or double");
    return paddle::recorded::complex(real._PD_GetInner(), imag._PD_GetInner());
  }
};

}  // namespace c10
