#pragma once
#include <c10/core/Device.h>

#include <optional>

#include "paddle/phi/backends/device_manager.h"

#ifdef PADDLE_WITH_CUDA
#include "paddle/phi/backends/gpu/gpu_info.h"
#endif

namespace c10 {

// Makes a device current until the end of the scope; of the CPU there is one only.
class OptionalDeviceGuard {
 public:
  OptionalDeviceGuard() = default;
  explicit OptionalDeviceGuard(Device device) { reset_device(device); }
  explicit OptionalDeviceGuard(::std::optional<Device> device) {
    if (device.has_value()) reset_device(*device);
  }
  OptionalDeviceGuard(const OptionalDeviceGuard&) = delete;
  OptionalDeviceGuard& operator=(const OptionalDeviceGuard&) = delete;
  ~OptionalDeviceGuard() {
    if (original_) set(*original_);
  }

  void reset_device(Device device) {
    if (!original_) original_ = now(device);
    set(*(current_ = device));
  }

  ::std::optional<Device> original_device() const { return original_; }
  ::std::optional<Device> current_device() const { return current_; }

 private:
  static Device now([[maybe_unused]] Device like) {
    if (like.type() == kCUSTOM) {
      const auto type = like._PD_GetInner().GetDeviceType();
      const int index = phi::DeviceManager::GetDevice(type);
      return Device(phi::Place(phi::CustomPlace(type, static_cast<int8_t>(index))));
    }
#ifdef PADDLE_WITH_CUDA
    if (!like.is_cpu()) return Device(kCUDA, phi::backends::gpu::GetCurrentDeviceId());
#endif
    return like;
  }

  static void set([[maybe_unused]] Device device) {
    if (device.type() == kCUSTOM) phi::DeviceManager::SetDevice(device._PD_GetInner());
#ifdef PADDLE_WITH_CUDA
    if (!device.is_cpu()) phi::backends::gpu::SetDeviceId(device.index());
#endif
  }

  ::std::optional<Device> original_;
  ::std::optional<Device> current_;
};

// The same with a device from the beginning.
class DeviceGuard {
 public:
  explicit DeviceGuard(Device device) : guard_(device) {}

  void reset_device(Device device) { guard_.reset_device(device); }
  void set_index(DeviceIndex index) { guard_.reset_device(Device(current_device().type(), index)); }
  Device original_device() const { return *guard_.original_device(); }
  Device current_device() const { return *guard_.current_device(); }

 private:
  OptionalDeviceGuard guard_;
};

}  // namespace c10

namespace at {

using DeviceGuard = c10::DeviceGuard;

using OptionalDeviceGuard = c10::OptionalDeviceGuard;

}  // namespace at

namespace torch {

using DeviceGuard = c10::DeviceGuard;

using OptionalDeviceGuard = c10::OptionalDeviceGuard;

}  // namespace torch
