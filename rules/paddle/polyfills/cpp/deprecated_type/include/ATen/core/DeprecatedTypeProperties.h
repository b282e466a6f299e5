#pragma once
#include <c10/core/Backend.h>
#include <c10/core/TensorOptions.h>

#include <string>

namespace at {

class DeprecatedTypeProperties {
 public:
  DeprecatedTypeProperties(ScalarType type, Device device) : type_(type), device_(device) {}
  ScalarType scalarType() const { return type_; }
  ScalarType typeMeta() const { return type_; }
  DeviceType device_type() const { return device_.type(); }
  bool is_cuda() const { return device_.is_cuda(); }
  bool is_sparse() const { return false; }
  Layout layout() const { return kStrided; }
  ::c10::Backend backend() const {
    return device_.is_cuda()  ? ::c10::Backend::CUDA
           : device_.is_cpu() ? ::c10::Backend::CPU
                              : ::c10::Backend::Undefined;
  }
  std::string toString() const {
    return std::string(::c10::toString(backend())) + ::c10::toString(type_) + "Type";
  }
  DeprecatedTypeProperties toScalarType(ScalarType type) const { return {type, device_}; }
  DeprecatedTypeProperties cpu() const { return {type_, Device(kCPU)}; }
  DeprecatedTypeProperties cuda() const { return {type_, Device(kCUDA, 0)}; }
  TensorOptions options(int16_t index = -1) const {
    return TensorOptions().dtype(type_).device(
        index < 0 ? device_ : Device(device_.type(), static_cast<DeviceIndex>(index)));
  }
  operator TensorOptions() const { return options(); }
  bool operator==(const DeprecatedTypeProperties& other) const {
    return type_ == other.type_ && device_.type() == other.device_.type();
  }
  bool operator!=(const DeprecatedTypeProperties& other) const { return !(*this == other); }

 private:
  ScalarType type_;
  Device device_;
};

inline std::ostream& operator<<(std::ostream& out, const DeprecatedTypeProperties& type) {
  return out << type.toString();
}

inline DeprecatedTypeProperties CPU(ScalarType type) { return {type, Device(kCPU)}; }
inline DeprecatedTypeProperties CUDA(ScalarType type) { return {type, Device(kCUDA)}; }

}  // namespace at
