#pragma once
#include <c10/macros/Macros.h>

namespace at::detail {

// An array that kernels can take.
template <typename T, int size_>
struct Array {
  T data[size_];

  C10_HOST_DEVICE T operator[](int i) const { return data[i]; }
  C10_HOST_DEVICE T& operator[](int i) { return data[i]; }
  static constexpr int size() { return size_; }

  Array() = default;
  C10_HOST_DEVICE Array(T x) {
    for (T& item : data) item = x;
  }
};

}  // namespace at::detail
