// Words of the language, and numbers of 16 bits: each is rounded to nearest, ties to even.
#pragma once
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#define __aicore__
#define __global__
#define __vector__
#define __gm__
#define __ubuf__
#define __cbuf__
#define __ca__
#define __cb__
#define __cc__
#define __kfc_workspace__
#ifndef __inline__
#define __inline__ inline
#endif
#define __simd_callee__
#define ASCENDC_CPU_DEBUG_EMULATED 1
#define __NPU_ARCH__ 2201
#define __CCE_AICORE__ 220
#define GM_ADDR uint8_t *

using half = _Float16;

struct bfloat16_t {
    uint16_t bits;

    bfloat16_t() = default;
    bfloat16_t(float value) {
        uint32_t whole;
        std::memcpy(&whole, &value, 4);
        if ((whole & 0x7fffffff) > 0x7f800000)
            bits = static_cast<uint16_t>((whole >> 16) | 0x40);  // NaN stays NaN
        else
            bits = static_cast<uint16_t>((whole + 0x7fff + ((whole >> 16) & 1)) >> 16);
    }
    operator float() const {
        const uint32_t whole = static_cast<uint32_t>(bits) << 16;
        float value;
        std::memcpy(&value, &whole, 4);
        return value;
    }
};

namespace AscendC {

inline float ToFloat(const bfloat16_t &value) { return value; }
inline bfloat16_t ToBfloat16(float value) { return value; }

namespace npu {

template <class T> constexpr bool is_small = std::is_same_v<T, half> || std::is_same_v<T, bfloat16_t>;
template <class T> constexpr bool is_float = is_small<T> || std::is_floating_point_v<T>;
template <class T, class... Of> constexpr bool one_of = (std::is_same_v<T, Of> || ...);
// What arithmetic is done in, before the result is rounded once.
template <class T> using Wide = std::conditional_t<is_small<T>, float, T>;

template <class T> T bits_of(uint64_t bits) {
    T value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

}  // namespace npu
}  // namespace AscendC
