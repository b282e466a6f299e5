#pragma once
#include <c10/core/Stream.h>
#include <c10/cuda/CUDAException.h>
#include "paddle/phi/backends/context_pool.h"
#include "paddle/phi/core/memory/allocation/allocator_facade.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <map>
#include <mutex>
#include <tuple>
#include <vector>

#ifdef getDefaultCUDAStream  // a macro that ends in a semicolon
#undef getDefaultCUDAStream
#endif

namespace c10::cuda {

// extends
class CUDAStream {
  explicit CUDAStream(Stream stream) : raw_stream_(reinterpret_cast<gpuStream_t>(stream.id())) {}

  // Of the null stream, and where CUDA cannot tell, the current device.
  DeviceIndex device_index() const {
    int device = phi::backends::gpu::GetCurrentDeviceId();
#if CUDART_VERSION >= 12080
    if (raw_stream_ != nullptr) C10_CUDA_CHECK(cudaStreamGetDevice(raw_stream_, &device));
#else
    for (int other = 0; other < phi::backends::gpu::GetGPUDeviceCount(); ++other) {
      const auto* current = paddle::GetCurrentCUDAStream(phi::GPUPlace(other));
      if (current->raw_stream() == raw_stream_) device = other;
    }
#endif
    return static_cast<DeviceIndex>(device);
  }

  Device device() const { return Device(kCUDA, device_index()); }

  Stream unwrap() const { return Stream(Stream::UNSAFE, Device(kCUDA, device_index()), id()); }

  operator Stream() const { return Stream(Stream::UNSAFE, Device(kCUDA, device_index()), id()); }

  // Whether all work on it is done.
  bool query() const {
    const auto result = cudaStreamQuery(raw_stream_);
    if (result == cudaSuccess) return true;
    if (result != cudaErrorNotReady) C10_CUDA_CHECK(result);
    (void)cudaGetLastError();
    return false;
  }

  void synchronize() const { C10_CUDA_CHECK(cudaStreamSynchronize(raw_stream_)); }

  int priority() const {
    int priority = 0;
    C10_CUDA_CHECK(cudaStreamGetPriority(raw_stream_, &priority));
    return priority;
  }

  bool is_capturing() const {
    cudaStreamCaptureStatus status{};
    C10_CUDA_CHECK(cudaStreamIsCapturing(raw_stream_, &status));
    return status != cudaStreamCaptureStatusNone;
  }

  // Lowest and highest.
  static ::std::tuple<int, int> priority_range() {
    int least = 0, greatest = 0;
    C10_CUDA_CHECK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    return {least, greatest};
  }
};

// A stream of 32 per device and priority, given out in turn.
inline CUDAStream getStreamFromPool(const int priority, DeviceIndex device = -1) {
  static ::std::mutex mutex;
  static ::std::map<::std::pair<int, int>, ::std::pair<unsigned, ::std::array<gpuStream_t, 32>>> pools;
  const int index = device == -1 ? phi::backends::gpu::GetCurrentDeviceId() : device;
  const ::std::lock_guard<::std::mutex> lock(mutex);
  auto& [next, pool] = pools[{index, priority}];
  gpuStream_t& stream = pool[next++ % pool.size()];
  if (stream == nullptr) {
    const phi::backends::gpu::GPUDeviceGuard guard(index);
    C10_CUDA_CHECK(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, priority));
  }
  return CUDAStream(stream);
}

inline CUDAStream getStreamFromPool(const bool isHighPriority = false, DeviceIndex device = -1) {
  int least = 0, greatest = 0;
  if (isHighPriority) C10_CUDA_CHECK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  return getStreamFromPool(greatest, device);
}

inline CUDAStream getStreamFromExternal(gpuStream_t stream, DeviceIndex device) {
  return CUDAStream(stream);
}

inline CUDAStream getDefaultCUDAStream(DeviceIndex device = -1) {
  return CUDAStream(static_cast<gpuStream_t>(nullptr));
}

// For the process, not only for this thread; memory is allocated for the stream too.
inline void setCurrentCUDAStream(CUDAStream stream) {
  static ::std::mutex mutex;
  static auto& streams = *new ::std::map<gpuStream_t, phi::CUDAStream*>;
  const gpuStream_t raw = stream.stream();
  const phi::GPUPlace place(stream.device_index());
  const ::std::lock_guard<::std::mutex> lock(mutex);
  auto*& known = streams[raw];
  if (known == nullptr) {
    known = new phi::CUDAStream(place, phi::Stream(reinterpret_cast<phi::StreamId>(raw)));
  }
  auto* context = static_cast<phi::GPUContext*>(phi::DeviceContextPool::Instance().Get(place));
  context->SetCUDAStream(known, /*clear=*/false);
  auto& allocators = paddle::memory::allocation::AllocatorFacade::Instance();
  context->SetAllocator(allocators.GetAllocator(place, raw).get());
}

inline ::std::ostream& operator<<(::std::ostream& out, const CUDAStream& stream) {
  return out << stream.unwrap();
}

}  // namespace c10::cuda

namespace at::cuda {
using namespace c10::cuda;
}  // namespace at::cuda

namespace torch::cuda {
using namespace c10::cuda;
}  // namespace torch::cuda
