#pragma once
#include <porter_compat/joined.h>

namespace at {

// instead of the one with: paddle::experimental::concat(pd_tensors, dim)
inline at::Tensor cat(const std::vector<at::Tensor>& tensors, int64_t dim = 0) {
  return compat_detail::joined(tensors, dim);
}

template <class List, class = std::enable_if_t<std::is_same_v<List, ArrayRef<Tensor>>>>
Tensor cat(const List& tensors, int64_t dim = 0) {
  return compat_detail::joined(tensors, dim);
}

}  // namespace at

namespace torch {
using at::cat;
}  // namespace torch
