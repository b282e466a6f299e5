// Functions that a device makes of several instructions; with or without memory for what is between.
#pragma once
#include "sort.h"

namespace AscendC {

#define NPU_FUNCTION(name, expression)                                                                                  \
    template <class T, bool isReuseSource = false>                                                                      \
    void name(const LocalTensor<T> &to, const LocalTensor<T> &a, const uint32_t count) {                                \
        static_assert(npu::one_of<T, half, float>, #name " is not for this type");                                      \
        npu::Instruction i(#name, npu::vector);                                                                         \
        npu::unary(i, to, a, npu::all(count), {}, {}, [](T value) { const double x = value; return T(expression); });   \
    }                                                                                                                   \
    template <class T, bool isReuseSource = false> void name(const LocalTensor<T> &to, const LocalTensor<T> &a) {       \
        name<T>(to, a, a.GetSize());                                                                                    \
    }                                                                                                                   \
    template <class T, bool isReuseSource = false>                                                                      \
    void name(const LocalTensor<T> &to, const LocalTensor<T> &a, const LocalTensor<uint8_t> &, const uint32_t count) {  \
        name<T>(to, a, count);                                                                                          \
    }                                                                                                                   \
    template <class T, bool isReuseSource = false>                                                                      \
    void name(const LocalTensor<T> &to, const LocalTensor<T> &a, const LocalTensor<uint8_t> &) {                        \
        name<T>(to, a, a.GetSize());                                                                                    \
    }

NPU_FUNCTION(Sin, std::sin(x))
NPU_FUNCTION(Cos, std::cos(x))
NPU_FUNCTION(Tan, std::tan(x))
NPU_FUNCTION(Asin, std::asin(x))
NPU_FUNCTION(Acos, std::acos(x))
NPU_FUNCTION(Atan, std::atan(x))
NPU_FUNCTION(Sinh, std::sinh(x))
NPU_FUNCTION(Cosh, std::cosh(x))
NPU_FUNCTION(Tanh, std::tanh(x))
NPU_FUNCTION(Asinh, std::asinh(x))
NPU_FUNCTION(Acosh, std::acosh(x))
NPU_FUNCTION(Atanh, std::atanh(x))
NPU_FUNCTION(Erf, std::erf(x))
NPU_FUNCTION(Erfc, std::erfc(x))
NPU_FUNCTION(Lgamma, std::lgamma(x))
NPU_FUNCTION(Log, std::log(x))
NPU_FUNCTION(Log2, std::log2(x))
NPU_FUNCTION(Log10, std::log10(x))
NPU_FUNCTION(Floor, std::floor(x))
NPU_FUNCTION(Ceil, std::ceil(x))
NPU_FUNCTION(Round, std::nearbyint(x))
NPU_FUNCTION(Rint, std::nearbyint(x))
NPU_FUNCTION(Trunc, std::trunc(x))
NPU_FUNCTION(Frac, x - std::trunc(x))
NPU_FUNCTION(Sign, (x > 0) - (x < 0))
NPU_FUNCTION(Sigmoid, 1 / (1 + std::exp(-x)))
NPU_FUNCTION(Silu, x / (1 + std::exp(-x)))
NPU_FUNCTION(Gelu, x / (1 + std::exp(-1.5957691216057308 * (x + 0.044715 * x * x * x))))
template <class T, bool isReuseSource = false> void Swish(const LocalTensor<T> &to, const LocalTensor<T> &a, uint32_t count, const T scale) {
    npu::Instruction i("Swish", npu::vector);
    npu::unary(i, to, a, npu::all(count), {}, {}, [s = double(scale)](T x) { return T(double(x) / (1 + std::exp(-s * double(x)))); });
}
template <class T, bool isReuseSource = false>
void SwiGLU(const LocalTensor<T> &to, const LocalTensor<T> &a, const LocalTensor<T> &b, const float &scale, uint32_t count) {
    npu::Instruction i("SwiGLU", npu::vector);
    npu::binary(i, to, a, b, npu::all(count), {}, {}, {},
                [s = double(scale)](T x, T y) { return T(double(x) * double(y) / (1 + std::exp(-s * double(y)))); });
}
template <class T, bool isReuseSource = false>
void SwiGLU(LocalTensor<T> &to, LocalTensor<T> &a, LocalTensor<T> &b, const float &scale, const LocalTensor<uint8_t> &, uint32_t count) {
    SwiGLU<T>(to, a, b, scale, count);
}
template <class T, bool isReuseSource = false> void Power(const LocalTensor<T> &to, const LocalTensor<T> &a, const LocalTensor<T> &b, uint32_t count) {
    npu::Instruction i("Power", npu::vector);
    npu::binary(i, to, a, b, npu::all(count), {}, {}, {}, [](T x, T y) { return T(std::pow(double(x), double(y))); });
}
template <class T, bool isReuseSource = false> void Power(const LocalTensor<T> &to, const LocalTensor<T> &a, const T &b, uint32_t count) {
    npu::Instruction i("Power", npu::vector);
    npu::unary(i, to, a, npu::all(count), {}, {}, [y = double(b)](T x) { return T(std::pow(double(x), y)); });
}
template <class T, bool isReuseSource = false> void ClampMax(const LocalTensor<T> &to, const LocalTensor<T> &a, const LocalTensor<uint8_t> &, T most, uint32_t count) {
    Mins(to, a, most, count);
}
template <class T, bool isReuseSource = false> void ClampMin(const LocalTensor<T> &to, const LocalTensor<T> &a, const LocalTensor<uint8_t> &, T least, uint32_t count) {
    Maxs(to, a, least, count);
}

// Sizes of 1 become those of the destination.
template <class T, int32_t dim, int32_t axis, bool isReuseSource = false>
void Broadcast(const LocalTensor<T> &to, const LocalTensor<T> &a, const uint32_t to_shape[dim], const uint32_t shape[dim]) {
    static_assert(dim <= 2, "Broadcast is of one or two dimensions");
    npu::Instruction i("Broadcast", npu::vector);
    npu::Operand<T> out(i, to, "the destination"), in(i, a, "the source");
    const uint32_t rows = dim == 2 ? to_shape[0] : 1, columns = to_shape[dim - 1];
    const uint32_t own_rows = dim == 2 ? shape[0] : 1, own_columns = shape[dim - 1];
    for (uint32_t r = 0; r < rows; ++r)
        for (uint32_t c = 0; c < columns; ++c) {
            bool defined = true;
            const T value = in.get(uint64_t(own_rows == 1 ? 0 : r) * own_columns + (own_columns == 1 ? 0 : c), defined);
            out.put(uint64_t(r) * columns + c, value, defined);
        }
}
template <class T, int32_t dim, int32_t axis, bool isReuseSource = false>
void Broadcast(const LocalTensor<T> &to, const LocalTensor<T> &a, const uint32_t to_shape[dim], const uint32_t shape[dim], LocalTensor<uint8_t> &) {
    Broadcast<T, dim, axis>(to, a, to_shape, shape);
}

}  // namespace AscendC
