// Running totals of Paddle with the result types of torch.
#pragma once

#include <porter_compat/reduce.h>

namespace at::compat_detail {

// Running sums or products.
inline paddle::Tensor running(const paddle::Tensor& x, int64_t dim, phi::DataType type, bool sums) {
  const auto axis = wrapped(dim, x.dims().size());
  auto wide = as(x, summing_type(type));
  if (x.dims().size() == 0) return as(paddle::experimental::assign(wide), type);
  return as(sums ? paddle::experimental::cumsum(wide, axis)
                      : paddle::experimental::cumprod(wide, static_cast<int>(axis)),
                 type);
}

inline std::tuple<paddle::Tensor, paddle::Tensor> running_extreme(const paddle::Tensor& x,
                                                                  int64_t dim, bool largest) {
  const auto axis = static_cast<int>(wrapped(dim, x.dims().size()));
  if (x.dims().size() == 0) return alone(x);
  auto [values, index] = largest ? paddle::experimental::cummax(widened(x), axis)
                                 : paddle::experimental::cummin(widened(x), axis);
  return {as(values, x.dtype()), index};
}

}  // namespace at::compat_detail
