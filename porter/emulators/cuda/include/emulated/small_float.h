// half and bfloat16 share their functions: every operation is done in float, or double, and
// rounded once; for these widths that is the correctly rounded result.
#pragma once
#include "atomics.h"
#include "math.h"

namespace emulated {

// Without std::is_arithmetic, which frameworks specialize for types of theirs after this is read.
template <class N, class... K>
constexpr bool is_one_of = (std::is_same_v<std::remove_cv_t<N>, K> || ...);
template <class N>
constexpr bool is_number =
    is_one_of<N, bool, char, signed char, unsigned char, short, unsigned short, int, unsigned, long, unsigned long,
              long long, unsigned long long, float, double, long double>;


enum class Rounding { nearest, zero, down, up };

// A float's bits cut by `drop` bits, rounded as told.
inline uint32_t cut(uint32_t magnitude, unsigned drop, bool negative, Rounding rounding) {
    if (drop > 31) drop = 31;
    const uint32_t rest = magnitude & ((1u << drop) - 1), half = 1u << (drop - 1);
    uint32_t result = magnitude >> drop;
    switch (rounding) {
        case Rounding::nearest: result += rest > half || (rest == half && (result & 1)); break;
        case Rounding::zero: break;
        case Rounding::down: result += rest && negative; break;
        case Rounding::up: result += rest && !negative; break;
    }
    return result;
}

inline uint16_t to_half(float value, Rounding rounding = Rounding::nearest) {
    const uint32_t all = bits<uint32_t>(value), sign = all >> 16 & 0x8000, x = all & 0x7fffffff;
    if (x > 0x7f800000) return 0x7fff;
    if (x == 0x7f800000) return uint16_t(sign | 0x7c00);
    uint32_t result;
    if (x >= 0x38800000) {
        result = cut(x - 0x38000000, 13, sign, rounding);
        if (result > 0x7c00) result = 0x7c00;
        const bool to_largest = rounding == Rounding::zero || (rounding == Rounding::down && !sign) ||
                                (rounding == Rounding::up && sign);
        if (result == 0x7c00 && to_largest) result = 0x7bff;
    } else if (x == 0) {
        result = 0;
    } else {
        const unsigned exponent = x >> 23;  // of a value that is denormal in half: 126 - exponent bits go
        const unsigned drop = exponent ? 126 - exponent : 126;
        const uint32_t mantissa = (x & 0x7fffff) | (exponent ? 0x800000 : 0);
        result = cut(mantissa, drop, sign, rounding);
    }
    return uint16_t(sign | result);
}
inline float from_half(uint16_t h) {
    const uint32_t sign = uint32_t(h & 0x8000) << 16, x = h & 0x7fff;
    if (x >= 0x7c00) return bits<float>(sign | 0x7f800000 | uint32_t(x & 0x3ff) << 13);
    if (x >= 0x400) return bits<float>(sign | ((uint32_t(x) << 13) + 0x38000000));
    return bits<float>(sign | bits<uint32_t>(float(x) * 0x1p-24f));
}
inline uint16_t to_bfloat16(float value, Rounding rounding = Rounding::nearest) {
    const uint32_t all = bits<uint32_t>(value), sign = all >> 16 & 0x8000, x = all & 0x7fffffff;
    if (x > 0x7f800000) return 0x7fff;
    if (x == 0x7f800000) return uint16_t(all >> 16);
    uint32_t result = cut(x, 16, sign, rounding);
    const bool to_largest = rounding == Rounding::zero || (rounding == Rounding::down && !sign) ||
                            (rounding == Rounding::up && sign);
    if (result == 0x7f80 && to_largest) result = 0x7f7f;
    return uint16_t(sign | result);
}
inline float from_bfloat16(uint16_t b) { return bits<float>(uint32_t(b) << 16); }

// A double to float by rounding to odd, so that a second rounding to a shorter type is exact.
inline float odd_float(double value) {
    float f = float(value);
    if (value != value || double(f) == value || f - f != 0.0f) return f;
    if (bits<uint32_t>(f) & 1) return f;
    const bool away = (f < 0 ? -double(f) : double(f)) > (value < 0 ? -value : value);
    return bits<float>(bits<uint32_t>(f) + (away ? -1 : 1));
}
// a * b + c of short floats: the product is exact in double, the sum is rounded to odd.
inline float odd_fma(float a, float b, float c) {
    const double product = double(a) * b, sum = product + c;
    if (sum - sum != 0.0) return float(sum);
    const double part = sum - product, error = (product - (sum - part)) + (double(c) - part);
    if (error == 0.0 || (bits<uint64_t>(sum) & 1)) return odd_float(sum);
    const bool up = (error > 0) == (sum > 0);
    return odd_float(bits<double>(bits<uint64_t>(sum) + (up ? 1 : -1)));
}

}  // namespace emulated

#define EMULATED_SMALL_FLOAT(T, T2, word, to, from) \
    struct T##_raw { unsigned short x; }; \
    struct alignas(2) T { \
        unsigned short __x; \
        T() = default; \
        constexpr T(T##_raw raw) : __x(raw.x) {} \
        template <class N, class = std::enable_if_t<::emulated::is_number<N>>> \
        T(N value) : __x(emulated::to(make_float(value))) {} \
        T &operator=(float value) { return *this = T(value); } \
        operator float() const { return emulated::from(__x); } \
        operator T##_raw() const { return {__x}; } \
        static T of_bits(unsigned short x) { return T(T##_raw{x}); } \
        /* One rounding: an integer or a double goes by way of a float rounded to odd. */ \
        template <class N> \
        static float make_float(N value) { \
            if constexpr (std::is_same_v<N, float>) return value; \
            else if constexpr (std::is_integral_v<N> && sizeof(N) == 8) { \
                double d = double(value); \
                if (d < 0x1p63 && d > -0x1p63 && N(d) != value && !(emulated::bits<uint64_t>(d) & 1)) \
                    d = emulated::bits<double>(emulated::bits<uint64_t>(d) + \
                                               (((N(d) < value) == (d > 0)) ? 1 : -1)); \
                return emulated::odd_float(d); \
            } else return emulated::odd_float(double(value)); \
        } \
    }; \
    struct alignas(4) T2 { \
        T x, y; \
        T2() = default; \
        T2(T x, T y) : x(x), y(y) {} \
    }; \
    inline T __float2##word(float a) { return T(a); } \
    inline T __float2##word##_rn(float a) { return T(a); } \
    inline T __float2##word##_rz(float a) { return T::of_bits(emulated::to(a, emulated::Rounding::zero)); } \
    inline T __float2##word##_rd(float a) { return T::of_bits(emulated::to(a, emulated::Rounding::down)); } \
    inline T __float2##word##_ru(float a) { return T::of_bits(emulated::to(a, emulated::Rounding::up)); } \
    inline T __double2##word(double a) { return T(a); } \
    inline float __##word##2float(T a) { return float(a); } \
    EMULATED_SMALL_INTEGER(T, word, int, int) \
    EMULATED_SMALL_INTEGER(T, word, uint, unsigned) \
    EMULATED_SMALL_INTEGER(T, word, short, short) \
    EMULATED_SMALL_INTEGER(T, word, ushort, unsigned short) \
    EMULATED_SMALL_INTEGER(T, word, ll, long long) \
    EMULATED_SMALL_INTEGER(T, word, ull, unsigned long long) \
    inline short __##word##_as_short(T a) { return short(a.__x); } \
    inline unsigned short __##word##_as_ushort(T a) { return a.__x; } \
    inline T __short_as_##word(short a) { return T::of_bits((unsigned short)(a)); } \
    inline T __ushort_as_##word(unsigned short a) { return T::of_bits(a); } \
    inline T2 __##word##2##word##2(T a) { return {a, a}; } \
    inline T2 __halves2##word##2(T a, T b) { return {a, b}; } \
    inline T2 make_##word##2(T a, T b) { return {a, b}; } \
    inline T __low2##word(T2 a) { return a.x; } \
    inline T __high2##word(T2 a) { return a.y; } \
    inline T2 __low2##word##2(T2 a) { return {a.x, a.x}; } \
    inline T2 __high2##word##2(T2 a) { return {a.y, a.y}; } \
    inline T2 __lows2##word##2(T2 a, T2 b) { return {a.x, b.x}; } \
    inline T2 __highs2##word##2(T2 a, T2 b) { return {a.y, b.y}; } \
    inline T2 __lowhigh2highlow(T2 a) { return {a.y, a.x}; } \
    inline float __low2float(T2 a) { return a.x; } \
    inline float __high2float(T2 a) { return a.y; } \
    inline float2 __##word##22float2(T2 a) { return {float(a.x), float(a.y)}; } \
    inline T2 __float2##word##2_rn(float a) { return {T(a), T(a)}; } \
    inline T2 __floats2##word##2_rn(float a, float b) { return {T(a), T(b)}; } \
    inline T2 __float22##word##2_rn(float2 a) { return {T(a.x), T(a.y)}; } \
    EMULATED_SMALL_BINARY(T, T2, __hadd, +) \
    EMULATED_SMALL_BINARY(T, T2, __hsub, -) \
    EMULATED_SMALL_BINARY(T, T2, __hmul, *) \
    inline T __hdiv(T a, T b) { return T(float(a) / float(b)); } \
    inline T2 __h2div(T2 a, T2 b) { return {__hdiv(a.x, b.x), __hdiv(a.y, b.y)}; } \
    inline T __hneg(T a) { return T::of_bits(a.__x ^ 0x8000); } \
    inline T2 __hneg2(T2 a) { return {__hneg(a.x), __hneg(a.y)}; } \
    inline T __habs(T a) { return T::of_bits(a.__x & 0x7fff); } \
    inline T2 __habs2(T2 a) { return {__habs(a.x), __habs(a.y)}; } \
    inline T __hfma(T a, T b, T c) { return T(emulated::odd_fma(a, b, c)); } \
    inline T2 __hfma2(T2 a, T2 b, T2 c) { return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)}; } \
    inline T __hfma_relu(T a, T b, T c) { \
        const float f = __hfma(a, b, c); \
        return T(f != f ? f : f > 0 ? f : 0.f); \
    } \
    inline T __hfma_sat(T a, T b, T c) { return T(__saturatef(__hfma(a, b, c))); } \
    inline T __hadd_sat(T a, T b) { return T(__saturatef(__hadd(a, b))); } \
    inline T __hmul_sat(T a, T b) { return T(__saturatef(__hmul(a, b))); } \
    inline bool __hisnan(T a) { return (a.__x & 0x7fff) > emulated::to(INFINITY); } \
    inline int __hisinf(T a) { return (a.__x & 0x7fff) != emulated::to(INFINITY) ? 0 : a.__x & 0x8000 ? -1 : 1; } \
    inline T __hmax(T a, T b) { return T(::fmaxf(a, b)); } \
    inline T __hmin(T a, T b) { return T(::fminf(a, b)); } \
    inline T __hmax_nan(T a, T b) { return __hisnan(a) ? a : __hisnan(b) ? b : __hmax(a, b); } \
    inline T __hmin_nan(T a, T b) { return __hisnan(a) ? a : __hisnan(b) ? b : __hmin(a, b); } \
    inline T2 __hmax2(T2 a, T2 b) { return {__hmax(a.x, b.x), __hmax(a.y, b.y)}; } \
    inline T2 __hmin2(T2 a, T2 b) { return {__hmin(a.x, b.x), __hmin(a.y, b.y)}; } \
    EMULATED_SMALL_COMPARE(T, T2, eq, ==, false) \
    EMULATED_SMALL_COMPARE(T, T2, ne, !=, true) \
    EMULATED_SMALL_COMPARE(T, T2, lt, <, false) \
    EMULATED_SMALL_COMPARE(T, T2, le, <=, false) \
    EMULATED_SMALL_COMPARE(T, T2, gt, >, false) \
    EMULATED_SMALL_COMPARE(T, T2, ge, >=, false) \
    EMULATED_SMALL_MATH(T, T2, sqrt, ::sqrtf(x)) \
    EMULATED_SMALL_MATH(T, T2, rsqrt, ::rsqrtf(x)) \
    EMULATED_SMALL_MATH(T, T2, rcp, 1.f / x) \
    EMULATED_SMALL_MATH(T, T2, exp, ::expf(x)) \
    EMULATED_SMALL_MATH(T, T2, exp2, ::exp2f(x)) \
    EMULATED_SMALL_MATH(T, T2, exp10, ::exp10f(x)) \
    EMULATED_SMALL_MATH(T, T2, log, ::logf(x)) \
    EMULATED_SMALL_MATH(T, T2, log2, ::log2f(x)) \
    EMULATED_SMALL_MATH(T, T2, log10, ::log10f(x)) \
    EMULATED_SMALL_MATH(T, T2, sin, ::sinf(x)) \
    EMULATED_SMALL_MATH(T, T2, cos, ::cosf(x)) \
    EMULATED_SMALL_MATH(T, T2, tanh, ::tanhf(x)) \
    EMULATED_SMALL_MATH(T, T2, floor, ::floorf(x)) \
    EMULATED_SMALL_MATH(T, T2, ceil, ::ceilf(x)) \
    EMULATED_SMALL_MATH(T, T2, trunc, ::truncf(x)) \
    EMULATED_SMALL_MATH(T, T2, rint, ::rintf(x)) \
    EMULATED_ATOMIC(T, atomicAdd, __hadd(old, value)) \
    EMULATED_ATOMIC(T2, atomicAdd, __hadd2(old, value))

#define EMULATED_SMALL_INTEGER(T, word, name, N) \
    inline T __##name##2##word##_rn(N a) { return T(a); } \
    inline T __##name##2##word##_rz(N a) { return __float2##word##_rz(T::make_float(a)); } \
    inline T __##name##2##word##_rd(N a) { return __float2##word##_rd(T::make_float(a)); } \
    inline T __##name##2##word##_ru(N a) { return __float2##word##_ru(T::make_float(a)); } \
    inline N __##word##2##name##_rn(T a) { return static_cast<N>(emulated::to_integer<emulated::Wide<N>>(::rint(double(a)))); } \
    inline N __##word##2##name##_rz(T a) { return static_cast<N>(emulated::to_integer<emulated::Wide<N>>(::trunc(double(a)))); } \
    inline N __##word##2##name##_rd(T a) { return static_cast<N>(emulated::to_integer<emulated::Wide<N>>(::floor(double(a)))); } \
    inline N __##word##2##name##_ru(T a) { return static_cast<N>(emulated::to_integer<emulated::Wide<N>>(::ceil(double(a)))); }
#define EMULATED_SMALL_BINARY(T, T2, name, op) \
    inline T name(T a, T b) { return T(float(a) op float(b)); } \
    inline T name##_rn(T a, T b) { return T(float(a) op float(b)); } \
    inline T2 name##2(T2 a, T2 b) { return {name(a.x, b.x), name(a.y, b.y)}; } \
    inline T2 name##2_rn(T2 a, T2 b) { return {name(a.x, b.x), name(a.y, b.y)}; }
#define EMULATED_SMALL_COMPARE(T, T2, name, op, unordered) \
    inline bool __h##name(T a, T b) { return float(a) op float(b) && !(unordered && (__hisnan(a) || __hisnan(b))); } \
    inline bool __h##name##u(T a, T b) { return float(a) op float(b) || __hisnan(a) || __hisnan(b); } \
    inline T2 __h##name##2(T2 a, T2 b) { return {T(float(__h##name(a.x, b.x))), T(float(__h##name(a.y, b.y)))}; } \
    inline bool __hb##name##2(T2 a, T2 b) { return __h##name(a.x, b.x) && __h##name(a.y, b.y); }
// Operators of one and of two, which programs can switch off. With a number of another type the
// conversion to float decides, as for any class that has it.
#define EMULATED_SMALL_OPERATORS(T) \
    EMULATED_SMALL_OPERATOR(T, +, __hadd) \
    EMULATED_SMALL_OPERATOR(T, -, __hsub) \
    EMULATED_SMALL_OPERATOR(T, *, __hmul) \
    EMULATED_SMALL_OPERATOR(T, /, __hdiv) \
    EMULATED_SMALL_ORDER(T, ==) \
    EMULATED_SMALL_ORDER(T, !=) \
    EMULATED_SMALL_ORDER(T, <) \
    EMULATED_SMALL_ORDER(T, <=) \
    EMULATED_SMALL_ORDER(T, >) \
    EMULATED_SMALL_ORDER(T, >=) \
    inline T operator+(T a) { return a; } \
    inline T operator-(T a) { return __hneg(a); } \
    inline T &operator++(T &a) { return a = __hadd(a, T(1.f)); } \
    inline T &operator--(T &a) { return a = __hsub(a, T(1.f)); }
#define EMULATED_SMALL_OPERATOR(T, op, name) \
    inline T operator op(T a, T b) { return name(a, b); } \
    inline T &operator op##=(T &a, T b) { return a = name(a, b); } \
    EMULATED_SMALL_MIXED(T, op)
#define EMULATED_SMALL_ORDER(T, op) \
    inline bool operator op(T a, T b) { return float(a) op float(b); } \
    EMULATED_SMALL_MIXED(T, op)
#define EMULATED_SMALL_MIXED(T, op) \
    template <class N, class = std::enable_if_t<::emulated::is_number<N>>> \
    inline auto operator op(T a, N b) { \
        return float(a) op b; \
    } \
    template <class N, class = std::enable_if_t<::emulated::is_number<N>>> \
    inline auto operator op(N a, T b) { \
        return a op float(b); \
    }
#define EMULATED_SMALL_OPERATORS_2(T2) \
    EMULATED_SMALL_OPERATOR_2(T2, +, __hadd2) \
    EMULATED_SMALL_OPERATOR_2(T2, -, __hsub2) \
    EMULATED_SMALL_OPERATOR_2(T2, *, __hmul2) \
    EMULATED_SMALL_OPERATOR_2(T2, /, __h2div) \
    inline T2 operator+(T2 a) { return a; } \
    inline T2 operator-(T2 a) { return __hneg2(a); } \
    inline bool operator==(T2 a, T2 b) { return __hbeq2(a, b); } \
    inline bool operator!=(T2 a, T2 b) { return __hneu(a.x, b.x) && __hneu(a.y, b.y); } \
    inline bool operator<(T2 a, T2 b) { return __hblt2(a, b); } \
    inline bool operator<=(T2 a, T2 b) { return __hble2(a, b); } \
    inline bool operator>(T2 a, T2 b) { return __hbgt2(a, b); } \
    inline bool operator>=(T2 a, T2 b) { return __hbge2(a, b); }
#define EMULATED_SMALL_OPERATOR_2(T2, op, name) \
    inline T2 operator op(T2 a, T2 b) { return name(a, b); } \
    inline T2 &operator op##=(T2 &a, T2 b) { return a = name(a, b); }
#define EMULATED_SMALL_MATH(T, T2, name, expression) \
    inline T h##name(T a) { \
        const float x = a; \
        return T(expression); \
    } \
    inline T2 h2##name(T2 a) { return {h##name(a.x), h##name(a.y)}; }

namespace emulated {
template <class N>
using Wide = std::conditional_t<(sizeof(N) < 4), int, N>;
}  // namespace emulated
