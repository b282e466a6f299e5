// Device mathematics, after "CUDA Math API". What the C library has is taken from there; the fast
// forms (`__expf`) are the exact functions, rounded to float: a GPU's differ in the last bits.
#pragma once
#include <cfenv>
#include <climits>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <type_traits>

#include "core.h"

#include <math.h>
#include <stdlib.h>

#define EMULATED_FUNCTION static inline __attribute__((unused))

// min and max: of two integers by the usual conversions, of two floats with NaN ignored.
#define EMULATED_MINMAX(A, B, R) \
    EMULATED_FUNCTION constexpr R min(A a, B b) { const R x = a, y = b; return x < y ? x : y; } \
    EMULATED_FUNCTION constexpr R max(A a, B b) { const R x = a, y = b; return x > y ? x : y; }
EMULATED_MINMAX(int, int, int)
EMULATED_MINMAX(unsigned, unsigned, unsigned)
EMULATED_MINMAX(int, unsigned, unsigned)
EMULATED_MINMAX(unsigned, int, unsigned)
EMULATED_MINMAX(long, long, long)
EMULATED_MINMAX(unsigned long, unsigned long, unsigned long)
EMULATED_MINMAX(long, unsigned long, unsigned long)
EMULATED_MINMAX(unsigned long, long, unsigned long)
EMULATED_MINMAX(long long, long long, long long)
EMULATED_MINMAX(unsigned long long, unsigned long long, unsigned long long)
EMULATED_MINMAX(long long, unsigned long long, unsigned long long)
EMULATED_MINMAX(unsigned long long, long long, unsigned long long)
#undef EMULATED_MINMAX
#define EMULATED_MINMAX(A, B, R, suffix) \
    EMULATED_FUNCTION R min(A a, B b) { return ::fmin##suffix(R(a), R(b)); } \
    EMULATED_FUNCTION R max(A a, B b) { return ::fmax##suffix(R(a), R(b)); }
EMULATED_MINMAX(float, float, float, f)
EMULATED_MINMAX(double, double, double, )
EMULATED_MINMAX(float, double, double, )
EMULATED_MINMAX(double, float, double, )
#undef EMULATED_MINMAX
using std::abs;
using std::isfinite;
using std::isinf;
using std::isnan;
using std::signbit;

#define EMULATED_FLOAT(name, argument, expression) \
    EMULATED_FUNCTION float name(float argument) { return expression; }
#define EMULATED_DOUBLE(name, argument, expression) \
    EMULATED_FUNCTION double name(double argument) { return expression; }
#define EMULATED_BOTH(name, argument, expression) \
    EMULATED_FUNCTION float name##f(float a) { \
        const double argument = a; \
        return float(expression); \
    } \
    EMULATED_DOUBLE(name, argument, expression)
EMULATED_BOTH(rsqrt, x, 1.0 / ::sqrt(x))
EMULATED_BOTH(rcbrt, x, 1.0 / ::cbrt(x))
EMULATED_BOTH(sinpi, x, ::sin(M_PI *::remainder(x, 2.0)))
EMULATED_BOTH(cospi, x, ::cos(M_PI *::remainder(x, 2.0)))
EMULATED_BOTH(normcdf, x, 0.5 * ::erfc(-x * M_SQRT1_2))
EMULATED_BOTH(erfcx, x, ::exp(x *x) * ::erfc(x))
EMULATED_FLOAT(__frsqrt_rn, x, float(1.0 / ::sqrt(double(x))))
EMULATED_FLOAT(__saturatef, x, x > 0.f ? (x < 1.f ? x : 1.f) : 0.f)
EMULATED_FLOAT(__fsqrt_rn, x, ::sqrtf(x))
EMULATED_FLOAT(__frcp_rn, x, 1.f / x)
EMULATED_DOUBLE(__dsqrt_rn, x, ::sqrt(x))
EMULATED_DOUBLE(__drcp_rn, x, 1.0 / x)
EMULATED_FUNCTION float __fdividef(float x, float y) { return x / y; }
EMULATED_FUNCTION float fdividef(float x, float y) { return x / y; }
EMULATED_FUNCTION void sincospif(float x, float *s, float *c) { *s = sinpif(x), *c = cospif(x); }
EMULATED_FUNCTION void sincospi(double x, double *s, double *c) { *s = sinpi(x), *c = cospi(x); }
EMULATED_FUNCTION float rhypotf(float x, float y) { return float(1.0 / ::hypot(double(x), double(y))); }
EMULATED_FUNCTION float norm3df(float a, float b, float c) {
    return float(::sqrt(double(a) * a + double(b) * b + double(c) * c));
}
EMULATED_FUNCTION float rnorm3df(float a, float b, float c) {
    return float(1.0 / ::sqrt(double(a) * a + double(b) * b + double(c) * c));
}
EMULATED_FUNCTION float norm4df(float a, float b, float c, float d) {
    return float(::sqrt(double(a) * a + double(b) * b + double(c) * c + double(d) * d));
}
EMULATED_FUNCTION float rsqrt(float x) { return rsqrtf(x); }

// The C library declares these names for itself, and offers none of them.
#define EMULATED_FAST(name) \
    extern "C" inline float __##name(float x) noexcept { return ::name(x); }
EMULATED_FAST(expf)
EMULATED_FAST(exp10f)
EMULATED_FAST(logf)
EMULATED_FAST(log2f)
EMULATED_FAST(log10f)
EMULATED_FAST(sinf)
EMULATED_FAST(cosf)
EMULATED_FAST(tanf)
EMULATED_FAST(tanhf)
#undef EMULATED_FAST
extern "C" inline float __powf(float x, float y) noexcept { return ::powf(x, y); }
extern "C" inline void __sincosf(float x, float *s, float *c) noexcept { *s = ::sinf(x), *c = ::cosf(x); }

// Arithmetic with a stated rounding.
namespace emulated {
template <class F>
__attribute__((noinline)) auto rounded(int mode, F f) {
    const int old = std::fegetround();
    std::fesetround(mode);
    volatile auto value = f();
    std::fesetround(old);
    return decltype(f())(value);
}
}  // namespace emulated
#define EMULATED_ROUNDED(suffix, mode) \
    EMULATED_FUNCTION float __fadd_##suffix(float a, float b) { \
        volatile float x = a, y = b; \
        return emulated::rounded(mode, [&] { return x + y; }); \
    } \
    EMULATED_FUNCTION float __fsub_##suffix(float a, float b) { \
        volatile float x = a, y = b; \
        return emulated::rounded(mode, [&] { return x - y; }); \
    } \
    EMULATED_FUNCTION float __fmul_##suffix(float a, float b) { \
        volatile float x = a, y = b; \
        return emulated::rounded(mode, [&] { return x * y; }); \
    } \
    EMULATED_FUNCTION float __fdiv_##suffix(float a, float b) { \
        volatile float x = a, y = b; \
        return emulated::rounded(mode, [&] { return x / y; }); \
    } \
    EMULATED_FUNCTION float __fmaf_##suffix(float a, float b, float c) { \
        volatile float x = a, y = b, z = c; \
        return emulated::rounded(mode, [&] { return ::fmaf(x, y, z); }); \
    } \
    EMULATED_FUNCTION double __dadd_##suffix(double a, double b) { \
        volatile double x = a, y = b; \
        return emulated::rounded(mode, [&] { return x + y; }); \
    } \
    EMULATED_FUNCTION double __dmul_##suffix(double a, double b) { \
        volatile double x = a, y = b; \
        return emulated::rounded(mode, [&] { return x * y; }); \
    } \
    EMULATED_FUNCTION double __ddiv_##suffix(double a, double b) { \
        volatile double x = a, y = b; \
        return emulated::rounded(mode, [&] { return x / y; }); \
    } \
    EMULATED_FUNCTION double __fma_##suffix(double a, double b, double c) { \
        volatile double x = a, y = b, z = c; \
        return emulated::rounded(mode, [&] { return ::fma(x, y, z); }); \
    } \
    EMULATED_FUNCTION float __int2float_##suffix(int a) { \
        volatile int x = a; \
        return emulated::rounded(mode, [&] { return float(x); }); \
    } \
    EMULATED_FUNCTION float __uint2float_##suffix(unsigned a) { \
        volatile unsigned x = a; \
        return emulated::rounded(mode, [&] { return float(x); }); \
    } \
    EMULATED_FUNCTION float __ll2float_##suffix(long long a) { \
        volatile long long x = a; \
        return emulated::rounded(mode, [&] { return float(x); }); \
    } \
    EMULATED_FUNCTION float __double2float_##suffix(double a) { \
        volatile double x = a; \
        return emulated::rounded(mode, [&] { return float(x); }); \
    }
EMULATED_ROUNDED(rd, FE_DOWNWARD)
EMULATED_ROUNDED(ru, FE_UPWARD)
EMULATED_ROUNDED(rz, FE_TOWARDZERO)
#undef EMULATED_ROUNDED
// To nearest is what the CPU does anyway; contraction to fma is off (-ffp-contract=off).
EMULATED_FUNCTION float __fadd_rn(float a, float b) { return a + b; }
EMULATED_FUNCTION float __fsub_rn(float a, float b) { return a - b; }
EMULATED_FUNCTION float __fmul_rn(float a, float b) { return a * b; }
EMULATED_FUNCTION float __fdiv_rn(float a, float b) { return a / b; }
EMULATED_FUNCTION float __fmaf_rn(float a, float b, float c) { return ::fmaf(a, b, c); }
EMULATED_FUNCTION float __fmaf_ieee_rn(float a, float b, float c) { return ::fmaf(a, b, c); }
EMULATED_FUNCTION double __dadd_rn(double a, double b) { return a + b; }
EMULATED_FUNCTION double __dsub_rn(double a, double b) { return a - b; }
EMULATED_FUNCTION double __dmul_rn(double a, double b) { return a * b; }
EMULATED_FUNCTION double __ddiv_rn(double a, double b) { return a / b; }
EMULATED_FUNCTION double __fma_rn(double a, double b, double c) { return ::fma(a, b, c); }
EMULATED_FUNCTION float __int2float_rn(int x) { return float(x); }
EMULATED_FUNCTION float __uint2float_rn(unsigned x) { return float(x); }
EMULATED_FUNCTION float __ll2float_rn(long long x) { return float(x); }
EMULATED_FUNCTION float __ull2float_rn(unsigned long long x) { return float(x); }
EMULATED_FUNCTION double __int2double_rn(int x) { return x; }
EMULATED_FUNCTION double __uint2double_rn(unsigned x) { return x; }
EMULATED_FUNCTION double __ll2double_rn(long long x) { return double(x); }
EMULATED_FUNCTION float __double2float_rn(double x) { return float(x); }

// Conversions to integers: a value that does not fit gives the nearest that does, NaN gives zero
// (32 bits) or the lowest (64 bits), as the PTX manual has it for cvt.
namespace emulated {
template <class T>
inline T to_integer(double rounded) {
    if (rounded != rounded) return sizeof(T) == 8 ? (T(1) << 63) : T(0);
    constexpr double low = std::is_signed_v<T> ? -(sizeof(T) == 8 ? 0x1p63 : 0x1p31) : 0.0;
    constexpr double end = (sizeof(T) == 8 ? 0x1p63 : 0x1p31) * (std::is_signed_v<T> ? 1 : 2);
    if (rounded < low) return std::is_signed_v<T> ? T(T(1) << (sizeof(T) * 8 - 1)) : T(0);
    if (rounded >= end) return std::is_signed_v<T> ? T(~(T(1) << (sizeof(T) * 8 - 1))) : T(~T(0));
    return T(rounded);
}
}  // namespace emulated
#define EMULATED_TO(From, from, T, to) \
    EMULATED_FUNCTION T __##from##2##to##_rn(From x) { return emulated::to_integer<T>(::rint(double(x))); } \
    EMULATED_FUNCTION T __##from##2##to##_rz(From x) { return emulated::to_integer<T>(::trunc(double(x))); } \
    EMULATED_FUNCTION T __##from##2##to##_rd(From x) { return emulated::to_integer<T>(::floor(double(x))); } \
    EMULATED_FUNCTION T __##from##2##to##_ru(From x) { return emulated::to_integer<T>(::ceil(double(x))); }
EMULATED_TO(float, float, int, int)
EMULATED_TO(float, float, unsigned, uint)
EMULATED_TO(float, float, long long, ll)
EMULATED_TO(float, float, unsigned long long, ull)
EMULATED_TO(double, double, int, int)
EMULATED_TO(double, double, unsigned, uint)
EMULATED_TO(double, double, long long, ll)
EMULATED_TO(double, double, unsigned long long, ull)
#undef EMULATED_TO

// The bits of a number.
namespace emulated {
template <class To, class From>
inline To bits(From value) {
    static_assert(sizeof(To) == sizeof(From));
    To result;
    __builtin_memcpy(&result, &value, sizeof result);
    return result;
}
}  // namespace emulated
EMULATED_FUNCTION int __float_as_int(float x) { return emulated::bits<int>(x); }
EMULATED_FUNCTION unsigned __float_as_uint(float x) { return emulated::bits<unsigned>(x); }
EMULATED_FUNCTION float __int_as_float(int x) { return emulated::bits<float>(x); }
EMULATED_FUNCTION float __uint_as_float(unsigned x) { return emulated::bits<float>(x); }
EMULATED_FUNCTION long long __double_as_longlong(double x) { return emulated::bits<long long>(x); }
EMULATED_FUNCTION double __longlong_as_double(long long x) { return emulated::bits<double>(x); }
EMULATED_FUNCTION int __double2hiint(double x) { return int(emulated::bits<uint64_t>(x) >> 32); }
EMULATED_FUNCTION int __double2loint(double x) { return int(emulated::bits<uint64_t>(x)); }
EMULATED_FUNCTION double __hiloint2double(int hi, int lo) {
    return emulated::bits<double>(uint64_t(unsigned(hi)) << 32 | unsigned(lo));
}

EMULATED_FUNCTION int __popc(unsigned x) { return __builtin_popcount(x); }
EMULATED_FUNCTION int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
EMULATED_FUNCTION int __clz(int x) { return x ? __builtin_clz(unsigned(x)) : 32; }
EMULATED_FUNCTION int __clzll(long long x) { return x ? __builtin_clzll((unsigned long long)x) : 64; }
EMULATED_FUNCTION int __ffs(int x) { return __builtin_ffs(x); }
EMULATED_FUNCTION int __ffsll(long long x) { return __builtin_ffsll(x); }
EMULATED_FUNCTION unsigned long long __brevll(unsigned long long x) {
    unsigned long long r = 0;
    for (int k = 0; k < 64; ++k, x >>= 1) r = r << 1 | (x & 1);
    return r;
}
EMULATED_FUNCTION unsigned __brev(unsigned x) { return unsigned(__brevll(x) >> 32); }
EMULATED_FUNCTION int __mulhi(int a, int b) { return int((long long)a * b >> 32); }
EMULATED_FUNCTION unsigned __umulhi(unsigned a, unsigned b) { return unsigned((unsigned long long)a * b >> 32); }
EMULATED_FUNCTION long long __mul64hi(long long a, long long b) { return (long long)((__int128)a * b >> 64); }
EMULATED_FUNCTION unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
    return (unsigned long long)((unsigned __int128)a * b >> 64);
}
EMULATED_FUNCTION int __mul24(int a, int b) { return int(unsigned(a << 8 >> 8) * unsigned(b << 8 >> 8)); }
EMULATED_FUNCTION unsigned __umul24(unsigned a, unsigned b) { return (a & 0xffffffu) * (b & 0xffffffu); }
EMULATED_FUNCTION unsigned __sad(int a, int b, unsigned c) {
    return c + (a > b ? unsigned(a) - unsigned(b) : unsigned(b) - unsigned(a));
}
EMULATED_FUNCTION unsigned __usad(unsigned a, unsigned b, unsigned c) { return c + (a > b ? a - b : b - a); }
EMULATED_FUNCTION int __hadd(int a, int b) { return int(((long long)a + b) >> 1); }
EMULATED_FUNCTION int __rhadd(int a, int b) { return int(((long long)a + b + 1) >> 1); }
EMULATED_FUNCTION unsigned __funnelshift_l(unsigned lo, unsigned hi, unsigned shift) {
    return unsigned(((uint64_t(hi) << 32 | lo) << (shift & 31)) >> 32);
}
EMULATED_FUNCTION unsigned __funnelshift_r(unsigned lo, unsigned hi, unsigned shift) {
    return unsigned((uint64_t(hi) << 32 | lo) >> (shift & 31));
}
EMULATED_FUNCTION unsigned __byte_perm(unsigned a, unsigned b, unsigned selector) {
    const uint64_t bytes = uint64_t(b) << 32 | a;
    unsigned result = 0;
    for (int k = 0; k < 4; ++k) {
        const unsigned s = selector >> 4 * k & 15, byte = unsigned(bytes >> 8 * (s & 7)) & 0xff;
        result |= (s & 8 ? (byte & 0x80 ? 0xffu : 0u) : byte) << 8 * k;
    }
    return result;
}
EMULATED_FUNCTION int __dp4a(int a, int b, int c) {
    for (int k = 0; k < 4; ++k) c += int(int8_t(a >> 8 * k)) * int(int8_t(b >> 8 * k));
    return c;
}
EMULATED_FUNCTION unsigned __dp4a(unsigned a, unsigned b, unsigned c) {
    for (int k = 0; k < 4; ++k) c += (a >> 8 * k & 0xff) * (b >> 8 * k & 0xff);
    return c;
}

// Loads and stores with a hint for a cache are plain ones.
#define EMULATED_LOAD(name) \
    template <class T> \
    inline T name(const T *p) { \
        return *p; \
    }
EMULATED_LOAD(__ldg)
EMULATED_LOAD(__ldca)
EMULATED_LOAD(__ldcg)
EMULATED_LOAD(__ldcs)
EMULATED_LOAD(__ldlu)
EMULATED_LOAD(__ldcv)
#undef EMULATED_LOAD
#define EMULATED_STORE(name) \
    template <class T> \
    inline void name(T *p, T value) { \
        *p = value; \
    }
EMULATED_STORE(__stwb)
EMULATED_STORE(__stcg)
EMULATED_STORE(__stcs)
EMULATED_STORE(__stwt)
#undef EMULATED_STORE

EMULATED_FUNCTION long long clock64() {
    return (long long)__builtin_ia32_rdtsc();
}
EMULATED_FUNCTION void __nanosleep(unsigned) {}

// One space of addresses.
#define EMULATED_SPACE(name) \
    EMULATED_FUNCTION size_t __cvta_generic_to_##name(const void *p) { return reinterpret_cast<size_t>(p); } \
    EMULATED_FUNCTION void *__cvta_##name##_to_generic(size_t p) { return reinterpret_cast<void *>(p); }
EMULATED_SPACE(shared)
EMULATED_SPACE(global)
EMULATED_SPACE(local)
EMULATED_SPACE(constant)
#undef EMULATED_SPACE
