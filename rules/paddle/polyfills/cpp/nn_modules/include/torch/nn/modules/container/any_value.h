#pragma once

#include <c10/util/Exception.h>
#include <porter_compat/type_names.h>

#include <any>
#include <type_traits>
#include <typeinfo>
#include <utility>

namespace torch::nn {

// A value of any type that can be copied.
class AnyValue {
 public:
  template <typename T, typename = std::enable_if_t<!std::is_same_v<std::decay_t<T>, AnyValue>>>
  explicit AnyValue(T&& value) : value_(std::forward<T>(value)) {}

  template <typename T>
  T* try_get() {
    return std::any_cast<T>(&value_);
  }
  template <typename T>
  T get() {
    if (auto* found = try_get<T>()) return *found;
    TORCH_CHECK(
        false, "Attempted to cast AnyValue to ", compat_detail::name_of(typeid(T)),
        ", but its actual type is ", compat_detail::name_of(type_info()));
  }
  const std::type_info& type_info() const noexcept { return value_.type(); }

 private:
  std::any value_;
};

}  // namespace torch::nn
