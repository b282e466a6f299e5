#pragma once
#include <type_traits>

namespace phi {
namespace dtype {

// extends
struct bfloat16 {
#ifndef PORTER_BFLOAT16  // one part: these belong together
#define PORTER_BFLOAT16
  // std::is_arithmetic says so of Paddle's own types, too.
  template <class T>
  static constexpr bool is_number =
      std::is_integral_v<T> || std::is_same_v<T, float> || std::is_same_v<T, double>;

  // instead of the one with: reinterpret_cast<char*>(&val) + 2
  HOSTDEVICE inline operator float() const {
#ifdef PADDLE_CUDA_BF16
    return __bfloat162float(*reinterpret_cast<const __nv_bfloat16*>(&x));
#else
    const uint32_t wide = static_cast<uint32_t>(x) << 16;
    float value;
    std::memcpy(&value, &wide, sizeof(value));
    return value;
#endif
  }

  // instead of the one with: return static_cast<double>(static_cast<float>(*this));
  HOSTDEVICE inline explicit operator double() const { return static_cast<float>(*this); }

  // instead of the one with: bfloat16(static_cast<float>(val))
  template <class T, std::enable_if_t<is_number<T>, int> = 0>
  HOSTDEVICE inline bfloat16(const T& val) : x(bfloat16(static_cast<float>(val)).x) {}

  template <class T, std::enable_if_t<!is_number<T>, int> = 0>
  HOSTDEVICE inline explicit bfloat16(const T& val) : x(bfloat16(static_cast<float>(val)).x) {}
#endif

  struct from_bits_t {};

  HOSTDEVICE static constexpr from_bits_t from_bits() { return from_bits_t(); }

  HOSTDEVICE inline bfloat16(uint16_t bits, from_bits_t) : x(bits) {}
};

}  // namespace dtype
}  // namespace phi
