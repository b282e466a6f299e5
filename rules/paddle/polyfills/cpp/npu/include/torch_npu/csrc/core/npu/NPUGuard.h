#pragma once
#include <c10/core/DeviceGuard.h>
#include <torch_npu/csrc/core/npu/NPUStream.h>

#include <optional>

namespace c10_npu {

// Makes an NPU current until the end of the scope.
class NPUGuard {
 public:
  explicit NPUGuard(c10::DeviceIndex index)
      : guard_(c10::Device(phi::Place(compat_detail::place_of(index)))) {}
  explicit NPUGuard(c10::Device device) : guard_(device) {
    TORCH_CHECK(device.type() == c10::kCUSTOM, "NPUGuard: no device npu");
  }

  void set_device(c10::Device device) { guard_.reset_device(device); }
  void reset_device(c10::Device device) { guard_.reset_device(device); }
  void set_index(c10::DeviceIndex index) {
    guard_.reset_device(c10::Device(phi::Place(compat_detail::place_of(index))));
  }
  c10::Device original_device() const { return guard_.original_device(); }
  c10::Device current_device() const { return guard_.current_device(); }

 private:
  c10::DeviceGuard guard_;
};

// A NPUGuard once it has a device.
class OptionalNPUGuard {
 public:
  OptionalNPUGuard() = default;
  explicit OptionalNPUGuard(::std::optional<c10::Device> device) {
    if (device.has_value()) set_device(*device);
  }
  explicit OptionalNPUGuard(c10::DeviceIndex index) { set_index(index); }

  void set_device(c10::Device device) { guard_.reset_device(device); }
  void reset_device(c10::Device device) { guard_.reset_device(device); }
  void set_index(c10::DeviceIndex index) {
    guard_.reset_device(c10::Device(phi::Place(compat_detail::place_of(index))));
  }
  ::std::optional<c10::Device> original_device() const { return guard_.original_device(); }
  ::std::optional<c10::Device> current_device() const { return guard_.current_device(); }

 private:
  c10::OptionalDeviceGuard guard_;
};

// Makes a stream and its device current until the end of the scope.
class NPUStreamGuard {
 public:
  explicit NPUStreamGuard(c10::Stream stream)
      : guard_(stream.device()), before_(getCurrentNPUStream()), current_(stream) {
    setCurrentNPUStream(current_);
  }
  NPUStreamGuard(const NPUStreamGuard&) = delete;
  NPUStreamGuard& operator=(const NPUStreamGuard&) = delete;
  ~NPUStreamGuard() { setCurrentNPUStream(before_); }

  NPUStream original_stream() const { return before_; }
  NPUStream current_stream() const { return current_; }

 private:
  NPUGuard guard_;
  NPUStream before_;
  NPUStream current_;
};

}  // namespace c10_npu
