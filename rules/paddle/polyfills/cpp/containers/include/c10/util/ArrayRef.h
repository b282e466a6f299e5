#pragma once
#include <array>

namespace c10 {

using IntList = ArrayRef<int64_t>;  // its old name

template <typename T>
ArrayRef<T> makeArrayRef(const T& one) {
  return one;
}

template <typename T>
ArrayRef<T> makeArrayRef(const T* data, size_t length) {
  return ArrayRef<T>(data, length);
}

template <typename T>
ArrayRef<T> makeArrayRef(const std::vector<T>& values) {
  return values;
}

template <typename T, size_t N>
ArrayRef<T> makeArrayRef(const T (&values)[N]) {
  return ArrayRef<T>(values);
}

}  // namespace c10
