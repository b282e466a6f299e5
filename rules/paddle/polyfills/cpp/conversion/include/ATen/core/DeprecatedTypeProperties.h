#pragma once
#include <c10/core/Backend.h>
#include <c10/core/ScalarType.h>
#include <c10/core/TensorOptions.h>
#include <string>

namespace at {

// What Tensor::type() gives: a dtype and a kind of device.
class DeprecatedTypeProperties {
 public:
  DeprecatedTypeProperties(Backend backend, ScalarType scalar_type)
      : backend_(backend), scalar_type_(scalar_type) {}
  Backend backend() const { return backend_; }
  Layout layout() const { return kStrided; }
  bool is_sparse() const { return false; }
  c10::DeviceType device_type() const { return c10::backendToDeviceType(backend_); }
  bool is_cuda() const { return backend_ == Backend::CUDA; }
  ScalarType scalarType() const { return scalar_type_; }
  std::string toString() const {
    return std::string(c10::toString(backend_)) + c10::toString(scalar_type_) + "Type";
  }
  DeprecatedTypeProperties toBackend(Backend b) const { return {b, scalar_type_}; }
  DeprecatedTypeProperties toScalarType(ScalarType s) const { return {backend_, s}; }
  DeprecatedTypeProperties cpu() const { return toBackend(Backend::CPU); }
  DeprecatedTypeProperties cuda() const { return toBackend(Backend::CUDA); }
  bool operator==(const DeprecatedTypeProperties& other) const {
    return backend_ == other.backend_ && scalar_type_ == other.scalar_type_;
  }
  bool operator!=(const DeprecatedTypeProperties& other) const { return !(*this == other); }
  TensorOptions options() const {
    return TensorOptions().dtype(scalar_type_).device(Device(device_type()));
  }
  operator TensorOptions() const { return options(); }

 private:
  Backend backend_;
  ScalarType scalar_type_;
};

inline std::ostream& operator<<(std::ostream& stream, const DeprecatedTypeProperties& type) {
  return stream << type.toString();
}

}  // namespace at

namespace detail {
inline at::ScalarType scalar_type(const at::DeprecatedTypeProperties& type) {
  return type.scalarType();
}
}  // namespace detail
