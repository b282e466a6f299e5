// Instructions of the vector unit, element by element: what is computed for all elements, or for those
// that a mask has, in repeats of 256 bytes with strides between blocks of 32.
#pragma once
#include "copy.h"

namespace AscendC {

struct UnaryRepeatParams {
    uint32_t blockNumber = 8;
    uint16_t dstBlkStride = 1, srcBlkStride = 1;
    uint8_t dstRepStride = 8, srcRepStride = 8;
    bool repeatStrideMode = false, strideSizeMode = false, halfBlock = false;
    UnaryRepeatParams() = default;
    UnaryRepeatParams(uint16_t d, uint16_t s, uint8_t dr, uint8_t sr) : dstBlkStride(d), srcBlkStride(s), dstRepStride(dr), srcRepStride(sr) {}
};
struct BinaryRepeatParams {
    uint32_t blockNumber = 8;
    uint8_t dstBlkStride = 1, src0BlkStride = 1, src1BlkStride = 1, dstRepStride = 8, src0RepStride = 8, src1RepStride = 8;
    bool repeatStrideMode = false, strideSizeMode = false;
    BinaryRepeatParams() = default;
    BinaryRepeatParams(uint8_t d, uint8_t a, uint8_t b, uint8_t dr, uint8_t ar, uint8_t br)
        : dstBlkStride(d), src0BlkStride(a), src1BlkStride(b), dstRepStride(dr), src0RepStride(ar), src1RepStride(br) {}
};
struct CopyRepeatParams {
    uint16_t dstStride = 0, srcStride = 0, dstRepeatSize = 0, srcRepeatSize = 0;
    CopyRepeatParams() = default;
    CopyRepeatParams(uint16_t d, uint16_t s, uint16_t dr, uint16_t sr) : dstStride(d), srcStride(s), dstRepeatSize(dr), srcRepeatSize(sr) {}
};
struct BrcbRepeatParams {
    uint32_t blockNumber = 8;
    uint16_t dstBlkStride = 1, dstRepStride = 8;
    BrcbRepeatParams() = default;
    BrcbRepeatParams(uint16_t block, uint16_t repeat) : dstBlkStride(block), dstRepStride(repeat) {}
};

enum class MaskMode : uint8_t { NORMAL = 0, COUNTER };
constexpr uint64_t MASK_PLACEHOLDER = 0;
constexpr uint64_t MASK_PLACEHOLDER_LIST[2] = {0, 0};
constexpr int32_t BLOCK_CUBE = 16;
constexpr int32_t DEFAULT_BLK_STRIDE = 1, DEFAULT_REPEAT_STRIDE = 8, DEFAULT_BLK_NUM = 8, BLK_NUM_PER_REP = 8;
constexpr int32_t DEFAULT_BLOCK_SIZE = 256, ONE_BLK_SIZE = 32, ONE_REPEAT_BYTE_SIZE = 256, DEFAULT_C0_SIZE = 32;
constexpr int32_t MAX_REPEAT_TIMES = 255, DEFAULT_MASK_B16 = 128;

inline void SetMaskNorm() { npu::block().counts = false; }
inline void SetMaskCount() { npu::block().counts = true; }
inline void ResetMask() { npu::block().mask[0] = npu::block().mask[1] = ~0ull; }
template <class T, MaskMode mode = MaskMode::NORMAL> void SetVectorMask(uint64_t high, uint64_t low) {
    npu::block().mask[0] = low;
    npu::block().mask[1] = high;
}
template <class T, MaskMode mode = MaskMode::NORMAL> void SetVectorMask(int32_t length) {
    uint64_t *mask = npu::block().mask;
    if (mode == MaskMode::COUNTER) {
        mask[0] = length, mask[1] = 0;
    } else {
        mask[0] = length >= 64 ? ~0ull : (1ull << length) - 1;
        mask[1] = length <= 64 ? 0 : length >= 128 ? ~0ull : (1ull << (length - 64)) - 1;
    }
}
// The same by another name that kernels use.
struct AscendCUtils {
    template <class T> static void SetMask(int32_t length) { SetVectorMask<T>(length); }
    template <class T> static void SetMask(uint64_t high, uint64_t low) { SetVectorMask<T>(high, low); }
};

namespace npu {

// Which elements an instruction is for.
struct Lanes {
    uint64_t low = ~0ull, high = ~0ull;
    uint32_t repeats = 1, per_repeat = 0;
    uint64_t count = 0;  // of elements one after another; or 0: by mask

    bool has(uint32_t lane) const { return (lane < 64 ? low >> lane : high >> (lane - 64)) & 1; }
};
inline Lanes all(uint64_t count) {
    Lanes lanes;
    lanes.count = count;
    lanes.repeats = 0;
    return lanes;
}
// Of types of up to `size` bytes.
inline Lanes masked(const Instruction &i, uint64_t mask, int repeats, size_t size, bool set) {
    Lanes lanes;
    lanes.per_repeat = 256 / size;
    lanes.repeats = repeats;
    const Block &b = i.block();
    if (b.counts) {
        const uint64_t count = set ? mask : b.mask[0];
        lanes.repeats = (count + lanes.per_repeat - 1) / lanes.per_repeat;
        lanes.count = count;
        return lanes;
    }
    if (!set) {
        lanes.low = b.mask[0], lanes.high = b.mask[1];
        return lanes;
    }
    if (mask > lanes.per_repeat || mask == 0)
        i.fault("a mask of " + text(mask) + " elements: a repeat has 1 to " + text(lanes.per_repeat));
    lanes.low = mask >= 64 ? ~0ull : (1ull << mask) - 1;
    lanes.high = mask <= 64 ? 0 : mask >= 128 ? ~0ull : (1ull << (mask - 64)) - 1;
    return lanes;
}
inline Lanes masked(const Instruction &i, const uint64_t mask[], int repeats, size_t size, bool set) {
    if (!set || i.block().counts) return masked(i, mask[0], repeats, size, set);
    Lanes lanes;
    lanes.per_repeat = 256 / size;
    lanes.repeats = repeats;
    lanes.low = mask[0];
    lanes.high = lanes.per_repeat > 64 ? mask[1] : 0;
    return lanes;
}

// Strides of an operand, in units of 32 bytes.
struct Steps {
    uint32_t block = 1, repeat = 8;
};
template <class T> uint64_t element(const Lanes &lanes, const Steps &steps, uint32_t repeat, uint32_t lane) {
    constexpr uint32_t per_unit = unit / sizeof(T);
    return uint64_t(repeat) * steps.repeat * per_unit + uint64_t(lane / per_unit) * steps.block * per_unit + lane % per_unit;
}
template <class F> void each(const Lanes &lanes, F &&f) {
    if (lanes.repeats == 0) {
        for (uint64_t k = 0; k < lanes.count; ++k) f(uint32_t(0), uint32_t(k), true);
        return;
    }
    uint64_t left = lanes.count ? lanes.count : ~0ull;
    for (uint32_t r = 0; r < lanes.repeats; ++r)
        for (uint32_t l = 0; l < lanes.per_repeat && left; ++l)
            if (lanes.count ? left-- > 0 : lanes.has(l)) f(r, l, false);
}

// A local tensor as an operand; each unit of it is looked at once in a row.
template <class T> class Operand {
  public:
    Operand(Instruction &i, const LocalTensor<T> &tensor, const char *what, bool is_aligned = true)
        : i_(i), tensor_(tensor), what_(what) {
        if (is_aligned) i.aligned(tensor.at, what);
    }
    T get(uint64_t index, bool &defined) {
        const uint32_t at = place(index, "a read");
        if (at / unit != last_) i_.read(at, sizeof(T)), last_ = at / unit;
        defined &= i_.block().defined[at] && i_.block().defined[at + sizeof(T) - 1];
        T value;
        std::memcpy(&value, i_.block().buffer + at, sizeof value);
        return value;
    }
    void put(uint64_t index, T value, bool defined) {
        const uint32_t at = place(index, "a write");
        if (at / unit != last_) i_.written(at, sizeof(T)), last_ = at / unit;
        std::memcpy(i_.block().buffer + at, &value, sizeof value);
        std::memset(i_.block().defined + at, defined, sizeof value);
    }

  private:
    uint32_t place(uint64_t index, const char *doing) const {
        const uint64_t at = tensor_.at + index * sizeof(T);
        if (at + sizeof(T) > tensor_.end)
            i_.fault(std::string(doing) + " of element " + text(index) + " of " + what_ + " is out of range: its memory has " +
                     text((tensor_.end - tensor_.at) / sizeof(T)));
        return static_cast<uint32_t>(at);
    }
    Instruction &i_;
    const LocalTensor<T> tensor_;
    const char *what_;
    uint32_t last_ = ~0u;
};

template <class T> uint64_t where(const Lanes &lanes, const Steps &steps, uint32_t r, uint32_t l, bool plain) {
    return plain ? l : element<T>(lanes, steps, r, l);
}

template <class D, class A, class F>
void unary(Instruction &i, const LocalTensor<D> &to, const LocalTensor<A> &a, const Lanes &lanes, Steps ds, Steps as, F f) {
    Operand<D> out(i, to, "the destination");
    Operand<A> in(i, a, "the source");
    each(lanes, [&](uint32_t r, uint32_t l, bool plain) {
        bool defined = true;
        const A value = in.get(where<A>(lanes, as, r, l, plain), defined);
        out.put(where<D>(lanes, ds, r, l, plain), f(value), defined);
    });
}
template <class D, class A, class B, class F>
void binary(Instruction &i, const LocalTensor<D> &to, const LocalTensor<A> &a, const LocalTensor<B> &b, const Lanes &lanes,
            Steps ds, Steps as, Steps bs, F f) {
    Operand<D> out(i, to, "the destination");
    Operand<A> first(i, a, "the first source");
    Operand<B> second(i, b, "the second source");
    each(lanes, [&](uint32_t r, uint32_t l, bool plain) {
        bool defined = true;
        const A x = first.get(where<A>(lanes, as, r, l, plain), defined);
        const B y = second.get(where<B>(lanes, bs, r, l, plain), defined);
        out.put(where<D>(lanes, ds, r, l, plain), f(x, y), defined);
    });
}
inline Steps of_destination(const UnaryRepeatParams &p) { return {p.dstBlkStride, p.dstRepStride}; }
inline Steps of_source(const UnaryRepeatParams &p) { return {p.srcBlkStride, p.srcRepStride}; }
inline Steps of_destination(const BinaryRepeatParams &p) { return {p.dstBlkStride, p.dstRepStride}; }
inline Steps of_first(const BinaryRepeatParams &p) { return {p.src0BlkStride, p.src0RepStride}; }
inline Steps of_second(const BinaryRepeatParams &p) { return {p.src1BlkStride, p.src1RepStride}; }

}  // namespace npu

#define NPU_BINARY(name, types, expression)                                                                             \
    namespace npu {                                                                                                     \
    template <class T> constexpr auto name##_of = [](T a, T b) -> T { return (expression); };                           \
    }                                                                                                                   \
    template <class T, bool isSetMask = true>                                                                           \
    void name(const LocalTensor<T> &to, const LocalTensor<T> &a, const LocalTensor<T> &b, const int32_t &count) {       \
        static_assert(types, #name " is not for this type");                                                            \
        npu::Instruction i(#name, npu::vector);                                                                         \
        npu::binary(i, to, a, b, npu::all(count), {}, {}, {}, npu::name##_of<T>);                                       \
    }                                                                                                                   \
    template <class T, bool isSetMask = true, class Mask>                                                               \
    void name(const LocalTensor<T> &to, const LocalTensor<T> &a, const LocalTensor<T> &b, const Mask &mask,             \
              uint8_t repeats, const BinaryRepeatParams &p) {                                                           \
        static_assert(types, #name " is not for this type");                                                            \
        npu::Instruction i(#name, npu::vector);                                                                         \
        npu::binary(i, to, a, b, npu::masked(i, mask, repeats, sizeof(T), isSetMask), npu::of_destination(p),           \
                    npu::of_first(p), npu::of_second(p), npu::name##_of<T>);                                            \
    }
#define NPU_ARITHMETIC (npu::one_of<T, half, float, int16_t, int32_t>)
#define NPU_FLOATS (npu::one_of<T, half, float>)
#define NPU_BITS (npu::one_of<T, int16_t, uint16_t>)
// As device arithmetic: small floats by way of float, integers around the corner.
#define NPU_SUM(a, op, b) (npu::is_float<T> ? T(npu::Wide<T>(a) op npu::Wide<T>(b)) : T(int64_t(a) op int64_t(b)))

NPU_BINARY(Add, NPU_ARITHMETIC, NPU_SUM(a, +, b))
NPU_BINARY(Sub, NPU_ARITHMETIC, NPU_SUM(a, -, b))
NPU_BINARY(Mul, NPU_ARITHMETIC, NPU_SUM(a, *, b))
NPU_BINARY(Div, NPU_FLOATS, T(npu::Wide<T>(a) / npu::Wide<T>(b)))
NPU_BINARY(Max, NPU_ARITHMETIC, a > b || a != a ? a : b)
NPU_BINARY(Min, NPU_ARITHMETIC, a < b || a != a ? a : b)
NPU_BINARY(And, NPU_BITS, T(a &b))
NPU_BINARY(Or, NPU_BITS, T(a | b))
NPU_BINARY(AddRelu, (npu::one_of<T, half, float, int16_t>), npu::Wide<T>(a) + npu::Wide<T>(b) > 0 ? NPU_SUM(a, +, b) : T(0))
NPU_BINARY(SubRelu, (npu::one_of<T, half, float, int16_t>), npu::Wide<T>(a) - npu::Wide<T>(b) > 0 ? NPU_SUM(a, -, b) : T(0))

#define NPU_UNARY(name, types, expression)                                                                              \
    namespace npu {                                                                                                     \
    template <class T> constexpr auto name##_of = [](T a) -> T { return (expression); };                                \
    }                                                                                                                   \
    template <class T, bool isSetMask = true>                                                                           \
    void name(const LocalTensor<T> &to, const LocalTensor<T> &a, const int32_t &count) {                                \
        static_assert(types, #name " is not for this type");                                                            \
        npu::Instruction i(#name, npu::vector);                                                                         \
        npu::unary(i, to, a, npu::all(count), {}, {}, npu::name##_of<T>);                                               \
    }                                                                                                                   \
    template <class T, bool isSetMask = true, class Mask>                                                               \
    void name(const LocalTensor<T> &to, const LocalTensor<T> &a, const Mask &mask, uint8_t repeats,                     \
              const UnaryRepeatParams &p) {                                                                             \
        static_assert(types, #name " is not for this type");                                                            \
        npu::Instruction i(#name, npu::vector);                                                                         \
        npu::unary(i, to, a, npu::masked(i, mask, repeats, sizeof(T), isSetMask), npu::of_destination(p),               \
                   npu::of_source(p), npu::name##_of<T>);                                                               \
    }
// In double, rounded once: the nearest result nearly always.
#define NPU_DOUBLE(f) T(f(double(a)))

NPU_UNARY(Exp, NPU_FLOATS, NPU_DOUBLE(std::exp))
NPU_UNARY(Ln, NPU_FLOATS, NPU_DOUBLE(std::log))
NPU_UNARY(Sqrt, NPU_FLOATS, NPU_DOUBLE(std::sqrt))
NPU_UNARY(Rsqrt, NPU_FLOATS, NPU_DOUBLE(1 / std::sqrt))
NPU_UNARY(Reciprocal, NPU_FLOATS, T(1 / double(a)))
NPU_UNARY(Abs, (npu::one_of<T, half, float>), T(std::fabs(float(a))))
NPU_UNARY(Relu, (npu::one_of<T, half, float, int32_t>), a > T(0) ? a : T(0))
NPU_UNARY(Not, NPU_BITS, T(~a))

// With a scalar, which is of the tensor's type whatever the caller gives.
#define NPU_SCALAR(name, types, expression)                                                                             \
    namespace npu {                                                                                                     \
    template <class T> constexpr auto name##_of = [](T a, T b) -> T { return (expression); };                           \
    }                                                                                                                   \
    template <class T, bool isSetMask = true, class U>                                                                  \
    void name(const LocalTensor<T> &to, const LocalTensor<T> &a, const U &given, const int32_t &count) {                \
        static_assert(types, #name " is not for this type");                                                            \
        npu::Instruction i(#name, npu::vector);                                                                         \
        npu::unary(i, to, a, npu::all(count), {}, {}, [b = T(given)](T a) { return npu::name##_of<T>(a, b); });         \
    }                                                                                                                   \
    template <class T, bool isSetMask = true, class U, class Mask>                                                      \
    void name(const LocalTensor<T> &to, const LocalTensor<T> &a, const U &given, const Mask &mask, uint8_t repeats,     \
              const UnaryRepeatParams &p) {                                                                             \
        static_assert(types, #name " is not for this type");                                                            \
        npu::Instruction i(#name, npu::vector);                                                                         \
        npu::unary(i, to, a, npu::masked(i, mask, repeats, sizeof(T), isSetMask), npu::of_destination(p),               \
                   npu::of_source(p), [b = T(given)](T a) { return npu::name##_of<T>(a, b); });                         \
    }
#define NPU_SHIFTED (npu::one_of<T, int16_t, uint16_t, int32_t, uint32_t>)
NPU_SCALAR(Adds, NPU_ARITHMETIC, NPU_SUM(a, +, b))
NPU_SCALAR(Muls, NPU_ARITHMETIC, NPU_SUM(a, *, b))
NPU_SCALAR(Maxs, NPU_ARITHMETIC, a > b || a != a ? a : b)
NPU_SCALAR(Mins, NPU_ARITHMETIC, a < b || a != a ? a : b)
NPU_SCALAR(LeakyRelu, NPU_FLOATS, a >= T(0) ? a : NPU_SUM(a, *, b))
NPU_SCALAR(ShiftLeft, NPU_SHIFTED, T(std::make_unsigned_t<T>(a) << b))
NPU_SCALAR(ShiftRight, NPU_SHIFTED, T(a >> b))

// The destination is an operand too.
namespace npu {
template <class D, class A, class F>
void into(Instruction &i, const LocalTensor<D> &to, const LocalTensor<A> &a, const LocalTensor<A> *b, const Lanes &lanes,
          Steps ds, Steps as, Steps bs, F f) {
    Operand<D> out(i, to, "the destination"), old(i, to, "the destination");
    Operand<A> first(i, a, "the first source"), second(i, b ? *b : a, "the second source");
    each(lanes, [&](uint32_t r, uint32_t l, bool plain) {
        bool defined = true;
        const uint64_t at = where<D>(lanes, ds, r, l, plain);
        const A x = first.get(where<A>(lanes, as, r, l, plain), defined);
        const A y = b ? second.get(where<A>(lanes, bs, r, l, plain), defined) : x;
        out.put(at, f(old.get(at, defined), x, y), defined);
    });
}
}  // namespace npu
#define NPU_INTO(name, expression)                                                                                      \
    template <class D, class A, bool isSetMask = true>                                                                  \
    void name(const LocalTensor<D> &to, const LocalTensor<A> &a, const LocalTensor<A> &b, const int32_t &count) {       \
        npu::Instruction i(#name, npu::vector);                                                                         \
        npu::into(i, to, a, &b, npu::all(count), {}, {}, {}, [](D old, A x, A y) -> D { return (expression); });        \
    }                                                                                                                   \
    template <class D, class A, bool isSetMask = true, class Mask>                                                      \
    void name(const LocalTensor<D> &to, const LocalTensor<A> &a, const LocalTensor<A> &b, const Mask &mask,             \
              uint8_t repeats, const BinaryRepeatParams &p) {                                                           \
        npu::Instruction i(#name, npu::vector);                                                                         \
        npu::into(i, to, a, &b, npu::masked(i, mask, repeats, sizeof(D), isSetMask), npu::of_destination(p),            \
                  npu::of_first(p), npu::of_second(p), [](D old, A x, A y) -> D { return (expression); });              \
    }
NPU_INTO(MulAddDst, D(std::fma(float(x), float(y), float(old))))
NPU_INTO(FusedMulAdd, D(std::fma(float(x), float(old), float(y))))
NPU_INTO(FusedMulAddRelu, D(std::max(std::fma(float(x), float(old), float(y)), 0.0f)))
template <class D, class A, bool isSetMask = true, class U>
void Axpy(const LocalTensor<D> &to, const LocalTensor<A> &a, const U &given, const int32_t &count) {
    npu::Instruction i("Axpy", npu::vector);
    npu::into(i, to, a, static_cast<const LocalTensor<A> *>(nullptr), npu::all(count), {}, {}, {},
              [s = float(A(given))](D old, A x, A) { return D(std::fma(float(x), s, float(old))); });
}
template <class D, class A, bool isSetMask = true, class U, class Mask>
void Axpy(const LocalTensor<D> &to, const LocalTensor<A> &a, const U &given, const Mask &mask, uint8_t repeats, const UnaryRepeatParams &p) {
    npu::Instruction i("Axpy", npu::vector);
    npu::into(i, to, a, static_cast<const LocalTensor<A> *>(nullptr), npu::masked(i, mask, repeats, sizeof(D), isSetMask),
              npu::of_destination(p), npu::of_source(p), {}, [s = float(A(given))](D old, A x, A) { return D(std::fma(float(x), s, float(old))); });
}

template <class T, bool isSetMask = true, class U> void Duplicate(const LocalTensor<T> &to, const U &given, const int32_t &count) {
    npu::Instruction i("Duplicate", npu::vector);
    npu::Operand<T> out(i, to, "the destination");
    for (int32_t k = 0; k < count; ++k) out.put(k, T(given), true);
}
template <class T, bool isSetMask = true, class U, class Mask>
void Duplicate(const LocalTensor<T> &to, const U &given, const Mask &mask, uint8_t repeats, uint16_t block_stride, uint8_t repeat_stride) {
    npu::Instruction i("Duplicate", npu::vector);
    npu::Operand<T> out(i, to, "the destination");
    const npu::Lanes lanes = npu::masked(i, mask, repeats, sizeof(T), isSetMask);
    npu::each(lanes, [&](uint32_t r, uint32_t l, bool) {
        out.put(npu::element<T>(lanes, {block_stride, repeat_stride}, r, l), T(given), true);
    });
}
template <class T, bool isSetMask = true, class Mask>
void Copy(const LocalTensor<T> &to, const LocalTensor<T> &a, const Mask &mask, uint8_t repeats, const CopyRepeatParams &p) {
    npu::Instruction i("Copy", npu::vector);
    npu::unary(i, to, a, npu::masked(i, mask, repeats, sizeof(T), isSetMask), {p.dstStride, p.dstRepeatSize}, {p.srcStride, p.srcRepeatSize},
               [](T x) { return x; });
}
template <class T> void Copy(const LocalTensor<T> &to, const LocalTensor<T> &a, const int32_t &count) {
    npu::Instruction i("Copy", npu::vector);
    npu::unary(i, to, a, npu::all(count), {}, {}, [](T x) { return x; });
}
// Eight elements in each repeat, each of which fills a unit of 32 bytes.
template <class T> void Brcb(const LocalTensor<T> &to, const LocalTensor<T> &a, uint8_t repeats, const BrcbRepeatParams &p) {
    npu::Instruction i("Brcb", npu::vector);
    npu::Operand<T> out(i, to, "the destination"), in(i, a, "the source");
    constexpr uint32_t per_unit = npu::unit / sizeof(T);
    for (uint32_t r = 0; r < repeats; ++r)
        for (uint32_t b = 0; b < 8; ++b) {
            bool defined = true;
            const T value = in.get(r * 8 + b, defined);
            for (uint32_t k = 0; k < per_unit; ++k) out.put((uint64_t(r) * p.dstRepStride + b * p.dstBlkStride) * per_unit + k, value, defined);
        }
}
template <class T, class U> void CreateVecIndex(const LocalTensor<T> &to, const U &first, uint32_t count) {
    npu::Instruction i("CreateVecIndex", npu::vector);
    npu::Operand<T> out(i, to, "the destination");
    for (uint32_t k = 0; k < count; ++k) out.put(k, T(npu::Wide<T>(T(first)) + npu::Wide<T>(k)), true);
}
template <class T, class U, class V> void ArithProgression(const LocalTensor<T> &to, const U &first, const V &difference, int32_t count) {
    npu::Instruction i("ArithProgression", npu::vector);
    npu::Operand<T> out(i, to, "the destination");
    for (int32_t k = 0; k < count; ++k)
        out.put(k, T(npu::Wide<T>(T(first)) + npu::Wide<T>(T(difference)) * npu::Wide<T>(k)), true);
}
template <class T> void Transpose(const LocalTensor<T> &to, const LocalTensor<T> &a) {
    static_assert(sizeof(T) == 2, "Transpose is of 16 x 16 elements of 16 bits");
    npu::Instruction i("Transpose", npu::vector);
    npu::Operand<T> out(i, to, "the destination"), in(i, a, "the source");
    T values[256];
    bool defined[256];
    for (int k = 0; k < 256; ++k) defined[k] = true, values[k] = in.get(k, defined[k]);
    for (int k = 0; k < 256; ++k) out.put(k, values[k % 16 * 16 + k / 16], defined[k % 16 * 16 + k / 16]);
}

}  // namespace AscendC
