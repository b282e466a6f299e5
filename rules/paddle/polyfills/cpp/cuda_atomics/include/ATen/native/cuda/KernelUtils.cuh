#pragma once
#include <ATen/cuda/Atomic.cuh>

namespace at::native {

// `fast` would let two halves be added at once: not done here.
template <class scalar_t, class index_t>
__device__ inline void fastAtomicAdd(
    scalar_t* tensor, index_t index, const index_t numel, scalar_t value, bool fast) {
  atomicAdd(tensor + index, value);
}

template <class scalar_t, class index_t>
__device__ inline void fastSpecializedAtomicAdd(
    scalar_t* tensor, index_t index, const index_t numel, scalar_t value) {
  atomicAdd(tensor + index, value);
}

}  // namespace at::native
