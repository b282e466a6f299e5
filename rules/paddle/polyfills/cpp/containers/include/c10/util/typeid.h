#pragma once
#include <c10/core/ScalarType.h>

#include <string_view>

namespace caffe2 {

// The type of elements. Paddle's dtype() gives the ScalarType, which it converts from and to.
class TypeMeta {
 public:
  TypeMeta() = default;
  TypeMeta(::c10::ScalarType type) : type_(type) {}
  template <typename T>
  static TypeMeta Make() {
    return ::c10::CppTypeToScalarType<T>::value;
  }
  static TypeMeta fromScalarType(::c10::ScalarType type) { return type; }
  ::c10::ScalarType toScalarType() const { return type_; }
  operator ::c10::ScalarType() const { return type_; }
  size_t itemsize() const { return ::c10::elementSize(type_); }
  bool isScalarType() const { return type_ != ::c10::ScalarType::Undefined; }
  bool isScalarType(::c10::ScalarType type) const { return type_ == type; }
  std::string_view name() const { return ::c10::toString(type_); }
  template <typename T>
  bool Match() const {
    return type_ == ::c10::CppTypeToScalarType<T>::value;
  }

 private:
  ::c10::ScalarType type_ = ::c10::ScalarType::Undefined;
};

}  // namespace caffe2
