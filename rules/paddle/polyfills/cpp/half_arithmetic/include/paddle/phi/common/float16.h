#pragma once
#include <type_traits>

namespace phi {
namespace dtype {

// extends
struct float16 {
#ifndef PORTER_FLOAT16  // one part: these belong together
#define PORTER_FLOAT16
  // std::is_arithmetic says so of Paddle's own types, too.
  template <class T>
  static constexpr bool is_number =
      std::is_integral_v<T> || std::is_same_v<T, float> || std::is_same_v<T, double>;

  // instead of the one with: v.ui ^= ((v.ui + minD) ^ v.ui)
  HOSTDEVICE inline operator float() const {
#ifdef PADDLE_CUDA_FP16
    return __half2float(to_half());
#else
    Bits wide;
    wide.ui = (x & 0x7fffu) << 13;
    wide.f *= 0x1p112f;  // the exponents of float start 112 lower
    if ((x & 0x7c00) == 0x7c00) wide.ui |= 0x7f800000u;
    wide.ui |= (x & 0x8000u) << 16;
    return wide.f;
#endif
  }

  // instead of the one with: return static_cast<double>(static_cast<float>(*this));
  HOSTDEVICE inline explicit operator double() const { return static_cast<float>(*this); }

  // instead of the one with: float16(static_cast<float>(val))
  template <class T, std::enable_if_t<is_number<T>, int> = 0>
  HOSTDEVICE inline float16(const T& val) : x(float16(static_cast<float>(val)).x) {}

  template <class T, std::enable_if_t<!is_number<T>, int> = 0>
  HOSTDEVICE inline explicit float16(const T& val) : x(float16(static_cast<float>(val)).x) {}
#endif

  struct from_bits_t {};

  HOSTDEVICE static constexpr from_bits_t from_bits() { return from_bits_t(); }

  HOSTDEVICE inline float16(uint16_t bits, from_bits_t) : x(bits) {}
};

}  // namespace dtype
}  // namespace phi
