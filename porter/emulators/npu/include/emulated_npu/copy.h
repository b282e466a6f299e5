// Copies between global and local memory, and what is added to global memory on the way out.
#pragma once
#include "queue.h"

namespace AscendC {

// Lengths and gaps in units of 32 bytes.
struct DataCopyParams {
    uint16_t blockCount = 1, blockLen = 0, srcGap = 0, dstGap = 0;
    uint16_t &srcStride = srcGap, &dstStride = dstGap;
    DataCopyParams() = default;
    DataCopyParams(uint16_t count, uint16_t length, uint16_t source, uint16_t destination)
        : blockCount(count), blockLen(length), srcGap(source), dstGap(destination) {}
    DataCopyParams(const DataCopyParams &o) : DataCopyParams(o.blockCount, o.blockLen, o.srcGap, o.dstGap) {}
    DataCopyParams &operator=(const DataCopyParams &o) {
        blockCount = o.blockCount, blockLen = o.blockLen, srcGap = o.srcGap, dstGap = o.dstGap;
        return *this;
    }
};
// Lengths in bytes; gaps in bytes of global memory, in units of 32 bytes of local memory.
struct DataCopyExtParams {
    uint16_t blockCount = 1;
    uint32_t blockLen = 0;
    int64_t srcStride = 0, dstStride = 0;
    uint32_t rsv = 0;
    DataCopyExtParams() = default;
    DataCopyExtParams(uint16_t count, uint32_t length, int64_t source, int64_t destination, uint32_t reserved)
        : blockCount(count), blockLen(length), srcStride(source), dstStride(destination), rsv(reserved) {}
};
struct DataCopyPadParams {
    bool isPad = false;
    uint8_t leftPadding = 0, rightPadding = 0;
    uint64_t paddingValue = 0;
    DataCopyPadParams() = default;
    DataCopyPadParams(bool pad, uint8_t left, uint8_t right, uint64_t value)
        : isPad(pad), leftPadding(left), rightPadding(right), paddingValue(value) {}
};
template <class T> struct DataCopyPadExtParams {
    bool isPad = false;
    uint8_t leftPadding = 0, rightPadding = 0;
    T paddingValue{};
    DataCopyPadExtParams() = default;
    DataCopyPadExtParams(bool pad, uint8_t left, uint8_t right, T value)
        : isPad(pad), leftPadding(left), rightPadding(right), paddingValue(value) {}
};

namespace npu {

// What atomic modes do to elements of global memory.
template <class T> void merge(Atomic atomic, uint8_t *to, const uint8_t *from, uint64_t bytes) {
    for (uint64_t k = 0; k + sizeof(T) <= bytes; k += sizeof(T)) {
        T old, value;
        std::memcpy(&old, to + k, sizeof old);
        std::memcpy(&value, from + k, sizeof value);
        const Wide<T> a = old, b = value;
        const T result = static_cast<T>(atomic == Atomic::add ? a + b : atomic == Atomic::max ? std::max(a, b) : std::min(a, b));
        std::memcpy(to + k, &result, sizeof result);
    }
}
template <class T> void store(Block &b, uint8_t *to, const uint8_t *from, uint64_t bytes) {
    if (b.atomic == Atomic::none) {
        std::memcpy(to, from, bytes);
    } else if constexpr (one_of<T, float, half, bfloat16_t, int32_t, int16_t, int8_t>) {
        merge<T>(b.atomic, to, from, bytes);
    } else {
        ::emulated::fault("an atomic copy of a type that has none");
    }
}

template <class T>
void bring(Instruction &i, const LocalTensor<T> &to, uint64_t to_byte, const GlobalTensor<T> &from, uint64_t from_byte, uint64_t bytes) {
    i.range(to.at + to_byte, bytes, to.begin, to.end, "a write");
    const uint8_t *source = from.bytes(i, from_byte, bytes, "a read");
    i.written(to.at + to_byte, bytes);
    std::memcpy(i.block().buffer + to.at + to_byte, source, bytes);
    std::memset(i.block().defined + to.at + to_byte, 1, bytes);
}
template <class T>
void take(Instruction &i, const GlobalTensor<T> &to, uint64_t to_byte, const LocalTensor<T> &from, uint64_t from_byte, uint64_t bytes) {
    const uint32_t at = from.at + from_byte;
    i.range(at, bytes, from.begin, from.end, "a read");
    uint8_t *destination = to.bytes(i, to_byte, bytes, "a write");
    i.read(at, bytes);
    const bool *defined = i.block().defined;
    if (checks_definition()) {
        const auto *bad = static_cast<const bool *>(std::memchr(defined + at, 0, bytes));
        if (bad)
            i.fault("element " + text((bad - defined - from.at) / sizeof(T)) + " of what is copied out was never written, or computed from what was not");
    }
    store<T>(i.block(), destination, i.block().buffer + at, bytes);
}
inline void whole_units(const Instruction &i, uint64_t bytes) {
    if (bytes % unit) i.fault(text(bytes) + " bytes are no multiple of 32: DataCopyPad takes them");
}

template <class T, class Params, class Pad>
void pad_in(const LocalTensor<T> &to, const GlobalTensor<T> &from, const Params &p, const Pad &pad, uint64_t to_gap) {
    Instruction i("DataCopyPad", copy_in);
    i.aligned(to.at, "the destination");
    const uint64_t left = pad.isPad ? pad.leftPadding * sizeof(T) : 0, right = pad.isPad ? pad.rightPadding * sizeof(T) : 0;
    if (left > unit || right > unit) i.fault("more than 32 bytes of padding");
    const uint64_t row = (left + p.blockLen + right + unit - 1) / unit * unit;
    T value{};
    if constexpr (std::is_same_v<Pad, DataCopyPadParams>)
        std::memcpy(&value, &pad.paddingValue, sizeof value);
    else
        value = pad.paddingValue;
    for (uint32_t r = 0; r < p.blockCount; ++r) {
        const uint64_t at = r * (row + to_gap * unit);
        i.range(to.at + at, row, to.begin, to.end, "a write");
        i.written(to.at + at, row);
        uint8_t *bytes = i.block().buffer + to.at + at;
        bool *defined = i.block().defined + to.at + at;
        std::memset(bytes, never_written, row);  // up to the unit's end, whatever it is
        std::memset(defined, 0, row);
        const auto fill = [&](uint64_t begin, uint64_t end) {
            for (uint64_t k = begin; k + sizeof(T) <= end; k += sizeof(T)) std::memcpy(bytes + k, &value, sizeof value);
            std::memset(defined + begin, 1, end - begin);
        };
        fill(0, left);
        bring(i, to, at + left, from, r * (uint64_t(p.blockLen) + p.srcStride), p.blockLen);
        fill(left + p.blockLen, left + p.blockLen + right);
    }
}

}  // namespace npu

template <class T> void DataCopy(const LocalTensor<T> &to, const GlobalTensor<T> &from, uint32_t count) {
    npu::Instruction i("DataCopy", npu::copy_in);
    npu::whole_units(i, uint64_t(count) * sizeof(T));
    i.aligned(to.at, "the destination");
    npu::bring(i, to, 0, from, 0, uint64_t(count) * sizeof(T));
}
template <class T> void DataCopy(const GlobalTensor<T> &to, const LocalTensor<T> &from, uint32_t count) {
    npu::Instruction i("DataCopy", npu::copy_out);
    npu::whole_units(i, uint64_t(count) * sizeof(T));
    i.aligned(from.at, "the source");
    npu::take(i, to, 0, from, 0, uint64_t(count) * sizeof(T));
}
template <class T> void DataCopy(const LocalTensor<T> &to, const GlobalTensor<T> &from, const DataCopyParams &p) {
    npu::Instruction i("DataCopy", npu::copy_in);
    i.aligned(to.at, "the destination");
    const uint64_t length = p.blockLen * npu::unit;
    for (uint64_t r = 0; r < p.blockCount; ++r)
        npu::bring(i, to, r * (length + p.dstGap * npu::unit), from, r * (length + p.srcGap * npu::unit), length);
}
template <class T> void DataCopy(const GlobalTensor<T> &to, const LocalTensor<T> &from, const DataCopyParams &p) {
    npu::Instruction i("DataCopy", npu::copy_out);
    i.aligned(from.at, "the source");
    const uint64_t length = p.blockLen * npu::unit;
    for (uint64_t r = 0; r < p.blockCount; ++r)
        npu::take(i, to, r * (length + p.dstGap * npu::unit), from, r * (length + p.srcGap * npu::unit), length);
}
template <class T> void DataCopy(const LocalTensor<T> &to, const LocalTensor<T> &from, const DataCopyParams &p) {
    npu::Instruction i("DataCopy", npu::vector);
    i.aligned(to.at, "the destination");
    i.aligned(from.at, "the source");
    const uint64_t length = p.blockLen * npu::unit;
    for (uint64_t r = 0; r < p.blockCount; ++r) {
        const uint32_t a = to.at + r * (length + p.dstGap * npu::unit), b = from.at + r * (length + p.srcGap * npu::unit);
        i.range(a, length, to.begin, to.end, "a write");
        i.range(b, length, from.begin, from.end, "a read");
        i.read(b, length);
        i.written(a, length);
        std::memmove(i.block().buffer + a, i.block().buffer + b, length);
        std::memmove(i.block().defined + a, i.block().defined + b, length);
    }
}
template <class T> void DataCopy(const LocalTensor<T> &to, const LocalTensor<T> &from, uint32_t count) {
    npu::Instruction i("DataCopy", npu::vector);
    npu::whole_units(i, uint64_t(count) * sizeof(T));
    DataCopy(to, from, DataCopyParams(1, count * sizeof(T) / npu::unit, 0, 0));
}

template <class T>
void DataCopyPad(const LocalTensor<T> &to, const GlobalTensor<T> &from, const DataCopyParams &p, const DataCopyPadParams &pad) {
    npu::pad_in(to, from, p, pad, p.dstStride);
}
template <class T>
void DataCopyPad(const LocalTensor<T> &to, const GlobalTensor<T> &from, const DataCopyExtParams &p, const DataCopyPadExtParams<T> &pad) {
    npu::pad_in(to, from, p, pad, p.dstStride);
}
namespace npu {
template <class T, class Params> void pad_out(const GlobalTensor<T> &to, const LocalTensor<T> &from, const Params &p) {
    Instruction i("DataCopyPad", copy_out);
    i.aligned(from.at, "the source");
    const uint64_t row = (uint64_t(p.blockLen) + unit - 1) / unit * unit + p.srcStride * unit;
    for (uint64_t r = 0; r < p.blockCount; ++r) take(i, to, r * (p.blockLen + p.dstStride), from, r * row, p.blockLen);
}
}  // namespace npu
template <class T> void DataCopyPad(const GlobalTensor<T> &to, const LocalTensor<T> &from, const DataCopyParams &p) {
    npu::pad_out(to, from, p);
}
template <class T> void DataCopyPad(const GlobalTensor<T> &to, const LocalTensor<T> &from, const DataCopyExtParams &p) {
    npu::pad_out(to, from, p);
}

namespace npu {
template <class T> void atomic(Atomic kind) {
    block().atomic = kind;
    block().atomic_type = sizeof(T);
}
}  // namespace npu
template <class T> void SetAtomicAdd() { npu::atomic<T>(npu::Atomic::add); }
template <class T> void SetAtomicMax() { npu::atomic<T>(npu::Atomic::max); }
template <class T> void SetAtomicMin() { npu::atomic<T>(npu::Atomic::min); }
inline void SetAtomicNone() { npu::atomic<char>(npu::Atomic::none); }

// Each value written, by as many copies as it takes.
template <class T, class U> void InitGlobalMemory(const GlobalTensor<T> &to, uint64_t count, U value) {
    npu::Instruction i("InitGlobalMemory", npu::copy_out);
    npu::block().order_all();
    uint8_t *bytes = to.bytes(i, 0, count * sizeof(T), "a write");
    const T given = static_cast<T>(value);
    for (uint64_t k = 0; k < count; ++k) std::memcpy(bytes + k * sizeof(T), &given, sizeof given);
    npu::block().order_all();
}

enum class CacheLine : uint64_t { SINGLE_CACHE_LINE = 0, ENTIRE_DATA_CACHE };
enum class DcciDst : uint64_t { CACHELINE_ALL = 0, CACHELINE_UB, CACHELINE_OUT, CACHELINE_ATOMIC };
template <class T, CacheLine line, DcciDst to = DcciDst::CACHELINE_ALL> void DataCacheCleanAndInvalid(const GlobalTensor<T> &) {}

}  // namespace AscendC
