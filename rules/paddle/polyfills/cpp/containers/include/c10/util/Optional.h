#pragma once
#include <type_traits>
#include <utility>

namespace c10 {

template <class T, class F>
constexpr T value_or_else(const std::optional<T>& value, F&& otherwise) {
  return value ? *value : std::forward<F>(otherwise)();
}

using std::in_place;

}  // namespace c10
