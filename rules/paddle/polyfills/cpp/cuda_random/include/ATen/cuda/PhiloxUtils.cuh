#pragma once
#include <c10/cuda/PhiloxCudaState.h>

#include <tuple>

namespace at::cuda::philox {

// Seed and offset, on the host or in a kernel.
__host__ __device__ inline ::std::tuple<uint64_t, uint64_t> unpack(at::PhiloxCudaState state) {
  if (state.captured_) {
    return ::std::make_tuple(static_cast<uint64_t>(*state.seed_.ptr),
                             static_cast<uint64_t>(*state.offset_.ptr + state.offset_intragraph_));
  }
  return ::std::make_tuple(state.seed_.val, state.offset_.val);
}

}  // namespace at::cuda::philox
