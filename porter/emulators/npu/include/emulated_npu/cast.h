// Conversions, with the rounding that the caller names; integers saturate.
#pragma once
#include "vector.h"

namespace AscendC {

enum class RoundMode : uint8_t { CAST_NONE = 0, CAST_RINT, CAST_FLOOR, CAST_CEIL, CAST_ROUND, CAST_TRUNC, CAST_ODD };

namespace npu {

template <class T> T next(T value, int step) {  // the neighbour in a float of 16 bits, by its bits
    int16_t bits;
    std::memcpy(&bits, &value, 2);
    int ordered = bits < 0 ? -(bits & 0x7fff) : bits;
    ordered += step;
    const uint16_t back = ordered < 0 ? 0x8000 | -ordered : ordered;
    std::memcpy(&value, &back, 2);
    return value;
}

template <class T> T to_small(double x, RoundMode mode) {
    const T near = static_cast<T>(static_cast<float>(x));  // all that is cast to 16 bits is a float
    const double r = static_cast<float>(near);
    if (mode == RoundMode::CAST_NONE || mode == RoundMode::CAST_RINT || r == x || std::isnan(x)) return near;
    const T low = r > x ? next(near, -1) : near, high = r > x ? near : next(near, 1);
    const double below = static_cast<float>(low), above = static_cast<float>(high);
    uint16_t bits;
    std::memcpy(&bits, &low, 2);
    switch (mode) {
        case RoundMode::CAST_FLOOR: return low;
        case RoundMode::CAST_CEIL: return high;
        case RoundMode::CAST_TRUNC: return x > 0 ? low : high;
        case RoundMode::CAST_ODD: return bits & 1 ? low : high;
        default: return x - below == above - x ? (x > 0 ? high : low) : near;  // halves away from zero
    }
}
inline double to_whole(double x, RoundMode mode) {
    switch (mode) {
        case RoundMode::CAST_FLOOR: return std::floor(x);
        case RoundMode::CAST_CEIL: return std::ceil(x);
        case RoundMode::CAST_ROUND: return std::round(x);
        case RoundMode::CAST_TRUNC: return std::trunc(x);
        default: return std::nearbyint(x);
    }
}
template <class D, class A> D converted(A value, RoundMode mode) {
    if constexpr (is_small<D>) {
        return to_small<D>(static_cast<double>(value), mode);
    } else if constexpr (std::is_floating_point_v<D>) {
        if (is_float<A> && mode != RoundMode::CAST_NONE && std::is_same_v<A, D>) return to_whole(value, mode);
        return static_cast<D>(value);
    } else if constexpr (is_float<A>) {
        const double whole = to_whole(static_cast<float>(value), mode);
        if (std::isnan(whole)) return 0;
        if (whole <= double(std::numeric_limits<D>::min())) return std::numeric_limits<D>::min();
        if (whole >= double(std::numeric_limits<D>::max())) return std::numeric_limits<D>::max();
        return static_cast<D>(whole);
    } else {
        const int64_t least = std::numeric_limits<D>::min(), most = std::numeric_limits<D>::max();
        return static_cast<D>(std::clamp(static_cast<int64_t>(value), least, most));
    }
}
// Integers of 32 bits to half are multiplied by what SetDeqScale gave.
template <class D, class A> auto conversion(const Instruction &i, RoundMode mode) {
    return [mode, scale = i.block().deq_scale](A value) -> D {
        if constexpr (std::is_same_v<A, int32_t> && std::is_same_v<D, half>) return to_small<half>(float(value) * scale, mode);
        return converted<D>(value, mode);
    };
}

}  // namespace npu

template <class D, class A> void Cast(const LocalTensor<D> &to, const LocalTensor<A> &a, const RoundMode &mode, const uint32_t count) {
    npu::Instruction i("Cast", npu::vector);
    npu::unary(i, to, a, npu::all(count), {}, {}, npu::conversion<D, A>(i, mode));
}
template <class D, class A, bool isSetMask = true, class Mask>
void Cast(const LocalTensor<D> &to, const LocalTensor<A> &a, const RoundMode &mode, const Mask &mask, uint8_t repeats, const UnaryRepeatParams &p) {
    npu::Instruction i("Cast", npu::vector);
    constexpr size_t size = sizeof(D) > sizeof(A) ? sizeof(D) : sizeof(A);
    npu::unary(i, to, a, npu::masked(i, mask, repeats, size, isSetMask), npu::of_destination(p), npu::of_source(p),
               npu::conversion<D, A>(i, mode));
}
inline void SetDeqScale(half scale) { npu::block().deq_scale = scale; }

// One value, by the scalar unit.
template <class A, class D, RoundMode mode> D ScalarCast(A value) { return npu::converted<D>(value, mode); }
template <class A, class D, RoundMode mode> D Cast(A value) { return npu::converted<D>(value, mode); }
template <class D> int64_t ScalarGetCountOfValue(uint64_t value) {
    static_assert(sizeof(D) <= 8);
    return __builtin_popcountll(value);
}
inline int64_t ScalarCountLeadingZero(uint64_t value) { return value ? __builtin_clzll(value) : 64; }
template <int bit> int64_t ScalarGetSFFValue(uint64_t value) {
    const uint64_t wanted = bit ? value : ~value;
    return wanted ? __builtin_ctzll(wanted) : -1;
}

}  // namespace AscendC
