#pragma once
#include <ATen/cuda/CUDAContext.h>

#ifndef AT_APPLY_THREADS_PER_BLOCK
#define AT_APPLY_THREADS_PER_BLOCK 512
#endif

namespace at::cuda {

template <typename T>
__host__ __device__ inline T ATenCeilDiv(T a, T b) { return (a + b - 1) / b; }

// Fewer blocks than would fill the device four times.
template <int step = 1>
inline bool getApplyGrid(
    uint64_t totalElements, dim3& grid, c10::DeviceIndex device, int max_threads_per_block = 512) {
  if (device == -1) return false;
  const auto& properties = phi::backends::gpu::GetDeviceProperties(device);
  const uint64_t per_block = static_cast<uint64_t>(max_threads_per_block) * step;
  uint64_t blocks = (totalElements + per_block - 1) / per_block;
  const uint64_t limit = static_cast<uint64_t>(properties.multiProcessorCount) *
                         (properties.maxThreadsPerMultiProcessor / max_threads_per_block) * 4;
  grid = dim3(static_cast<unsigned>(blocks < limit ? blocks : limit));
  return true;
}

inline dim3 getApplyBlock(int max_threads_per_block = 512) { return dim3(max_threads_per_block); }

}  // namespace at::cuda
