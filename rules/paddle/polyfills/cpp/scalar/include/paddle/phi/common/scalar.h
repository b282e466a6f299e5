#pragma once

namespace paddle {
namespace experimental {

// extends
class ScalarBase {
  ScalarBase(long long value) : ScalarBase(static_cast<int64_t>(value)) {}
  ScalarBase(unsigned long long value) : ScalarBase(static_cast<uint64_t>(value)) {}

  double toDouble() const { return to<double>(); }
  float toFloat() const { return to<float>(); }
  int64_t toLong() const { return to<int64_t>(); }
  int toInt() const { return to<int>(); }
  int16_t toShort() const { return to<int16_t>(); }
  int8_t toChar() const { return to<int8_t>(); }
  uint8_t toByte() const { return to<uint8_t>(); }
  uint16_t toUInt16() const { return to<uint16_t>(); }
  uint32_t toUInt32() const { return to<uint32_t>(); }
  uint64_t toUInt64() const { return to<uint64_t>(); }
  bool toBool() const { return to<bool>(); }
  float16 toHalf() const { return to<float16>(); }
  bfloat16 toBFloat16() const { return to<bfloat16>(); }
  complex64 toComplexFloat() const { return to<complex64>(); }
  complex128 toComplexDouble() const { return to<complex128>(); }
  int64_t toSymInt() const { return to<int64_t>(); }
  double toSymFloat() const { return to<double>(); }

  bool isBoolean() const { return dtype_ == DataType::BOOL; }
  bool isComplex() const {
    return dtype_ == DataType::COMPLEX64 || dtype_ == DataType::COMPLEX128;
  }
  bool isFloatingPoint() const {
    return dtype_ == DataType::FLOAT64 || dtype_ == DataType::FLOAT32 ||
           dtype_ == DataType::FLOAT16 || dtype_ == DataType::BFLOAT16;
  }
  bool isIntegral(bool includeBool) const {
    return isBoolean() ? includeBool : !isComplex() && !isFloatingPoint();
  }
  bool isIntegral() const { return isIntegral(false); }
  bool isSymbolic() const { return false; }
  bool isSymInt() const { return false; }
  bool isSymFloat() const { return false; }

  auto type() const { return kind_of(*this); }

  template <typename Number>
  bool equal(Number number) const {
    return isComplex() ? to<complex128>() == complex128(number)
                       : to<double>() == static_cast<double>(number);
  }
};

}  // namespace experimental
}  // namespace paddle
