#pragma once
#include <c10/core/DeviceType.h>

#include <stdexcept>

namespace c10 {

enum class Backend { CPU, CUDA, Undefined };

inline const char* toString(Backend backend) {
  return backend == Backend::CPU ? "CPU" : backend == Backend::CUDA ? "CUDA" : "UNKNOWN_BACKEND";
}

inline std::ostream& operator<<(std::ostream& out, Backend backend) {
  return out << toString(backend);
}

inline DeviceType backendToDeviceType(Backend backend) {
  if (backend == Backend::Undefined) throw std::runtime_error("Undefined backend has no device");
  return backend == Backend::CUDA ? kCUDA : kCPU;
}

}  // namespace c10

namespace at {
using c10::Backend;
}  // namespace at

namespace torch {
using c10::Backend;
}  // namespace torch
