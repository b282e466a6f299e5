#pragma once
#include <c10/core/ScalarType.h>
#include <c10/macros/Macros.h>
#include <c10/util/MathConstants.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace at {

// What is computed in for a type of elements.
template <typename T>
using dist_acctype = ::std::conditional_t<
    ::std::is_same_v<T, c10::Half> || ::std::is_same_v<T, c10::BFloat16>, float, T>;

namespace transformation {

template <typename T, typename V>
C10_HOST_DEVICE inline T uniform_int_from_to(V val, uint64_t range, int64_t base) {
  return static_cast<T>(static_cast<int64_t>(val % range + base));
}

template <typename T, typename V>
C10_HOST_DEVICE inline T uniform_int_full_range(V val) {
  return static_cast<T>(static_cast<int64_t>(val));
}

// From 0 to the greatest integer, or to the greatest that all smaller ones can be told from.
template <typename T, typename V>
C10_HOST_DEVICE inline T uniform_int(V val) {
  if constexpr (::std::is_same_v<T, bool>) {
    return static_cast<bool>(val & 1);
  } else if constexpr (::std::is_integral_v<T>) {
    return static_cast<T>(val % (static_cast<uint64_t>(::std::numeric_limits<T>::max()) + 1));
  } else {
    return static_cast<T>(val % ((uint64_t{1} << ::std::numeric_limits<T>::digits) + 1));
  }
}

// As many of the lowest bits as the type keeps, as a fraction.
template <typename T, typename V>
C10_HOST_DEVICE inline dist_acctype<T> uniform_real(V val, T from, T to) {
  constexpr uint64_t steps = uint64_t{1} << ::std::numeric_limits<T>::digits;
  const auto fraction = static_cast<dist_acctype<T>>(val & static_cast<V>(steps - 1)) / steps;
  return fraction * (to - from) + from;
}

template <typename T>
C10_HOST_DEVICE inline T normal(T val, T mean, T std) { return val * std + mean; }

template <typename T>
C10_HOST_DEVICE inline T cauchy(T val, T median, T sigma) {
  if constexpr (!::std::is_same_v<T, double>) {
    constexpr T least = ::std::numeric_limits<T>::epsilon(), most = 1 - least;
    val = val > most ? most : val < least ? least : val;
  }
  return median + sigma * ::std::tan(c10::pi<T> * (val - static_cast<T>(0.5)));
}

template <typename T>
C10_HOST_DEVICE inline T exponential(T val, T lambda) { return T(-1) / lambda * ::std::log1p(-val); }

template <typename T>
C10_HOST_DEVICE inline T geometric(T val, T p) {
  return static_cast<T>(::std::ceil(::std::log(val) / ::std::log1p(-p)));
}

template <typename T>
C10_HOST_DEVICE inline T log_normal(T val) { return ::std::exp(val); }

template <typename T>
C10_HOST_DEVICE inline T bernoulli(T val, T p) { return val < p; }

}  // namespace transformation

}  // namespace at
