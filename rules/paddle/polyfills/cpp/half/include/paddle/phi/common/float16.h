#pragma once
#include <type_traits>

namespace phi::dtype {

// extends
class float16 {
  // Where no cast is written; a cast takes the constructors above.
  template <typename T, typename... None, ::std::enable_if_t<(::std::is_integral_v<T> || ::std::is_same_v<T, float> || ::std::is_same_v<T, double>) && sizeof...(None) == 0, int> = 0>
  HOSTDEVICE float16(const T& value, None...) : x(float16(static_cast<float>(value)).x) {}

#ifdef PADDLE_CUDA_FP16
  template <typename... None, ::std::enable_if_t<sizeof...(None) == 0, int> = 0>
  HOSTDEVICE float16(const half& value, None...) : x(float16(value).x) {}
#endif

#ifdef PADDLE_CUDA_FP16
  HOSTDEVICE operator half() const { return to_half(); }
#endif

  struct from_bits_t {};

  HOSTDEVICE static constexpr from_bits_t from_bits() { return from_bits_t(); }

  HOSTDEVICE float16(uint16_t bits, from_bits_t) : x(bits) {}

  // instead of the one with: inline operator double() const
  HOSTDEVICE explicit operator double() const { return static_cast<double>(static_cast<float>(*this)); }
};

// Enables what is for C++'s own numbers: float16 and bfloat16 are no floating point types yet here.
template <typename T>
using float16_number = ::std::enable_if_t<
    ::std::is_integral_v<T> || ::std::is_same_v<T, float> || ::std::is_same_v<T, double>>;

template <typename T, typename = float16_number<T>>
HOSTDEVICE inline auto operator+(const float16& a, T b) {
  if constexpr (!::std::is_integral_v<T>) return static_cast<T>(a) + b;
  else return a + float16(b);
}

template <typename T, typename = float16_number<T>>
HOSTDEVICE inline auto operator+(T a, const float16& b) {
  if constexpr (!::std::is_integral_v<T>) return a + static_cast<T>(b);
  else return float16(a) + b;
}

template <typename T, typename = float16_number<T>>
HOSTDEVICE inline auto operator-(const float16& a, T b) {
  if constexpr (!::std::is_integral_v<T>) return static_cast<T>(a) - b;
  else return a - float16(b);
}

template <typename T, typename = float16_number<T>>
HOSTDEVICE inline auto operator-(T a, const float16& b) {
  if constexpr (!::std::is_integral_v<T>) return a - static_cast<T>(b);
  else return float16(a) - b;
}

template <typename T, typename = float16_number<T>>
HOSTDEVICE inline auto operator*(const float16& a, T b) {
  if constexpr (!::std::is_integral_v<T>) return static_cast<T>(a) * b;
  else return a * float16(b);
}

template <typename T, typename = float16_number<T>>
HOSTDEVICE inline auto operator*(T a, const float16& b) {
  if constexpr (!::std::is_integral_v<T>) return a * static_cast<T>(b);
  else return float16(a) * b;
}

template <typename T, typename = float16_number<T>>
HOSTDEVICE inline auto operator/(const float16& a, T b) {
  if constexpr (!::std::is_integral_v<T>) return static_cast<T>(a) / b;
  else return a / float16(b);
}

template <typename T, typename = float16_number<T>>
HOSTDEVICE inline auto operator/(T a, const float16& b) {
  if constexpr (!::std::is_integral_v<T>) return a / static_cast<T>(b);
  else return float16(a) / b;
}

template <typename T, typename = float16_number<T>>
HOSTDEVICE inline bool operator==(const float16& a, T b) { return static_cast<float>(a) == b; }

template <typename T, typename = float16_number<T>>
HOSTDEVICE inline bool operator==(T a, const float16& b) { return a == static_cast<float>(b); }

template <typename T, typename = float16_number<T>>
HOSTDEVICE inline bool operator!=(const float16& a, T b) { return static_cast<float>(a) != b; }

template <typename T, typename = float16_number<T>>
HOSTDEVICE inline bool operator!=(T a, const float16& b) { return a != static_cast<float>(b); }

template <typename T, typename = float16_number<T>>
HOSTDEVICE inline bool operator<(const float16& a, T b) { return static_cast<float>(a) < b; }

template <typename T, typename = float16_number<T>>
HOSTDEVICE inline bool operator<(T a, const float16& b) { return a < static_cast<float>(b); }

template <typename T, typename = float16_number<T>>
HOSTDEVICE inline bool operator<=(const float16& a, T b) { return static_cast<float>(a) <= b; }

template <typename T, typename = float16_number<T>>
HOSTDEVICE inline bool operator<=(T a, const float16& b) { return a <= static_cast<float>(b); }

template <typename T, typename = float16_number<T>>
HOSTDEVICE inline bool operator>(const float16& a, T b) { return static_cast<float>(a) > b; }

template <typename T, typename = float16_number<T>>
HOSTDEVICE inline bool operator>(T a, const float16& b) { return a > static_cast<float>(b); }

template <typename T, typename = float16_number<T>>
HOSTDEVICE inline bool operator>=(const float16& a, T b) { return static_cast<float>(a) >= b; }

template <typename T, typename = float16_number<T>>
HOSTDEVICE inline bool operator>=(T a, const float16& b) { return a >= static_cast<float>(b); }

}  // namespace phi::dtype
