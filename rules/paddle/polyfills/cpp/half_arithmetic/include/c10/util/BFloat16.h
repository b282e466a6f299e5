#pragma once
#include <type_traits>

#include "paddle/phi/common/bfloat16.h"
#include "paddle/phi/common/float16.h"

namespace phi {
namespace dtype {

// Of a half and a number: the half with an integer, else the type of the number.
template <typename H, typename N>
using mixed = std::enable_if_t<
    (std::is_same_v<H, float16> || std::is_same_v<H, bfloat16>)&&float16::is_number<N>,
    std::conditional_t<std::is_integral_v<N>, H, N>>;

template <typename H, typename N>
using compared = std::enable_if_t<!std::is_void_v<mixed<H, N>>, bool>;

template <typename H, typename N>
HOSTDEVICE inline mixed<H, N> operator+(const H& a, N b) {
  return static_cast<mixed<H, N>>(a) + static_cast<mixed<H, N>>(b);
}

template <typename H, typename N>
HOSTDEVICE inline mixed<H, N> operator+(N a, const H& b) {
  return static_cast<mixed<H, N>>(a) + static_cast<mixed<H, N>>(b);
}

template <typename H, typename N>
HOSTDEVICE inline mixed<H, N> operator-(const H& a, N b) {
  return static_cast<mixed<H, N>>(a) - static_cast<mixed<H, N>>(b);
}

template <typename H, typename N>
HOSTDEVICE inline mixed<H, N> operator-(N a, const H& b) {
  return static_cast<mixed<H, N>>(a) - static_cast<mixed<H, N>>(b);
}

template <typename H, typename N>
HOSTDEVICE inline mixed<H, N> operator*(const H& a, N b) {
  return static_cast<mixed<H, N>>(a) * static_cast<mixed<H, N>>(b);
}

template <typename H, typename N>
HOSTDEVICE inline mixed<H, N> operator*(N a, const H& b) {
  return static_cast<mixed<H, N>>(a) * static_cast<mixed<H, N>>(b);
}

template <typename H, typename N>
HOSTDEVICE inline mixed<H, N> operator/(const H& a, N b) {
  return static_cast<mixed<H, N>>(a) / static_cast<mixed<H, N>>(b);
}

template <typename H, typename N>
HOSTDEVICE inline mixed<H, N> operator/(N a, const H& b) {
  return static_cast<mixed<H, N>>(a) / static_cast<mixed<H, N>>(b);
}

template <typename H, typename N>
HOSTDEVICE inline compared<H, N> operator<(const H& a, N b) {
  return static_cast<float>(a) < b;
}

template <typename H, typename N>
HOSTDEVICE inline compared<H, N> operator<(N a, const H& b) {
  return a < static_cast<float>(b);
}

template <typename H, typename N>
HOSTDEVICE inline compared<H, N> operator<=(const H& a, N b) {
  return static_cast<float>(a) <= b;
}

template <typename H, typename N>
HOSTDEVICE inline compared<H, N> operator<=(N a, const H& b) {
  return a <= static_cast<float>(b);
}

template <typename H, typename N>
HOSTDEVICE inline compared<H, N> operator>(const H& a, N b) {
  return static_cast<float>(a) > b;
}

template <typename H, typename N>
HOSTDEVICE inline compared<H, N> operator>(N a, const H& b) {
  return a > static_cast<float>(b);
}

template <typename H, typename N>
HOSTDEVICE inline compared<H, N> operator>=(const H& a, N b) {
  return static_cast<float>(a) >= b;
}

template <typename H, typename N>
HOSTDEVICE inline compared<H, N> operator>=(N a, const H& b) {
  return a >= static_cast<float>(b);
}

template <typename H, typename N>
HOSTDEVICE inline compared<H, N> operator==(const H& a, N b) {
  return static_cast<float>(a) == b;
}

template <typename H, typename N>
HOSTDEVICE inline compared<H, N> operator==(N a, const H& b) {
  return a == static_cast<float>(b);
}

template <typename H, typename N>
HOSTDEVICE inline compared<H, N> operator!=(const H& a, N b) {
  return static_cast<float>(a) != b;
}

template <typename H, typename N>
HOSTDEVICE inline compared<H, N> operator!=(N a, const H& b) {
  return a != static_cast<float>(b);
}

}  // namespace dtype
}  // namespace phi
