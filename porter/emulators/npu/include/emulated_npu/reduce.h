// Reductions: of all elements, of repeats, of units of 32 bytes, of pairs.
#pragma once
#include "select.h"

namespace AscendC {

enum class ReduceOrder : uint8_t { ORDER_VALUE_INDEX = 0, ORDER_INDEX_VALUE, ORDER_ONLY_VALUE, ORDER_ONLY_INDEX };

namespace npu {

template <class T> struct Element {
    T value;
    uint32_t index;
};
// As a tree, halves by halves: a device adds neighbours first.
template <class T> T sum(const Element<T> *values, size_t count) {
    if (count == 0) return T(0);
    if (count == 1) return values[0].value;
    const size_t half_of = (count + 1) / 2;
    return T(Wide<T>(sum(values, half_of)) + Wide<T>(sum(values + half_of, count - half_of)));
}
template <class T, bool greatest> Element<T> extreme(const Element<T> *values, size_t count) {
    Element<T> best = values[0];
    for (size_t k = 1; k < count; ++k)
        if (greatest ? values[k].value > best.value : values[k].value < best.value) best = values[k];
    return best;
}
// An index, as it stands beside a value: its bits in an element.
template <class T> T as_element(uint32_t index) {
    T value{};
    std::memcpy(&value, &index, sizeof(T));
    return value;
}
template <class T> std::vector<Element<T>> gathered(Instruction &i, const LocalTensor<T> &a, const Lanes &lanes, Steps as, bool &defined) {
    Operand<T> in(i, a, "the source");
    std::vector<Element<T>> values;
    each(lanes, [&](uint32_t r, uint32_t l, bool plain) {
        values.push_back({in.get(where<T>(lanes, as, r, l, plain), defined), plain ? l : r * lanes.per_repeat + l});
    });
    if (values.empty()) i.fault("a reduction of no elements");
    return values;
}
template <class T> void put_sum(Instruction &i, const LocalTensor<T> &to, const LocalTensor<T> &a, const Lanes &lanes, Steps as) {
    bool defined = true;
    const auto values = gathered(i, a, lanes, as, defined);
    Operand<T>(i, to, "the destination", false).put(0, sum(values.data(), values.size()), defined);
}
template <bool greatest, class T> void put_extreme(Instruction &i, const LocalTensor<T> &to, const LocalTensor<T> &a, const Lanes &lanes, Steps as, bool index) {
    bool defined = true;
    const auto values = gathered(i, a, lanes, as, defined);
    const auto best = extreme<T, greatest>(values.data(), values.size());
    Operand<T> out(i, to, "the destination", false);
    out.put(0, best.value, defined);
    if (index) out.put(1, as_element<T>(best.index), defined);
    i.block().reduced[0] = best.index;
}
// One result for each group of a repeat's elements, of which `put` says the place.
template <class T, class Put>
void by_groups(Instruction &i, const LocalTensor<T> &a, const Lanes &lanes, Steps as, uint32_t groups, Put put) {
    Operand<T> in(i, a, "the source");
    const uint32_t size = lanes.per_repeat / groups;
    uint64_t left = lanes.count ? lanes.count : ~0ull;
    for (uint32_t r = 0; r < lanes.repeats; ++r)
        for (uint32_t g = 0; g < groups; ++g) {
            bool defined = true;
            std::vector<Element<T>> values;
            for (uint32_t l = g * size; l < (g + 1) * size; ++l)
                if (lanes.count ? left && left-- : lanes.has(l)) values.push_back({in.get(element<T>(lanes, as, r, l), defined), l});
            put(r, g, values, defined);
        }
}

}  // namespace npu

template <class T, bool isSetMask = true>
void ReduceSum(const LocalTensor<T> &to, const LocalTensor<T> &a, const LocalTensor<T> &, const int32_t count) {
    npu::Instruction i("ReduceSum", npu::vector);
    npu::put_sum(i, to, a, npu::all(count), {});
}
template <class T, bool isSetMask = true, class Mask>
void ReduceSum(const LocalTensor<T> &to, const LocalTensor<T> &a, const LocalTensor<T> &, const Mask &mask, const int32_t repeats, const int32_t stride) {
    npu::Instruction i("ReduceSum", npu::vector);
    npu::put_sum(i, to, a, npu::masked(i, mask, repeats, sizeof(T), isSetMask), {1, uint32_t(stride)});
}
#define NPU_EXTREME(name, greatest)                                                                                     \
    template <class T>                                                                                                  \
    void name(const LocalTensor<T> &to, const LocalTensor<T> &a, const LocalTensor<T> &, const int32_t count,           \
              bool index = false) {                                                                                     \
        npu::Instruction i(#name, npu::vector);                                                                         \
        npu::put_extreme<greatest>(i, to, a, npu::all(count), {}, index);                                               \
    }                                                                                                                   \
    template <class T, class Mask>                                                                                      \
    void name(const LocalTensor<T> &to, const LocalTensor<T> &a, const LocalTensor<T> &, const Mask &mask,              \
              const int32_t repeats, const int32_t stride, bool index = false) {                                        \
        npu::Instruction i(#name, npu::vector);                                                                         \
        npu::put_extreme<greatest>(i, to, a, npu::masked(i, mask, repeats, sizeof(T), true), {1, uint32_t(stride)},     \
                                   index);                                                                              \
    }                                                                                                                   \
    template <class T, bool isSetMask = true, class Mask>                                                               \
    void Whole##name(const LocalTensor<T> &to, const LocalTensor<T> &a, const Mask &mask, const int32_t repeats,        \
                     const int32_t to_stride, const int32_t block, const int32_t stride,                                \
                     ReduceOrder order = ReduceOrder::ORDER_VALUE_INDEX) {                                              \
        npu::Instruction i("Whole" #name, npu::vector);                                                                 \
        npu::Operand<T> out(i, to, "the destination", false);                                                           \
        npu::by_groups(i, a, npu::masked(i, mask, repeats, sizeof(T), isSetMask), {uint32_t(block), uint32_t(stride)}, 1,\
                       [&](uint32_t r, uint32_t, auto &values, bool defined) {                                          \
                           if (values.empty()) return;                                                                  \
                           const auto best = npu::extreme<T, greatest>(values.data(), values.size());                   \
                           const T index = npu::as_element<T>(best.index);                                              \
                           const bool both = order <= ReduceOrder::ORDER_INDEX_VALUE;                                   \
                           const uint64_t at = uint64_t(r) * to_stride * (both ? 2 : 1);                                \
                           const bool value_first = order == ReduceOrder::ORDER_VALUE_INDEX || order == ReduceOrder::ORDER_ONLY_VALUE; \
                           out.put(at, value_first ? best.value : index, defined);                                      \
                           if (both) out.put(at + 1, value_first ? index : best.value, defined);                        \
                       });                                                                                              \
    }                                                                                                                   \
    template <class T, bool isSetMask = true, class Mask>                                                               \
    void Block##name(const LocalTensor<T> &to, const LocalTensor<T> &a, const int32_t repeats, const Mask &mask,        \
                     const int32_t to_stride, const int32_t block, const int32_t stride) {                              \
        npu::Instruction i("Block" #name, npu::vector);                                                                 \
        npu::Operand<T> out(i, to, "the destination", false);                                                           \
        npu::by_groups(i, a, npu::masked(i, mask, repeats, sizeof(T), isSetMask), {uint32_t(block), uint32_t(stride)}, 8,\
                       [&](uint32_t r, uint32_t g, auto &values, bool defined) {                                        \
                           if (values.empty()) return;                                                                  \
                           out.put(uint64_t(r) * to_stride * 8 + g,                                                     \
                                   npu::extreme<T, greatest>(values.data(), values.size()).value, defined);             \
                       });                                                                                              \
    }
NPU_EXTREME(ReduceMax, true)
NPU_EXTREME(ReduceMin, false)

namespace npu {
template <class T, class Mask>
void sums(const char *name, const LocalTensor<T> &to, const LocalTensor<T> &a, int repeats, const Mask &mask, uint32_t to_stride, uint32_t block,
          uint32_t stride, uint32_t groups, bool set) {
    Instruction i(name, vector);
    Operand<T> out(i, to, "the destination", false);
    by_groups(i, a, masked(i, mask, repeats, sizeof(T), set), {block, stride}, groups, [&](uint32_t r, uint32_t g, auto &values, bool defined) {
        if (!values.empty()) out.put(uint64_t(r) * to_stride * groups + g, sum(values.data(), values.size()), defined);
    });
}
}  // namespace npu
template <class T, bool isSetMask = true, class Mask>
void WholeReduceSum(const LocalTensor<T> &to, const LocalTensor<T> &a, const Mask &mask, int32_t repeats, int32_t to_stride, int32_t block, int32_t stride) {
    npu::sums("WholeReduceSum", to, a, repeats, mask, to_stride, block, stride, 1, isSetMask);
}
template <class T, bool isSetMask = true, class Mask>
void BlockReduceSum(const LocalTensor<T> &to, const LocalTensor<T> &a, int32_t repeats, const Mask &mask, int32_t to_stride, int32_t block, int32_t stride) {
    npu::sums("BlockReduceSum", to, a, repeats, mask, to_stride, block, stride, 8, isSetMask);
}
template <class T, bool isSetMask = true, class Mask>
void PairReduceSum(const LocalTensor<T> &to, const LocalTensor<T> &a, int32_t repeats, const Mask &mask, int32_t to_stride, int32_t block, int32_t stride) {
    npu::sums("PairReduceSum", to, a, repeats, mask, to_stride, block, stride, 128 / sizeof(T), isSetMask);
}
template <class T, bool isSetMask = true, class Mask>
void RepeatReduceSum(const LocalTensor<T> &to, const LocalTensor<T> &a, int32_t repeats, const Mask &mask, int32_t, int32_t block, int32_t to_stride, int32_t stride) {
    npu::sums("RepeatReduceSum", to, a, repeats, mask, to_stride, block, stride, 1, isSetMask);
}
// What the last reduction to one element found.
template <class T> void GetReduceMaxMinCount(uint64_t &, uint64_t &index) { index = npu::block().reduced[0]; }

struct SumParams {
    uint32_t outter = 1, inner, n;
};
// Of the first `n` elements of each row of `inner`.
template <class T, int32_t reduceDim = -1, bool isReuseSource = false, bool isBasicBlock = false>
void Sum(const LocalTensor<T> &to, const LocalTensor<T> &a, const SumParams &p) {
    npu::Instruction i("Sum", npu::vector);
    npu::Operand<T> out(i, to, "the destination"), in(i, a, "the source");
    for (uint32_t r = 0; r < p.outter; ++r) {
        bool defined = true;
        std::vector<npu::Element<T>> values;
        for (uint32_t k = 0; k < p.n; ++k) values.push_back({in.get(uint64_t(r) * p.inner + k, defined), k});
        out.put(r, npu::sum(values.data(), values.size()), defined);
    }
}
template <class T, int32_t reduceDim = -1, bool isReuseSource = false, bool isBasicBlock = false>
void Sum(const LocalTensor<T> &to, const LocalTensor<T> &a, const LocalTensor<uint8_t> &, const SumParams &p) {
    Sum<T>(to, a, p);
}

// Reductions of a matrix along its last axis (AR) or its first (RA); `padded`: its rows begin at units of 32 bytes.
namespace Pattern::Reduce {
struct AR {};
struct RA {};
}  // namespace Pattern::Reduce

namespace npu {
template <class pattern, class T, class Reduce>
void by_pattern(const char *name, const LocalTensor<T> &to, const LocalTensor<T> &a, const uint32_t shape[], bool padded, Reduce reduce) {
    constexpr bool rows = std::is_same_v<pattern, Pattern::Reduce::AR>;
    static_assert(rows || std::is_same_v<pattern, Pattern::Reduce::RA>);
    Instruction i(name, vector);
    if (!padded) i.fault("rows that do not begin at units of 32 bytes are not taken");
    Operand<T> out(i, to, "the destination", false), in(i, a, "the source");
    const uint32_t first = shape[0], last = shape[1], unit = 32 / sizeof(T), row = (last + unit - 1) / unit * unit;
    for (uint32_t r = 0; r < (rows ? first : last); ++r) {
        bool defined = true;
        std::vector<Element<T>> values;
        for (uint32_t k = 0; k < (rows ? last : first); ++k)
            values.push_back({in.get(rows ? uint64_t(r) * row + k : uint64_t(k) * row + r, defined), k});
        out.put(r, reduce(values.data(), values.size()), defined);
    }
}
}  // namespace npu
#define NPU_PATTERN(name, function)                                                                                     \
    template <class T, class pattern, bool isReuseSource = false>                                                       \
    void name(const LocalTensor<T> &to, const LocalTensor<T> &a, const uint32_t shape[], bool padded) {                 \
        npu::by_pattern<pattern>(#name, to, a, shape, padded, [](auto *values, size_t count) { return function; });     \
    }                                                                                                                   \
    template <class T, class pattern, bool isReuseSource = false>                                                       \
    void name(const LocalTensor<T> &to, const LocalTensor<T> &a, const LocalTensor<uint8_t> &, const uint32_t shape[],  \
              bool padded) {                                                                                            \
        name<T, pattern, isReuseSource>(to, a, shape, padded);                                                          \
    }
NPU_PATTERN(ReduceSum, (npu::sum<T>(values, count)))
NPU_PATTERN(ReduceMax, (npu::extreme<T, true>(values, count).value))
NPU_PATTERN(ReduceMin, (npu::extreme<T, false>(values, count).value))

}  // namespace AscendC
