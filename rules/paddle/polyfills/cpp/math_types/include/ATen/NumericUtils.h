#pragma once
#include <c10/macros/Macros.h>
#include <c10/util/BFloat16.h>
#include <c10/util/Half.h>
#include <c10/util/complex.h>

#include <cmath>
#include <type_traits>

namespace at {

template <typename T>
inline C10_HOST_DEVICE bool _isnan(T value) {
  if constexpr (std::is_integral_v<T>) {
    return false;
  } else {
    return value != value;
  }
}

template <typename T>
inline C10_HOST_DEVICE bool _isnan(::c10::complex<T> value) {
  const T* parts = reinterpret_cast<const T*>(&value);  // members, or functions of that name
  return _isnan(parts[0]) || _isnan(parts[1]);
}

template <typename T>
inline C10_HOST_DEVICE bool _isinf(T value) {
  if constexpr (std::is_integral_v<T>) {
    return false;
  } else if constexpr (std::is_same_v<T, double>) {
    return value - value != value - value && value == value;
  } else {
    const float wide = static_cast<float>(value);
    return wide - wide != wide - wide && wide == wide;
  }
}

template <typename T>
C10_HOST_DEVICE inline T exp(T x) {
  if constexpr (std::is_same_v<T, double>) return ::exp(x);
  else return static_cast<T>(::expf(static_cast<float>(x)));
}

template <typename T>
C10_HOST_DEVICE inline T log(T x) {
  if constexpr (std::is_same_v<T, double>) return ::log(x);
  else return static_cast<T>(::logf(static_cast<float>(x)));
}

template <typename T>
C10_HOST_DEVICE inline T log1p(T x) {
  if constexpr (std::is_same_v<T, double>) return ::log1p(x);
  else return static_cast<T>(::log1pf(static_cast<float>(x)));
}

template <typename T>
C10_HOST_DEVICE inline T tan(T x) {
  if constexpr (std::is_same_v<T, double>) return ::tan(x);
  else return static_cast<T>(::tanf(static_cast<float>(x)));
}

}  // namespace at
