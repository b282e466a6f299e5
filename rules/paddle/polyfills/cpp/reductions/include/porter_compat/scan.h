// Running totals of Paddle with the result types of torch.
#pragma once

#include <porter_compat/recorded.h>
#include <porter_compat/reduce.h>

namespace at::compat_detail {

// Running sums or products.
inline paddle::Tensor running(const paddle::Tensor& x, int64_t dim, phi::DataType type, bool sums) {
  const auto axis = wrapped(dim, x.dims().size());
  auto wide = as(x, summing_type(type));
  if (x.dims().size() == 0) return as(paddle::recorded::assign(wide), type);
  return as(sums ? paddle::recorded::cumsum(wide, axis, false, false, false)
                      : paddle::recorded::cumprod(wide, static_cast<int>(axis), false, false),
                 type);
}

inline std::tuple<paddle::Tensor, paddle::Tensor> running_extreme(const paddle::Tensor& x,
                                                                  int64_t dim, bool largest) {
  const auto axis = static_cast<int>(wrapped(dim, x.dims().size()));
  if (x.dims().size() == 0) return alone(x);
  auto [values, index] = largest ? paddle::recorded::cummax(widened(x), axis, phi::DataType::INT64)
                                 : paddle::recorded::cummin(widened(x), axis, phi::DataType::INT64);
  return {as(values, x.dtype()), index};
}

}  // namespace at::compat_detail
