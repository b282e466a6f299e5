#pragma once
#include <torch/csrc/stable/device.h>
#include <torch/headeronly/util/Exception.h>

#ifdef PADDLE_WITH_CUDA
#include <c10/cuda/CUDAStream.h>
#endif

namespace torch::stable::accelerator {

using StreamId = int64_t;

inline DeviceIndex getCurrentDeviceIndex() {
#ifdef PADDLE_WITH_CUDA
  return phi::backends::gpu::GetCurrentDeviceId();
#else
  STD_TORCH_CHECK(false, "Cannot access accelerator device when none is available.");
  return -1;
#endif
}

// Makes a device current until the end of the scope.
class DeviceGuard {
 public:
  DeviceGuard() = delete;
  explicit DeviceGuard(DeviceIndex index) : before_(getCurrentDeviceIndex()) { set_index(index); }
  DeviceGuard(const DeviceGuard&) = delete;
  DeviceGuard& operator=(const DeviceGuard&) = delete;
  ~DeviceGuard() { set_index(before_); }

  void set_index([[maybe_unused]] DeviceIndex index) {
#ifdef PADDLE_WITH_CUDA
    phi::backends::gpu::SetDeviceId(index);
#endif
  }

 private:
  DeviceIndex before_;
};

class Stream {
 public:
  explicit Stream(StreamId id) : id_(id) {}
  StreamId id() const { return id_; }

 private:
  StreamId id_;
};

inline Stream getCurrentStream([[maybe_unused]] DeviceIndex index) {
#ifdef PADDLE_WITH_CUDA
  return Stream(c10::cuda::getCurrentCUDAStream(static_cast<c10::DeviceIndex>(index)).id());
#else
  STD_TORCH_CHECK(false, "Cannot access accelerator device when none is available.");
  return Stream(0);
#endif
}

}  // namespace torch::stable::accelerator
