// Defined in Paddle's library, which is a CPU build's, for the device that is there.
#pragma once
#include <c10/core/Device.h>
#include <cuda_runtime.h>

#include <cstdint>

namespace torch::cuda {
inline c10::DeviceIndex device_count() { return 1; }
inline bool is_available() { return true; }
inline void synchronize(int64_t device_index = -1) { PADDLE_ENFORCE_GPU_SUCCESS(cudaDeviceSynchronize()); }
}  // namespace torch::cuda

namespace at::cuda {
using torch::cuda::device_count;
using torch::cuda::is_available;
using torch::cuda::synchronize;
}  // namespace at::cuda
