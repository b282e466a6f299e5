#pragma once
#include <ATen/core/TensorBody.h>
#include <c10/core/WrapDimMinimal.h>

namespace at {

inline int64_t maybe_wrap_dim(int64_t dim, const Tensor& tensor) {
  return ::c10::maybe_wrap_dim(dim, tensor.dim());
}

inline int64_t maybe_wrap_dim(int64_t dim, int64_t dims, bool wrap_scalar = true) {
  return ::c10::maybe_wrap_dim(dim, dims, wrap_scalar);
}

inline int64_t maybe_wrap_dim(int64_t dim, ArrayRef<Tensor> tensors) {
  return tensors.empty() ? dim : maybe_wrap_dim(dim, tensors[0].dim());
}

template <typename Container>
void maybe_wrap_dims(Container& dims, int64_t all, bool wrap_scalar = true) {
  for (auto& dim : dims) dim = ::c10::maybe_wrap_dim(dim, all, wrap_scalar);
}

}  // namespace at
