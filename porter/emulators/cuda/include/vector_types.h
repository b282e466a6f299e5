// CUDA's vector types and dim3, after "CUDA C++ Programming Guide", Built-in Vector Types.
#pragma once

#define EMULATED_VECTORS(name, T, two, four) \
    struct name##1 { T x; }; \
    struct alignas(two) name##2 { T x, y; }; \
    struct name##3 { T x, y, z; }; \
    struct alignas(four) name##4 { T x, y, z, w; }; \
    static inline constexpr name##1 make_##name##1(T x) { return {x}; } \
    static inline constexpr name##2 make_##name##2(T x, T y) { return {x, y}; } \
    static inline constexpr name##3 make_##name##3(T x, T y, T z) { return {x, y, z}; } \
    static inline constexpr name##4 make_##name##4(T x, T y, T z, T w) { return {x, y, z, w}; }

EMULATED_VECTORS(char, signed char, 2, 4)
EMULATED_VECTORS(uchar, unsigned char, 2, 4)
EMULATED_VECTORS(short, short, 4, 8)
EMULATED_VECTORS(ushort, unsigned short, 4, 8)
EMULATED_VECTORS(int, int, 8, 16)
EMULATED_VECTORS(uint, unsigned int, 8, 16)
EMULATED_VECTORS(long, long, 16, 16)
EMULATED_VECTORS(ulong, unsigned long, 16, 16)
EMULATED_VECTORS(longlong, long long, 16, 16)
EMULATED_VECTORS(ulonglong, unsigned long long, 16, 16)
EMULATED_VECTORS(float, float, 8, 16)
EMULATED_VECTORS(double, double, 16, 16)
#undef EMULATED_VECTORS

// Since CUDA 13 the four of 64 bits are also named by their alignment.
#define EMULATED_ALIGNED(name, T, bytes) \
    struct alignas(bytes) name##4_##bytes##a { T x, y, z, w; }; \
    static inline constexpr name##4_##bytes##a make_##name##4_##bytes##a(T x, T y, T z, T w) { return {x, y, z, w}; }
#define EMULATED_ALIGNED_BOTH(name, T) EMULATED_ALIGNED(name, T, 16) EMULATED_ALIGNED(name, T, 32)
EMULATED_ALIGNED_BOTH(long, long)
EMULATED_ALIGNED_BOTH(ulong, unsigned long)
EMULATED_ALIGNED_BOTH(longlong, long long)
EMULATED_ALIGNED_BOTH(ulonglong, unsigned long long)
EMULATED_ALIGNED_BOTH(double, double)
#undef EMULATED_ALIGNED_BOTH
#undef EMULATED_ALIGNED

struct dim3 {
    unsigned int x, y, z;
    constexpr dim3(unsigned int x = 1, unsigned int y = 1, unsigned int z = 1) : x(x), y(y), z(z) {}
    constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    constexpr operator uint3() const { return {x, y, z}; }
};
