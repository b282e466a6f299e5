// Warp functions, after "CUDA C++ Programming Guide", 10.17 to 10.22.
#pragma once
#include <type_traits>

#include "core.h"

namespace emulated {

// Lane that a value comes from within groups of `width` lanes; its own where it would be outside.
inline unsigned source_index(int index, int width) {
    const unsigned l = lane(), w = unsigned(width);
    return (l & ~(w - 1)) | (unsigned(index) & (w - 1));
}
inline unsigned source_up(unsigned delta, int width) {
    const unsigned l = lane(), first = l & ~(unsigned(width) - 1);
    return l - first >= delta ? l - delta : l;
}
inline unsigned source_down(unsigned delta, int width) {
    const unsigned l = lane(), first = l & ~(unsigned(width) - 1);
    return l - first + uint64_t(delta) < unsigned(width) ? l + delta : l;
}
inline unsigned source_xor(int mask, int width) {
    // A later group's lane gives the lane's own value; an earlier group's can be read.
    const unsigned l = lane(), end = (l & ~(unsigned(width) - 1)) + unsigned(width);
    const unsigned from = l ^ unsigned(mask);
    return from < end ? from : l;
}

template <class T>
inline T shuffle(unsigned mask, T value, unsigned from, const char *file, unsigned line) {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= 32);
    Op op{Together::shuffle, mask, from, unsigned(sizeof value), &value, nullptr, 0, 0, file, line};
    together(op);
    return value;
}

inline Op vote(unsigned mask, int predicate, const char *file, unsigned line) {
    Op op{Together::vote, mask, 0, 0, nullptr, nullptr, predicate != 0, 0, file, line};
    together(op);
    return op;
}

// Every lane's value, by lane; the answer tells which lanes came.
inline unsigned gather(unsigned mask, uint64_t value, uint64_t (&values)[32], const char *file,
                       unsigned line) {
    Op op{Together::gather, mask, 0, 0, &value, values, 0, 0, file, line};
    together(op);
    return op.came;
}

template <class T, class F>
inline T reduce(unsigned mask, T value, F f, const char *file, unsigned line) {
    uint64_t bits = 0, values[32];
    __builtin_memcpy(&bits, &value, sizeof value);
    bool first = true;
    for (unsigned rest = gather(mask, bits, values, file, line); rest; rest &= rest - 1) {
        T one;
        __builtin_memcpy(&one, &values[__builtin_ctz(rest)], sizeof one);
        value = first ? one : f(value, one);
        first = false;
    }
    return value;
}

inline unsigned active(const char *file, unsigned line) {
    Op op{Together::active, ~0u, 0, 0, nullptr, nullptr, 0, 0, file, line};
    together(op);
    return op.came;
}

}  // namespace emulated

template <class T>
inline T __shfl_sync(unsigned mask, T value, int lane, int width = warpSize, EMULATED_HERE) {
    return emulated::shuffle(mask, value, emulated::source_index(lane, width), file, line);
}
template <class T>
inline T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = warpSize, EMULATED_HERE) {
    return emulated::shuffle(mask, value, emulated::source_up(delta, width), file, line);
}
template <class T>
inline T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = warpSize, EMULATED_HERE) {
    return emulated::shuffle(mask, value, emulated::source_down(delta, width), file, line);
}
template <class T>
inline T __shfl_xor_sync(unsigned mask, T value, int lanes, int width = warpSize, EMULATED_HERE) {
    return emulated::shuffle(mask, value, emulated::source_xor(lanes, width), file, line);
}

inline void __syncwarp(unsigned mask = ~0u, EMULATED_HERE) {
    emulated::Op op{emulated::Together::sync, mask, 0, 0, nullptr, nullptr, 0, 0, file, line};
    emulated::together(op);
}
inline unsigned __activemask(EMULATED_HERE) { return emulated::active(file, line); }
inline unsigned __ballot_sync(unsigned mask, int predicate, EMULATED_HERE) {
    return emulated::vote(mask, predicate, file, line).predicate;
}
inline int __any_sync(unsigned mask, int predicate, EMULATED_HERE) {
    return emulated::vote(mask, predicate, file, line).predicate != 0;
}
inline int __all_sync(unsigned mask, int predicate, EMULATED_HERE) {
    const auto op = emulated::vote(mask, predicate, file, line);
    return op.predicate == op.came;
}
inline int __uni_sync(unsigned mask, int predicate, EMULATED_HERE) {
    const auto op = emulated::vote(mask, predicate, file, line);
    return op.predicate == 0 || op.predicate == op.came;
}
template <class T>
inline unsigned __match_any_sync(unsigned mask, T value, EMULATED_HERE) {
    uint64_t bits = 0, values[32];
    __builtin_memcpy(&bits, &value, sizeof value);
    unsigned same = 0;
    for (unsigned rest = emulated::gather(mask, bits, values, file, line); rest; rest &= rest - 1) {
        const unsigned l = __builtin_ctz(rest);
        if (values[l] == bits) same |= 1u << l;
    }
    return same;
}
template <class T>
inline unsigned __match_all_sync(unsigned mask, T value, int *all, EMULATED_HERE) {
    uint64_t bits = 0, values[32];
    __builtin_memcpy(&bits, &value, sizeof value);
    const unsigned came = emulated::gather(mask, bits, values, file, line);
    for (unsigned rest = came; rest; rest &= rest - 1)
        if (values[__builtin_ctz(rest)] != bits) return *all = 0;
    *all = 1;
    return came;
}

#define EMULATED_REDUCE(name, T, expression) \
    inline T __reduce_##name##_sync(unsigned mask, T value, EMULATED_HERE) { \
        return emulated::reduce(mask, value, [](T a, T b) -> T { return expression; }, file, line); \
    }
EMULATED_REDUCE(add, unsigned, a + b)
EMULATED_REDUCE(min, unsigned, a < b ? a : b)
EMULATED_REDUCE(max, unsigned, a > b ? a : b)
EMULATED_REDUCE(add, int, int(unsigned(a) + unsigned(b)))
EMULATED_REDUCE(min, int, a < b ? a : b)
EMULATED_REDUCE(max, int, a > b ? a : b)
EMULATED_REDUCE(and, unsigned, a &b)
EMULATED_REDUCE(or, unsigned, a | b)
EMULATED_REDUCE(xor, unsigned, a ^ b)
#undef EMULATED_REDUCE
