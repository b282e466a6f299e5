#pragma once
#include <c10/core/DeviceType.h>
#include <stdexcept>

namespace c10 {

enum class Backend { CPU, CUDA, Undefined };

inline Backend deviceTypeToBackend(DeviceType type) {
  return type == kCPU ? Backend::CPU : type == kCUDA ? Backend::CUDA : Backend::Undefined;
}

inline DeviceType backendToDeviceType(Backend backend) {
  if (backend == Backend::Undefined) throw std::runtime_error("Undefined backend is not a device");
  return backend == Backend::CPU ? kCPU : kCUDA;
}

inline const char* toString(Backend backend) {
  return backend == Backend::CPU ? "CPU" : backend == Backend::CUDA ? "CUDA" : "UNKNOWN_BACKEND";
}

}  // namespace c10

namespace at {
using c10::Backend;
}  // namespace at
