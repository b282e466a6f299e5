// Atomic functions, after "CUDA C++ Programming Guide", 10.14. One thread runs at a time and gives
// way only where it waits, so plain loads and stores are atomic.
#pragma once
#include "core.h"

namespace emulated {

// Lets other threads run now and then, in case this one waits for what they store; one that
// `hopes` in vain for very long is told.
EMULATED_PUBLIC void spin(bool hopes);

struct Atomically {
    Atomically() { state.atomically = true; }
    ~Atomically() { state.atomically = false; }
};

template <class T, class F>
inline T exchange(T *p, F f) {
    T old, value;
    {
        Atomically now;
        old = *p;
        *p = value = f(old);
    }
    if (__builtin_memcmp(&old, &value, sizeof old) == 0) spin(false);
    return old;
}
template <class T>
inline T compare_and_swap(T *p, T expected, T value) {
    T old;
    {
        Atomically now;
        old = *p;
        if (__builtin_memcmp(&old, &expected, sizeof old) == 0) {
            *p = value;
            return old;
        }
    }
    spin(true);
    return old;
}
template <class T>
inline T wrapping_add(T a, T b) {
    return a + b;
}
inline int wrapping_add(int a, int b) { return int(unsigned(a) + unsigned(b)); }

}  // namespace emulated

#define EMULATED_ATOMIC_1(T, name, expression) \
    inline T name(T *p, T value) { \
        return emulated::exchange(p, [value](T old) -> T { return expression; }); \
    }
// The forms for a block and for the system are the same on one CPU.
#define EMULATED_ATOMIC(T, name, expression) \
    EMULATED_ATOMIC_1(T, name, expression) \
    EMULATED_ATOMIC_1(T, name##_block, expression) \
    EMULATED_ATOMIC_1(T, name##_system, expression)
#define EMULATED_BITS(T) \
    EMULATED_ATOMIC(T, atomicAnd, old &value) \
    EMULATED_ATOMIC(T, atomicOr, old | value) \
    EMULATED_ATOMIC(T, atomicXor, old ^ value)
#define EMULATED_ORDER(T) \
    EMULATED_ATOMIC(T, atomicMin, value < old ? value : old) \
    EMULATED_ATOMIC(T, atomicMax, value > old ? value : old)
#define EMULATED_CAS(T) \
    inline T atomicCAS(T *p, T expected, T value) { return emulated::compare_and_swap(p, expected, value); } \
    inline T atomicCAS_block(T *p, T expected, T value) { return emulated::compare_and_swap(p, expected, value); } \
    inline T atomicCAS_system(T *p, T expected, T value) { return emulated::compare_and_swap(p, expected, value); }
#define EMULATED_INTEGER(T) EMULATED_BITS(T) EMULATED_ORDER(T)

EMULATED_INTEGER(int)
EMULATED_INTEGER(unsigned)
EMULATED_INTEGER(long long)
EMULATED_INTEGER(unsigned long long)
EMULATED_ATOMIC(int, atomicAdd, emulated::wrapping_add(old, value))
EMULATED_ATOMIC(unsigned, atomicAdd, old + value)
EMULATED_ATOMIC(unsigned long long, atomicAdd, old + value)
EMULATED_ATOMIC(float, atomicAdd, old + value)
EMULATED_ATOMIC(double, atomicAdd, old + value)
EMULATED_ATOMIC(int, atomicSub, int(unsigned(old) - unsigned(value)))
EMULATED_ATOMIC(unsigned, atomicSub, old - value)
EMULATED_ATOMIC(int, atomicExch, (void(old), value))
EMULATED_ATOMIC(unsigned, atomicExch, (void(old), value))
EMULATED_ATOMIC(unsigned long long, atomicExch, (void(old), value))
EMULATED_ATOMIC(float, atomicExch, (void(old), value))
EMULATED_ATOMIC(unsigned, atomicInc, old >= value ? 0u : old + 1)
EMULATED_ATOMIC(unsigned, atomicDec, old == 0 || old > value ? value : old - 1)
EMULATED_CAS(int)
EMULATED_CAS(unsigned)
EMULATED_CAS(unsigned long long)
EMULATED_CAS(unsigned short)
#define EMULATED_VECTOR_ADD(T, ...) EMULATED_ATOMIC(T, atomicAdd, (T{__VA_ARGS__}))
EMULATED_VECTOR_ADD(float2, old.x + value.x, old.y + value.y)
EMULATED_VECTOR_ADD(float4, old.x + value.x, old.y + value.y, old.z + value.z, old.w + value.w)
#undef EMULATED_VECTOR_ADD
#undef EMULATED_INTEGER
#undef EMULATED_CAS
#undef EMULATED_ORDER
#undef EMULATED_BITS
