#pragma once
#include <c10/cuda/CUDAStream.h>

#include <optional>

namespace at::cuda {

// A CUDA event, made on the device of the stream where it is first recorded.
class CUDAEvent {
 public:
  CUDAEvent() noexcept = default;
  explicit CUDAEvent(unsigned int flags) noexcept : flags_(flags) {}
  CUDAEvent(const CUDAEvent&) = delete;
  CUDAEvent& operator=(const CUDAEvent&) = delete;
  CUDAEvent(CUDAEvent&& other) noexcept { swap(other); }
  CUDAEvent& operator=(CUDAEvent&& other) noexcept {
    swap(other);
    return *this;
  }
  ~CUDAEvent() {
    if (event_ != nullptr) (void)cudaEventDestroy(event_);
  }

  operator cudaEvent_t() const { return event_; }
  cudaEvent_t event() const { return event_; }
  bool isCreated() const { return event_ != nullptr; }
  c10::DeviceIndex device_index() const { return device_; }
  ::std::optional<c10::Device> device() const {
    return isCreated() ? ::std::make_optional(c10::Device(c10::kCUDA, device_)) : ::std::nullopt;
  }

  bool query() const {
    if (!isCreated()) return true;
    const auto result = cudaEventQuery(event_);
    if (result == cudaSuccess) return true;
    if (result != cudaErrorNotReady) C10_CUDA_CHECK(result);
    (void)cudaGetLastError();
    return false;
  }

  void record() { record(getCurrentCUDAStream()); }
  void record(const CUDAStream& stream) {
    const c10::DeviceIndex device = stream.device_index();
    const phi::backends::gpu::GPUDeviceGuard guard(device);
    if (!isCreated()) {
      device_ = device;
      C10_CUDA_CHECK(cudaEventCreateWithFlags(&event_, flags_));
    }
    C10_CUDA_CHECK(cudaEventRecord(event_, stream));
    recorded_ = true;
  }
  void recordOnce(const CUDAStream& stream) {
    if (!recorded_) record(stream);
  }

  // Later work on the stream waits for it.
  void block(const CUDAStream& stream) {
    if (isCreated()) C10_CUDA_CHECK(cudaStreamWaitEvent(stream, event_, 0));
  }

  void synchronize() const {
    if (isCreated()) C10_CUDA_CHECK(cudaEventSynchronize(event_));
  }

  // Milliseconds; both need the flag cudaEventDefault.
  float elapsed_time(const CUDAEvent& other) const {
    float milliseconds = 0;
    C10_CUDA_CHECK(cudaEventElapsedTime(&milliseconds, event_, other.event_));
    return milliseconds;
  }

 private:
  void swap(CUDAEvent& other) {
    ::std::swap(flags_, other.flags_);
    ::std::swap(recorded_, other.recorded_);
    ::std::swap(device_, other.device_);
    ::std::swap(event_, other.event_);
  }

  unsigned int flags_ = cudaEventDisableTiming;
  bool recorded_ = false;
  c10::DeviceIndex device_ = -1;
  cudaEvent_t event_ = nullptr;
};

}  // namespace at::cuda
