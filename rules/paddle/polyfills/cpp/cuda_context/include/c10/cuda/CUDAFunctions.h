#pragma once
#include <c10/core/Device.h>

#ifdef PADDLE_WITH_CUDA
#include <c10/cuda/CUDAException.h>
#include <cuda_runtime_api.h>
#include "paddle/phi/backends/gpu/gpu_info.h"
#endif

namespace c10::cuda {

inline DeviceIndex device_count() noexcept {
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess) (void)cudaGetLastError();
  return static_cast<DeviceIndex>(count);
}

inline DeviceIndex device_count_ensure_non_zero() {
  int count = 0;
  C10_CUDA_CHECK(cudaGetDeviceCount(&count));
  return static_cast<DeviceIndex>(count);
}

inline DeviceIndex current_device() {
  return static_cast<DeviceIndex>(phi::backends::gpu::GetCurrentDeviceId());
}

inline void set_device(DeviceIndex device, const bool force = false) {
  phi::backends::gpu::SetDeviceId(device);
}

inline cudaError_t GetDeviceCount(int* count) { return cudaGetDeviceCount(count); }

inline cudaError_t GetDevice(DeviceIndex* device) {
  int index = -1;
  const cudaError_t error = cudaGetDevice(&index);
  *device = static_cast<DeviceIndex>(index);
  return error;
}

inline cudaError_t SetDevice(DeviceIndex device, const bool force = false) {
  return cudaSetDevice(device);
}

inline cudaError_t MaybeSetDevice(DeviceIndex device) { return cudaSetDevice(device); }

// Gives the device that was current.
inline DeviceIndex ExchangeDevice(DeviceIndex device) {
  const int before = phi::backends::gpu::GetCurrentDeviceId();
  if (before != device) phi::backends::gpu::SetDeviceId(device);
  return static_cast<DeviceIndex>(before);
}

inline DeviceIndex MaybeExchangeDevice(DeviceIndex device) {
  const int before = phi::backends::gpu::GetCurrentDeviceId();
  if (before != device) phi::backends::gpu::SetDeviceId(device);
  return static_cast<DeviceIndex>(before);
}

inline void memcpy_and_sync(void* to, const void* from, int64_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  C10_CUDA_CHECK(cudaMemcpyAsync(to, from, bytes, kind, stream));
  C10_CUDA_CHECK(cudaStreamSynchronize(stream));
}

}  // namespace c10::cuda

namespace at::cuda {
using namespace c10::cuda;
}  // namespace at::cuda
