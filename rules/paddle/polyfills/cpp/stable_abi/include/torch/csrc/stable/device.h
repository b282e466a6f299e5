#pragma once
#include <c10/core/Device.h>
#include <torch/headeronly/core/DeviceType.h>

#include <cstdint>
#include <string>

namespace torch::stable::accelerator {

using DeviceIndex = int32_t;

}  // namespace torch::stable::accelerator

namespace torch::stable {

using DeviceType = torch::headeronly::DeviceType;

using DeviceIndex = torch::stable::accelerator::DeviceIndex;

// -1 is the current device of the type.
class Device {
 public:
  Device(DeviceType type, DeviceIndex index = -1) : type_(type), index_(index) {}
  Device(const ::std::string& text) : Device(DeviceType::CPU) {
    const auto colon = text.find(':');
    type_ = c10::Device(text.substr(0, colon)).type();
    if (colon != ::std::string::npos) index_ = ::std::stoi(text.substr(colon + 1));
  }

  bool operator==(const Device& other) const { return type_ == other.type_ && index_ == other.index_; }
  bool operator!=(const Device& other) const { return !(*this == other); }
  DeviceType type() const { return type_; }
  DeviceIndex index() const { return index_; }
  bool has_index() const { return index_ != -1; }
  void set_index(DeviceIndex index) { index_ = index; }
  bool is_cpu() const { return type_ == DeviceType::CPU; }
  bool is_cuda() const { return type_ == DeviceType::CUDA; }

 private:
  DeviceType type_;
  DeviceIndex index_;
};

}  // namespace torch::stable

namespace torch::stable::compat_detail {

inline c10::Device plain(const Device& device) {
#ifdef PADDLE_WITH_CUDA
  if (device.is_cuda() && !device.has_index()) {
    return c10::Device(c10::kCUDA, phi::backends::gpu::GetCurrentDeviceId());
  }
#endif
  return c10::Device(device.type(), device.has_index() ? device.index() : 0);
}

inline Device stable(const c10::Device& device) {
  return Device(device.type(), device.is_cpu() ? -1 : device.index());
}

}  // namespace torch::stable::compat_detail
