#pragma once
#include <c10/util/Exception.h>

#include <cstdint>
#include <limits>

#ifdef PADDLE_WITH_CUDA  // CUDA_KERNEL_LOOP and CUDA_KERNEL_LOOP_TYPE
#include "paddle/phi/backends/gpu/gpu_helper.h"
#endif

namespace at::cuda::detail {

constexpr int CUDA_NUM_THREADS = 1024;

inline int GET_BLOCKS(const int64_t N, const int64_t max_threads_per_block = 1024) {
  if (N <= 0) PD_THROW("CUDA kernel launch blocks must be positive, but got N=", N);
  const int64_t blocks = (N - 1) / max_threads_per_block + 1;
  if (blocks > ::std::numeric_limits<int>::max()) PD_THROW("too many blocks for N=", N);
  return static_cast<int>(blocks);
}

}  // namespace at::cuda::detail
