#pragma once
#include <c10/macros/Macros.h>

namespace c10 {

// Types that no tensor of Paddle has.
// extends
enum class ScalarType {
  ComplexHalf,
  Float8_e5m2fnuz,
  Float8_e4m3fnuz,
  Float8_e8m0fnu,
  Float4_e2m1fn_x2
};

constexpr ScalarType kComplexHalf = ScalarType::ComplexHalf;

constexpr ScalarType kFloat8_e5m2fnuz = ScalarType::Float8_e5m2fnuz;

constexpr ScalarType kFloat8_e4m3fnuz = ScalarType::Float8_e4m3fnuz;

constexpr ScalarType kFloat8_e8m0fnu = ScalarType::Float8_e8m0fnu;

constexpr ScalarType kFloat4_e2m1fn_x2 = ScalarType::Float4_e2m1fn_x2;

inline bool isQIntType(ScalarType) { return false; }

inline bool isBitsType(ScalarType) { return false; }

inline bool isBarebonesUnsignedType(ScalarType t) {
  return t == ScalarType::UInt16 || t == ScalarType::UInt32 || t == ScalarType::UInt64;
}

inline bool isIntegralType(ScalarType t) { return isIntegralType(t, false); }

inline bool isSignedType(ScalarType t) {
  return t != ScalarType::Byte && t != ScalarType::Bool && !isBarebonesUnsignedType(t);
}

inline ScalarType toRealValueType(ScalarType t) {
  return t == ScalarType::ComplexFloat    ? ScalarType::Float
         : t == ScalarType::ComplexDouble ? ScalarType::Double
                                          : t;
}

inline ScalarType toComplexType(ScalarType t) {
  if (t == ScalarType::Double || t == ScalarType::ComplexDouble) return ScalarType::ComplexDouble;
  TORCH_CHECK(t == ScalarType::Float || t == ScalarType::ComplexFloat || t == ScalarType::BFloat16,
              "Unknown Complex ScalarType for ", toString(t));
  return ScalarType::ComplexFloat;
}

}  // namespace c10
