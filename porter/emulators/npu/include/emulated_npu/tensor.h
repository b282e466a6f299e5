// Tensors in global memory, and in a block's unified buffer.
#pragma once
#include "core.h"

namespace AscendC {

enum class TPosition : uint8_t {
    GM, A1, A2, B1, B2, C1, C2, CO1, CO2, VECIN, VECOUT, VECCALC, LCM, SPM, SHM, TSCM, C2PIPE2GM, C2PIPE2LOCAL, MAX,
};
using QuePosition = TPosition;
enum class CacheMode { CACHE_MODE_DISABLE, CACHE_MODE_NORMAL, CACHE_MODE_LAST, CACHE_MODE_PERSISTENT };
enum class CacheRwMode { READ = 1, WRITE = 2, RW = 3 };

struct ShapeInfo {
    uint8_t shapeDim = 0, originalShapeDim = 0;
    uint32_t shape[8]{}, originalShape[8]{};
    int dataFormat = 0;
    ShapeInfo() = default;
    ShapeInfo(uint8_t dim, const uint32_t sizes[], int format = 0) : shapeDim(dim), originalShapeDim(dim), dataFormat(format) {
        for (int k = 0; k < dim; ++k) shape[k] = originalShape[k] = sizes[k];
    }
};

template <class T> class LocalTensor {
  public:
    using PrimType = T;

    LocalTensor() = default;
    LocalTensor(TPosition position, uint32_t at, uint32_t size)
        : at(at), begin(at), end(at + size * sizeof(T)), position(position) {
        if (end > npu::unified_buffer)
            ::emulated::fault("local memory up to byte " + npu::text(end) + " of the unified buffer, which has " +
                              npu::text(npu::unified_buffer));
    }
    LocalTensor(uint32_t at, uint32_t begin, uint32_t end, TPosition position)
        : at(at), begin(begin), end(end), position(position) {}

    // What the operators between tensors give, such as `a + b`: computed where it is put.
    template <class Combined>
        requires requires(const Combined &c, const LocalTensor &to) { c.put(to); }
    LocalTensor &operator=(const Combined &combined) {
        combined.put(*this);
        return *this;
    }
    LocalTensor operator[](uint32_t offset) const { return {at + offset * uint32_t(sizeof(T)), begin, end, position}; }
    template <class U> LocalTensor<U> ReinterpretCast() const {
        LocalTensor<U> other{at, begin, end, position};
        other.length = length;
        return other;
    }
    T GetValue(uint32_t index) const {
        npu::Instruction scalar("GetValue", npu::scalar);
        const uint32_t from = element(scalar, index);
        scalar.read(from, sizeof(T));
        if (npu::checks_definition() && !scalar.block().defined[from])
            scalar.fault("element " + npu::text(index) + " was never written");
        T value;
        std::memcpy(&value, scalar.block().buffer + from, sizeof value);
        return value;
    }
    template <class U> void SetValue(uint32_t index, U given) const {
        npu::Instruction scalar("SetValue", npu::scalar);
        const uint32_t to = element(scalar, index);
        const T value = static_cast<T>(given);
        scalar.written(to, sizeof(T));
        std::memcpy(scalar.block().buffer + to, &value, sizeof value);
        std::memset(scalar.block().defined + to, 1, sizeof value);
    }
    // An element as such: read or written by the scalar unit.
    T &operator()(uint32_t index) const {
        npu::Instruction scalar("operator()", npu::scalar);
        const uint32_t to = element(scalar, index);
        scalar.written(to, sizeof(T));
        std::memset(scalar.block().defined + to, 1, sizeof(T));
        return *reinterpret_cast<T *>(scalar.block().buffer + to);
    }
    uint32_t GetSize() const { return (length ? std::min(length, end - at) : end - at) / sizeof(T); }
    uint32_t GetLength() const { return GetSize() * sizeof(T); }
    void SetSize(uint32_t size) { length = size * sizeof(T); }
    TPosition GetPosition() const { return position; }
    uint64_t GetPhyAddr(uint32_t offset = 0) const { return at + offset * sizeof(T); }
    void SetShapeInfo(const ShapeInfo &info) { shape = info; }
    ShapeInfo GetShapeInfo() const { return shape; }
    template <class U> void SetUserTag(U given) { tag = given; }
    int32_t GetUserTag() const { return tag; }
    void Print() const {}

    // In the unified buffer: where it is, and the memory it is in.
    uint32_t at = 0, begin = 0, end = 0, length = 0;
    TPosition position = TPosition::VECCALC;

  private:
    uint32_t element(const npu::Instruction &scalar, uint32_t index) const {
        const uint64_t where = at + uint64_t(index) * sizeof(T);
        if (where + sizeof(T) > end || where < begin)
            scalar.fault("index " + npu::text(index) + " is out of range: there are " + npu::text((end - at) / sizeof(T)) +
                         " elements");
        return static_cast<uint32_t>(where);
    }
    ShapeInfo shape;
    int32_t tag = -1;
};

template <class T> class GlobalTensor {
  public:
    using PrimType = T;

    void SetGlobalBuffer(T *buffer, uint64_t size) {
        first = buffer;
        limit = size;
        offset = 0;
    }
    void SetGlobalBuffer(T *buffer) { SetGlobalBuffer(buffer, 0); }
    GlobalTensor operator[](uint64_t elements) const {
        GlobalTensor other = *this;
        other.offset += elements;
        return other;
    }
    const T *GetPhyAddr() const { return first + offset; }
    T *GetPhyAddr(uint64_t elements) const { return first + offset + elements; }
    T GetValue(uint64_t index) const {
        npu::Instruction scalar("GetValue", npu::scalar);
        T value;
        std::memcpy(&value, bytes(scalar, index * sizeof(T), sizeof(T), "a read"), sizeof value);
        return value;
    }
    template <class U> void SetValue(uint64_t index, U given) const {
        npu::Instruction scalar("SetValue", npu::scalar);
        const T value = static_cast<T>(given);
        std::memcpy(bytes(scalar, index * sizeof(T), sizeof(T), "a write"), &value, sizeof value);
    }
    T &operator()(uint64_t index) const {
        npu::Instruction scalar("operator()", npu::scalar);
        return *reinterpret_cast<T *>(bytes(scalar, index * sizeof(T), sizeof(T), "an access"));
    }
    uint64_t GetSize() const { return limit; }
    void SetL2CacheHint(CacheMode, CacheRwMode = CacheRwMode::RW) {}
    template <CacheRwMode mode = CacheRwMode::RW> void SetL2CacheHint(CacheMode) {}
    void SetShapeInfo(const ShapeInfo &) {}
    void Print() const {}

    // `size` bytes from byte `from`, for an instruction; within what SetGlobalBuffer was told.
    uint8_t *bytes(const npu::Instruction &instruction, uint64_t from, uint64_t size, const char *what) const {
        const uint64_t whole = offset * sizeof(T) + from;
        if (limit && whole + size > limit * sizeof(T))
            instruction.fault(std::string(what) + " of " + npu::text(size) + " bytes at byte " + npu::text(whole) +
                              " is out of range: SetGlobalBuffer was told " + npu::text(limit * sizeof(T)) + " bytes");
        return npu::global(instruction, reinterpret_cast<const uint8_t *>(first) + whole, size, what);
    }

  private:
    T *first = nullptr;
    uint64_t limit = 0, offset = 0;  // in elements
};

}  // namespace AscendC
