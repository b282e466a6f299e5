#pragma once
#include <ATen/core/Tensor.h>
#include <cstring>
#include <initializer_list>
#include <porter_compat/factory.h>

namespace at::compat_detail {

// Numbers one by one, in a list or in nested braces, with the dtype that C++ says.
class Numbers {
 public:
  Numbers() : sizes_{0}, type_(c10::get_default_dtype()) {}
  template <class T, class = decltype(c10::CppTypeToScalarType<T>::value)>
  Numbers(T value) : type_(c10::CppTypeToScalarType<T>::value) {
    add(value);
  }
  Numbers(std::initializer_list<Numbers> rows) : sizes_{int64_t(rows.size())} {
    if (rows.size() == 0) return;
    type_ = rows.begin()->type_;
    auto inner = rows.begin()->sizes_;
    sizes_.insert(sizes_.end(), inner.begin(), inner.end());
    for (const auto& row : rows) {
      check(row.type_ == type_, "Expected all elements of the tensor to have the same scalar type");
      check(row.sizes_ == inner, "Expected all sub-lists to have sizes");
      whole_.insert(whole_.end(), row.whole_.begin(), row.whole_.end());
      real_.insert(real_.end(), row.real_.begin(), row.real_.end());
    }
  }
  template <class T>
  Numbers(ArrayRef<T> values)
      : sizes_{int64_t(values.size())}, type_(c10::CppTypeToScalarType<T>::value) {
    for (const T& value : values) add(value);
  }
  template <class T>
  Numbers(const std::vector<T>& values)
      : sizes_{int64_t(values.size())}, type_(c10::CppTypeToScalarType<T>::value) {
    for (T value : values) add(value);
  }

  ScalarType type() const { return type_; }
  // int64 for integers, the default dtype for floating numbers.
  ScalarType python_type() const {
    if (type_ == ScalarType::Float || type_ == ScalarType::Double) return c10::get_default_dtype();
    return c10::isIntegralType(type_, false) ? ScalarType::Long : type_;
  }
  Tensor tensor(const TensorOptions& options) const {
    bool whole = c10::isIntegralType(type_, true);
    auto made = paddle::experimental::empty(
        sizes_, whole ? phi::DataType::INT64 : phi::DataType::FLOAT64, phi::CPUPlace());
    const void* from = whole ? static_cast<const void*>(whole_.data()) : real_.data();
    if (!real_.empty()) std::memcpy(made.data(), from, 8 * real_.size());
    return converted(made, options.dtype(), options.device(), false, false, {});
  }

 private:
  template <class T>
  void add(T value) {
    whole_.push_back(static_cast<int64_t>(value));
    real_.push_back(static_cast<double>(value));
  }
  Sizes sizes_;
  ScalarType type_ = c10::get_default_dtype();
  std::vector<int64_t> whole_;
  std::vector<double> real_;
};

}  // namespace at::compat_detail
