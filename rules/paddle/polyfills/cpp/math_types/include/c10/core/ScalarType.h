#pragma once
#include <c10/macros/Macros.h>

namespace c10 {

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
