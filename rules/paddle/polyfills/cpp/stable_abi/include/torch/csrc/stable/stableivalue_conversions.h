#pragma once
#include <torch/csrc/stable/tensor.h>

#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace torch::stable::compat_detail {

template <typename T>
constexpr bool is_optional = false;

template <typename T>
constexpr bool is_optional<::std::optional<T>> = true;

template <typename T>
constexpr bool is_list = false;

template <typename T>
constexpr bool is_list<::std::vector<T>> = true;

template <typename T>
constexpr bool is_list<c10::ArrayRef<T>> = true;

}  // namespace torch::stable::compat_detail

namespace torch::stable::detail {

inline StableIValue from(::std::nullopt_t) { return 0; }

// What does not fit is on the heap, and belongs to the one who takes it out with `to`.
template <typename T>
StableIValue from(const T& value) {
  if constexpr (::std::is_same_v<T, Tensor>) {
    return reinterpret_cast<StableIValue>(new AtenTensorOpaque{compat_detail::plain(value)});
  } else if constexpr (compat_detail::is_optional<T>) {
    return value ? reinterpret_cast<StableIValue>(new StableIValue(from(*value))) : 0;
  } else if constexpr (compat_detail::is_list<T>) {
    auto* list = new ::std::vector<StableIValue>;
    for (const auto& item : value) list->push_back(from(item));
    return reinterpret_cast<StableIValue>(list);
  } else if constexpr (::std::is_convertible_v<const T&, ::std::string_view>) {
    return reinterpret_cast<StableIValue>(new ::std::string(value));
  } else {
    static_assert(::std::is_trivially_copyable_v<T> && sizeof(T) <= sizeof(StableIValue));
    StableIValue bits = 0;
    ::std::memcpy(&bits, &value, sizeof(T));
    return bits;
  }
}

template <typename T>
T to(StableIValue bits) {
  if constexpr (::std::is_same_v<T, Tensor>) {
    return Tensor(reinterpret_cast<AtenTensorHandle>(bits));
  } else if constexpr (compat_detail::is_optional<T>) {
    const ::std::unique_ptr<StableIValue> inner(reinterpret_cast<StableIValue*>(bits));
    return inner ? T(to<typename T::value_type>(*inner)) : T();
  } else if constexpr (compat_detail::is_list<T>) {
    const ::std::unique_ptr<::std::vector<StableIValue>> list(
        reinterpret_cast<::std::vector<StableIValue>*>(bits));
    T result;
    for (const StableIValue item : *list) result.push_back(to<typename T::value_type>(item));
    return result;
  } else if constexpr (::std::is_same_v<T, ::std::string>) {
    const ::std::unique_ptr<::std::string> text(reinterpret_cast<::std::string*>(bits));
    return *text;
  } else {
    static_assert(::std::is_trivially_copyable_v<T> && sizeof(T) <= sizeof(StableIValue));
    alignas(T) unsigned char value[sizeof(T)];
    ::std::memcpy(value, &bits, sizeof(T));
    return *reinterpret_cast<T*>(value);
  }
}

}  // namespace torch::stable::detail

// torch's names of before 2.9.
template <typename T>
StableIValue from(const T& value) { return torch::stable::detail::from(value); }

template <typename T>
T to(StableIValue bits) { return torch::stable::detail::to<T>(bits); }
