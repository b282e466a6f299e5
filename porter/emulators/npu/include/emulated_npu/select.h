// Comparisons to bits, choices by bits, and elements by their places.
#pragma once
#include "cast.h"

namespace AscendC {

enum class CMPMODE : uint8_t { LT = 0, GT, EQ, LE, GE, NE };
enum class SELMODE : uint8_t { VSEL_CMPMASK_SPR = 0, VSEL_TENSOR_SCALAR_MODE, VSEL_TENSOR_TENSOR_MODE };
struct GatherMaskParams {
    uint8_t src0BlockStride = 1;
    uint16_t repeatTimes = 0, src0RepeatStride = 0;
    uint8_t src1RepeatStride = 0;
    GatherMaskParams() = default;
    GatherMaskParams(uint8_t block, uint16_t repeats, uint16_t first, uint8_t second)
        : src0BlockStride(block), repeatTimes(repeats), src0RepeatStride(first), src1RepeatStride(second) {}
};
struct GatherRepeatParams {
    uint32_t blockNumber = 8;
    uint8_t dstBlkStride = 1, dstRepStride = 8;
    GatherRepeatParams() = default;
    GatherRepeatParams(uint8_t block, uint8_t repeat) : dstBlkStride(block), dstRepStride(repeat) {}
};

namespace npu {

template <class T> bool compared(T a, T b, CMPMODE mode) {
    switch (mode) {
        case CMPMODE::LT: return a < b;
        case CMPMODE::GT: return a > b;
        case CMPMODE::EQ: return a == b;
        case CMPMODE::LE: return a <= b;
        case CMPMODE::GE: return a >= b;
        default: return a != b;
    }
}
// Bits one after another, lowest first, in the memory of a tensor.
template <class U> class Bits {
  public:
    Bits(Instruction &i, const LocalTensor<U> &tensor, const char *what)
        : bytes_(i, tensor.template ReinterpretCast<uint8_t>(), what) {}
    bool get(uint64_t index, bool &defined) { return bytes_.get(index / 8, defined) >> (index % 8) & 1; }
    void put(uint64_t index, bool bit, bool defined) {
        if (index % 8 == 0) byte_ = 0, defined_ = true;
        byte_ |= bit << (index % 8);
        defined_ &= defined;
        bytes_.put(index / 8, byte_, defined_);
    }

  private:
    Operand<uint8_t> bytes_;
    uint8_t byte_ = 0;
    bool defined_ = true;
};
template <class U, class T, class Second>
void compare(Instruction &i, const LocalTensor<U> &to, const LocalTensor<T> &a, const Lanes &lanes, Steps as, Second second, CMPMODE mode) {
    Bits<U> out(i, to, "the destination");
    Operand<T> first(i, a, "the first source");
    each(lanes, [&](uint32_t r, uint32_t l, bool plain) {
        bool defined = true;
        const T x = first.get(where<T>(lanes, as, r, l, plain), defined);
        const T y = second(r, l, plain, defined);
        out.put(plain ? l : uint64_t(r) * lanes.per_repeat + l, compared<Wide<T>>(x, y, mode), defined);
    });
}

}  // namespace npu

template <class T, class U>
void Compare(const LocalTensor<U> &to, const LocalTensor<T> &a, const LocalTensor<T> &b, CMPMODE mode, uint32_t count) {
    npu::Instruction i("Compare", npu::vector);
    if (count * sizeof(T) % 256) i.fault(npu::text(count * sizeof(T)) + " bytes are no multiple of 256");
    npu::Operand<T> second(i, b, "the second source");
    npu::compare(i, to, a, npu::all(count), {}, [&](uint32_t, uint32_t l, bool, bool &defined) { return second.get(l, defined); }, mode);
}
template <class T, class U, bool isSetMask = true, class Mask>
void Compare(const LocalTensor<U> &to, const LocalTensor<T> &a, const LocalTensor<T> &b, CMPMODE mode, const Mask &mask,
             uint8_t repeats, const BinaryRepeatParams &p) {
    npu::Instruction i("Compare", npu::vector);
    npu::Operand<T> second(i, b, "the second source");
    const npu::Lanes lanes = npu::masked(i, mask, repeats, sizeof(T), isSetMask);
    npu::compare(i, to, a, lanes, npu::of_first(p), [&](uint32_t r, uint32_t l, bool, bool &defined) {
        return second.get(npu::element<T>(lanes, npu::of_second(p), r, l), defined);
    }, mode);
}
template <class T, class U>
void CompareScalar(const LocalTensor<U> &to, const LocalTensor<T> &a, T b, CMPMODE mode, uint32_t count) {
    npu::Instruction i("CompareScalar", npu::vector);
    if (count * sizeof(T) % 256) i.fault(npu::text(count * sizeof(T)) + " bytes are no multiple of 256");
    npu::compare(i, to, a, npu::all(count), {}, [&](uint32_t, uint32_t, bool, bool &) { return b; }, mode);
}
template <class T, class U, bool isSetMask = true, class Mask>
void CompareScalar(const LocalTensor<U> &to, const LocalTensor<T> &a, T b, CMPMODE mode, const Mask &mask, uint8_t repeats, const UnaryRepeatParams &p) {
    npu::Instruction i("CompareScalar", npu::vector);
    npu::compare(i, to, a, npu::masked(i, mask, repeats, sizeof(T), isSetMask), npu::of_source(p), [&](uint32_t, uint32_t, bool, bool &) { return b; }, mode);
}
template <class T, class U> void Compares(const LocalTensor<U> &to, const LocalTensor<T> &a, T b, CMPMODE mode, uint32_t count) {
    CompareScalar(to, a, b, mode, count);
}

namespace npu {
template <class T, class U, class Second>
void select(Instruction &i, const LocalTensor<T> &to, const LocalTensor<U> &bits, const LocalTensor<T> &a, SELMODE mode, const Lanes &lanes,
            Steps ds, Steps as, Second second) {
    Operand<T> out(i, to, "the destination"), first(i, a, "the first source");
    Bits<U> chosen(i, bits, "the mask");
    each(lanes, [&](uint32_t r, uint32_t l, bool plain) {
        bool defined = true;
        const uint64_t bit = plain ? l : (mode == SELMODE::VSEL_CMPMASK_SPR ? 0 : uint64_t(r) * lanes.per_repeat) + l;
        const bool is_first = chosen.get(bit, defined);
        const T value = is_first ? first.get(where<T>(lanes, as, r, l, plain), defined) : second(r, l, plain, defined);
        out.put(where<T>(lanes, ds, r, l, plain), value, defined);
    });
}
}  // namespace npu
template <class T, class U>
void Select(const LocalTensor<T> &to, const LocalTensor<U> &bits, const LocalTensor<T> &a, const LocalTensor<T> &b, SELMODE mode, uint32_t count) {
    npu::Instruction i("Select", npu::vector);
    npu::Operand<T> second(i, b, "the second source");
    npu::select(i, to, bits, a, mode, npu::all(count), {}, {}, [&](uint32_t, uint32_t l, bool, bool &d) { return second.get(l, d); });
}
template <class T, class U, class V>
    requires std::is_convertible_v<V, T>
void Select(const LocalTensor<T> &to, const LocalTensor<U> &bits, const LocalTensor<T> &a, V b, SELMODE mode, uint32_t count) {
    npu::Instruction i("Select", npu::vector);
    npu::select(i, to, bits, a, mode, npu::all(count), {}, {}, [&](uint32_t, uint32_t, bool, bool &) { return T(b); });
}
template <class T, class U, bool isSetMask = true, class Mask>
void Select(const LocalTensor<T> &to, const LocalTensor<U> &bits, const LocalTensor<T> &a, const LocalTensor<T> &b, SELMODE mode,
            const Mask &mask, uint8_t repeats, const BinaryRepeatParams &p) {
    npu::Instruction i("Select", npu::vector);
    npu::Operand<T> second(i, b, "the second source");
    const npu::Lanes lanes = npu::masked(i, mask, repeats, sizeof(T), isSetMask);
    npu::select(i, to, bits, a, mode, lanes, npu::of_destination(p), npu::of_first(p),
                [&](uint32_t r, uint32_t l, bool, bool &d) { return second.get(npu::element<T>(lanes, npu::of_second(p), r, l), d); });
}
template <class T, class U, bool isSetMask = true, class V, class Mask>
    requires std::is_convertible_v<V, T>
void Select(const LocalTensor<T> &to, const LocalTensor<U> &bits, const LocalTensor<T> &a, V b, SELMODE mode, const Mask &mask, uint8_t repeats,
            const BinaryRepeatParams &p) {
    npu::Instruction i("Select", npu::vector);
    npu::select(i, to, bits, a, mode, npu::masked(i, mask, repeats, sizeof(T), isSetMask), npu::of_destination(p), npu::of_first(p),
                [&](uint32_t, uint32_t, bool, bool &) { return T(b); });
}

// Operators: of all elements of the destination.
namespace npu {
template <class T, class F> struct Combined {
    F call;
    void put(const LocalTensor<T> &to) const { call(to); }
};
template <class T, class F> Combined<T, F> combined(F call) { return {call}; }
}  // namespace npu
#define NPU_OPERATOR(symbol, name)                                                                                     \
    template <class T> auto operator symbol(const LocalTensor<T> &a, const LocalTensor<T> &b) {                        \
        return npu::combined<T>([=](const LocalTensor<T> &to) { name(to, a, b, int32_t(to.GetSize())); });             \
    }
NPU_OPERATOR(+, Add)
NPU_OPERATOR(-, Sub)
NPU_OPERATOR(*, Mul)
NPU_OPERATOR(/, Div)
NPU_OPERATOR(&, And)
NPU_OPERATOR(|, Or)

// Places are in bytes.
namespace npu {
template <class T, class Put>
void gather(Instruction &i, const LocalTensor<T> &a, const LocalTensor<uint32_t> &places, uint32_t base, const Lanes &lanes, Put put) {
    Operand<T> in(i, a, "the source");
    Operand<uint32_t> from(i, places, "the places");
    uint64_t k = 0;
    each(lanes, [&](uint32_t r, uint32_t l, bool plain) {
        bool defined = true;
        const uint64_t index = plain ? l : uint64_t(r) * lanes.per_repeat + l;
        const uint64_t byte = uint64_t(base) + from.get(index, defined);
        if (!defined && checks_definition()) i.fault("place " + text(index) + " was never written");
        if (byte % sizeof(T)) i.fault("place " + text(index) + " is byte " + text(byte) + ", between two elements");
        const T value = in.get(byte / sizeof(T), defined);
        put(r, l, plain, value, defined);
        ++k;
    });
}
}  // namespace npu
template <class T> void Gather(const LocalTensor<T> &to, const LocalTensor<T> &a, const LocalTensor<uint32_t> &places, uint32_t base, uint32_t count) {
    npu::Instruction i("Gather", npu::vector);
    npu::Operand<T> out(i, to, "the destination");
    npu::gather(i, a, places, base, npu::all(count), [&](uint32_t, uint32_t l, bool, T value, bool d) { out.put(l, value, d); });
}
template <class T, class Mask>
void Gather(const LocalTensor<T> &to, const LocalTensor<T> &a, const LocalTensor<uint32_t> &places, uint32_t base, const Mask &mask,
            uint8_t repeats, uint16_t stride) {
    npu::Instruction i("Gather", npu::vector);
    npu::Operand<T> out(i, to, "the destination");
    const npu::Lanes lanes = npu::masked(i, mask, repeats, sizeof(T), true);
    npu::gather(i, a, places, base, lanes, [&](uint32_t r, uint32_t l, bool, T value, bool d) {
        out.put(npu::element<T>(lanes, {1, stride}, r, l), value, d);
    });
}
template <class T>
void Gatherb(const LocalTensor<T> &to, const LocalTensor<T> &a, const LocalTensor<uint32_t> &places, uint8_t repeats, const GatherRepeatParams &p) {
    npu::Instruction i("Gatherb", npu::vector);
    npu::Operand<T> out(i, to, "the destination"), in(i, a, "the source");
    npu::Operand<uint32_t> from(i, places, "the places");
    constexpr uint32_t per_unit = npu::unit / sizeof(T);
    for (uint32_t r = 0; r < repeats; ++r)
        for (uint32_t b = 0; b < 8; ++b) {
            bool known = true;
            const uint32_t byte = from.get(r * 8 + b, known);
            if (!known && npu::checks_definition()) i.fault("place " + npu::text(r * 8 + b) + " was never written");
            if (byte % npu::unit) i.fault("place " + npu::text(r * 8 + b) + " is no multiple of 32 bytes");
            for (uint32_t k = 0; k < per_unit; ++k) {
                bool defined = true;
                const T value = in.get(byte / sizeof(T) + k, defined);
                out.put((uint64_t(r) * p.dstRepStride + b * p.dstBlkStride) * per_unit + k, value, defined);
            }
        }
}

// The elements that a pattern of bits has, one after another; how many there were is given back.
namespace npu {
template <class T, class Has>
uint64_t gather_mask(Instruction &i, const LocalTensor<T> &to, const LocalTensor<T> &a, bool counts, uint32_t mask, const GatherMaskParams &p, Has has) {
    Operand<T> out(i, to, "the destination"), in(i, a, "the source");
    constexpr uint32_t per_repeat = 256 / sizeof(T);
    Lanes lanes;
    lanes.per_repeat = counts ? mask : per_repeat;
    uint64_t kept = 0;
    for (uint32_t r = 0; r < p.repeatTimes; ++r)
        for (uint32_t l = 0; l < lanes.per_repeat; ++l) {
            bool defined = true;
            if (!has(r, l, defined)) continue;
            const T value = in.get(element<T>(lanes, {p.src0BlockStride, p.src0RepeatStride}, r, l), defined);
            out.put(kept++, value, defined);
        }
    i.block().reduced[0] = kept;
    return kept;
}
}  // namespace npu
enum class GatherMaskMode : uint8_t { VERSION_V1 = 0, VERSION_V2 = 1 };
constexpr GatherMaskMode defaultGatherMaskMode = GatherMaskMode::VERSION_V2;
template <class T, GatherMaskMode mode = defaultGatherMaskMode>
void GatherMask(const LocalTensor<T> &to, const LocalTensor<T> &a, const uint8_t pattern, const bool reduce, const uint32_t mask,
                const GatherMaskParams &p, uint64_t &kept) {
    npu::Instruction i("GatherMask", npu::vector);
    if (pattern < 1 || pattern > 7) i.fault("there is no pattern " + npu::text(pattern));
    kept = npu::gather_mask(i, to, a, reduce, mask, p, [&](uint32_t, uint32_t l, bool &) {
        return pattern == 7 || (pattern <= 2 ? l % 2 == pattern - 1u : l % 4 == pattern - 3u);
    });
}
template <class T, class U, GatherMaskMode mode = defaultGatherMaskMode>
void GatherMask(const LocalTensor<T> &to, const LocalTensor<T> &a, const LocalTensor<U> &pattern, const bool reduce, const uint32_t mask,
                const GatherMaskParams &p, uint64_t &kept) {
    npu::Instruction i("GatherMask", npu::vector);
    npu::Bits<U> bits(i, pattern, "the pattern");
    kept = npu::gather_mask(i, to, a, reduce, mask, p, [&](uint32_t r, uint32_t l, bool &defined) {
        return bits.get(uint64_t(r) * p.src1RepeatStride * npu::unit * 8 + l, defined);
    });
}
inline int64_t GetGatherMaskRemainCount() { return npu::block().reduced[0]; }

}  // namespace AscendC
