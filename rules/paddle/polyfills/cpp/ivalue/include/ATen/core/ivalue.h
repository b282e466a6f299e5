#pragma once

#include <ATen/core/TensorBody.h>
#include <c10/core/Device.h>
#include <c10/core/Scalar.h>
#include <c10/util/ArrayRef.h>
#include <c10/util/OptionalArrayRef.h>
#include <porter_compat/containers.h>

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <vector>

namespace torch {
// Its members are templates: where it stands, IValue is incomplete, and from C++20 on nvcc instantiates what they use of
// a vector.
// instead of the one with: std::vector<IValue> elements;
struct GenericTuple {
  std::vector<IValue> elements;
  GenericTuple() = default;
  template <typename Elements,
            typename = std::enable_if_t<std::is_same_v<Elements, std::vector<IValue>>>>
  GenericTuple(Elements values) : elements(std::move(values)) {}
  template <typename Elements = std::vector<IValue>>
  size_t size() const {
    return static_cast<const Elements&>(elements).size();
  }
  template <typename Elements = std::vector<IValue>>
  IValue& operator[](size_t index) {
    return static_cast<Elements&>(elements)[index];
  }
  template <typename Elements = std::vector<IValue>>
  const IValue& operator[](size_t index) const {
    return static_cast<const Elements&>(elements)[index];
  }
};
}  // namespace torch

namespace torch {
// extends
class IValue {
  // A number of any type; complex ones have no place in Paddle's IValue.
  IValue(const at::Scalar& value) {
    switch (value.dtype()) {
      case phi::DataType::BOOL:
        *this = IValue(value.to<bool>());
        break;
      case phi::DataType::FLOAT16:
      case phi::DataType::BFLOAT16:
      case phi::DataType::FLOAT32:
      case phi::DataType::FLOAT64:
        *this = IValue(value.to<double>());
        break;
      case phi::DataType::COMPLEX64:
      case phi::DataType::COMPLEX128:
        throw std::runtime_error("complex numbers in an IValue are not supported under Paddle");
      default:
        *this = IValue(value.to<int64_t>());
    }
  }
  IValue(const c10::Device& device) : IValue(device.str()) {}
  IValue(float value) : IValue(static_cast<double>(value)) {}
  IValue(uint64_t value) : IValue(static_cast<int64_t>(value)) {}
  IValue(uint32_t value) : IValue(static_cast<int64_t>(value)) {}
  IValue(std::nullopt_t) : IValue() {}
  IValue(std::string_view value) : IValue(std::string(value)) {}
  template <typename T>
  IValue(const c10::OptionalArrayRef<T>& list) {
    if (list.has_value()) *this = IValue(*list);
  }
  template <typename T>
  IValue(const std::unordered_map<std::string, T>& items) {
    std::vector<IValue> list;
    for (const auto& [key, value] : items) list.emplace_back(std::make_tuple(key, value));
    *this = IValue(list);
  }

  template <typename T>
  IValue(const c10::List<T>& list) : IValue(list.vec()) {}
  template <typename K, typename V>
  IValue(const c10::Dict<K, V>& items) {
    std::vector<IValue> list;
    for (const auto& item : items) list.emplace_back(std::make_tuple(item.key(), item.value()));
    *this = IValue(list);
  }

  bool isNone() const { return is_none(); }
  bool isTensor() const { return is_tensor(); }
  bool isInt() const { return is_int(); }
  bool isDouble() const { return is_double(); }
  bool isBool() const { return is_bool(); }
  bool isString() const { return is_string(); }
  bool isList() const { return is_list(); }
  bool isTuple() const { return is_tuple(); }
  bool isCustomClass() const { return is_custom_class(); }
  bool isObject() const { return is_custom_class(); }
  bool isScalar() const { return is_int() || is_double() || is_bool(); }
  bool isTensorList() const { return is_list() && (to_list().empty() || to_list()[0].is_tensor()); }
  bool isIntList() const { return is_list() && (to_list().empty() || to_list()[0].is_int()); }
  bool isDoubleList() const { return is_list() && (to_list().empty() || to_list()[0].is_double()); }

  // None is a tensor that is not defined.
  at::Tensor toTensor() const { return is_none() ? at::Tensor() : to_tensor(); }
  int64_t toInt() const { return to_int(); }
  double toDouble() const { return to_double(); }
  bool toBool() const { return to_bool(); }
  const std::string& toStringRef() const { return to_string(); }
  std::string_view toStringView() const { return to_string_view(); }
  at::ScalarType toScalarType() const { return to_scalar_type(); }
  c10::Device toDevice() const { return c10::Device(to_string()); }
  at::Scalar toScalar() const {
    if (is_bool()) return at::Scalar(to_bool());
    return is_int() ? at::Scalar(to_int()) : at::Scalar(to_double());
  }
  std::vector<int64_t> toIntVector() const { return to<std::vector<int64_t>>(); }
  std::vector<double> toDoubleVector() const { return to<std::vector<double>>(); }
  std::vector<at::Tensor> toTensorVector() const { return to<std::vector<at::Tensor>>(); }
  template <typename T = at::Tensor>
  c10::List<T> toTensorList() const {
    return to<c10::List<T>>();
  }
  template <typename T = int64_t>
  c10::List<T> toIntList() const {
    return to<c10::List<T>>();
  }
  template <typename T = double>
  c10::List<T> toDoubleList() const {
    return to<c10::List<T>>();
  }
  template <typename T = bool>
  c10::List<T> toBoolList() const {
    return to<c10::List<T>>();
  }
  c10::ArrayRef<IValue> toListRef() const { return c10::ArrayRef<IValue>(to_list()); }
  template <typename T>
  std::optional<T> toOptional() const {
    return to<std::optional<T>>();
  }
  template <typename T>
  intrusive_ptr<T> toCustomClass() const {
    return to_custom_class<T>();
  }
  std::string tagKind() const { return is_list() ? "GenericList" : type_string(); }
};
}  // namespace torch

namespace torch {

inline float generic_to(const IValue& value, _fake_type<float>) {
  return static_cast<float>(value.to_double());
}

inline IValue generic_to(const IValue& value, _fake_type<IValue>) { return value; }

inline c10::Device generic_to(const IValue& value, _fake_type<c10::Device>) {
  return c10::Device(value.to_string());
}

inline at::ScalarType generic_to(const IValue& value, _fake_type<at::ScalarType>) {
  return value.to_scalar_type();
}

inline at::Scalar generic_to(const IValue& value, _fake_type<at::Scalar>) {
  if (value.is_bool()) return at::Scalar(value.to_bool());
  return value.is_int() ? at::Scalar(value.to_int()) : at::Scalar(value.to_double());
}

template <typename T>
c10::List<T> generic_to(const IValue& value, _fake_type<c10::List<T>>) {
  c10::List<T> found;
  for (const auto& item : value.to_list()) found.push_back(item.to<T>());
  return found;
}

template <typename K, typename V>
c10::Dict<K, V> generic_to(const IValue& value, _fake_type<c10::Dict<K, V>>) {
  c10::Dict<K, V> found;
  for (const auto& item : value.to_list()) {
    found.insert(item.to_tuple()[0].to<K>(), item.to_tuple()[1].to<V>());
  }
  return found;
}

}  // namespace torch

namespace c10 {

using torch::IValue;

}  // namespace c10

namespace at {

using torch::IValue;

}  // namespace at
