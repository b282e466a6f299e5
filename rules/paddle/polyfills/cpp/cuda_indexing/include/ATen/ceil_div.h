#pragma once
#include <c10/macros/Macros.h>

#include <type_traits>

namespace at {

template <typename T, typename = ::std::enable_if_t<::std::is_integral_v<T>>>
C10_HOST_DEVICE inline T ceil_div(T a, T b) { return (a + b - 1) / b; }

// The next multiple of b.
template <typename T>
C10_HOST_DEVICE inline T round_up(T a, T b) { return (a + b - 1) / b * b; }

}  // namespace at
