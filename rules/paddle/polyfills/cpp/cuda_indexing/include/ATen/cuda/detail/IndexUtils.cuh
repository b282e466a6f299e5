#pragma once
#include <ATen/core/TensorBase.h>
#include <ATen/cuda/detail/TensorInfo.cuh>

#include <limits>

namespace at::cuda::detail {

// Whether 32 bits hold the offset of every element.
inline bool canUse32BitIndexMath(
    const at::TensorBase& t, int64_t max_elem = ::std::numeric_limits<int32_t>::max()) {
  int64_t last = 0;
  if (t.numel() >= max_elem) return t.numel() == 0 && max_elem > 0;
  if (t.numel() == 0) return true;
  for (int64_t i = 0; i < t.dim(); ++i) last += (t.size(i) - 1) * t.stride(i);
  return last < max_elem;
}

template <typename scalar, typename IndexType>
TensorInfo<scalar, IndexType> getTensorInfo(const at::TensorBase& t) {
  IndexType sizes[MAX_TENSORINFO_DIMS], strides[MAX_TENSORINFO_DIMS];
  const int dims = static_cast<int>(t.dim());
  for (int i = 0; i < dims; ++i) {
    sizes[i] = static_cast<IndexType>(t.size(i));
    strides[i] = static_cast<IndexType>(t.stride(i));
  }
  auto* data = static_cast<scalar*>(const_cast<void*>(t.data_ptr()));
  return TensorInfo<scalar, IndexType>(data, dims, sizes, strides);
}

}  // namespace at::cuda::detail
