// A pybind11 caster of at::Tensor where Paddle has none: in CPU builds.
#pragma once

#include <ATen/core/TensorBody.h>

#if !defined(PADDLE_ON_INFERENCE) && !defined(PADDLE_NO_PYTHON)
#include "paddle/utils/pybind.h"
#include <pybind11/stl.h>

#include <type_traits>

namespace pybind11::detail {

// Partial on purpose: a caster that Paddle declares for at::Tensor itself is preferred.
template <typename T>
struct type_caster<T, std::enable_if_t<std::is_same_v<T, at::Tensor>>> {
  PYBIND11_TYPE_CASTER(at::Tensor, const_name("torch.Tensor"));

  bool load(handle source, bool convert) {
    make_caster<paddle::Tensor> inner;
    if (!inner.load(source, convert)) {
      return false;
    }
    value = at::Tensor(cast_op<paddle::Tensor&>(inner));
    return true;
  }

  static handle cast(const at::Tensor& source, return_value_policy policy, handle parent) {
    return make_caster<paddle::Tensor>::cast(source._PD_GetInner(), policy, parent);
  }
};

}  // namespace pybind11::detail
#endif
