#pragma once
#include <c10/core/Device.h>

#include "paddle/phi/backends/device_manager.h"

namespace c10_npu::compat_detail {

inline phi::CustomPlace place_of(c10::DeviceIndex index) {
  const int current = index < 0 ? phi::DeviceManager::GetDevice("npu") : index;
  return phi::CustomPlace("npu", static_cast<int8_t>(current < 0 ? 0 : current));
}

}  // namespace c10_npu::compat_detail

namespace c10_npu {

inline c10::DeviceIndex device_count() {
  return static_cast<c10::DeviceIndex>(phi::DeviceManager::GetDeviceCount("npu"));
}

inline c10::DeviceIndex current_device() { return compat_detail::place_of(-1).GetDeviceId(); }

inline void set_device(c10::DeviceIndex index) {
  phi::DeviceManager::SetDevice(compat_detail::place_of(index));
}

inline void device_synchronize() {
  phi::DeviceManager::SynchronizeDevice(compat_detail::place_of(-1));
}

}  // namespace c10_npu
