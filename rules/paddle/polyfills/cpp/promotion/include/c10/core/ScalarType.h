#pragma once

namespace c10 {

inline ScalarType promoteTypes(ScalarType a, ScalarType b) {
  if (a == b || b == ScalarType::Undefined) return a;
  if (a == ScalarType::Undefined) return b;
  if (isComplexType(a) || isComplexType(b)) {
    const auto wide = [](ScalarType t) {
      return t == ScalarType::Double || t == ScalarType::ComplexDouble;
    };
    return wide(a) || wide(b) ? ScalarType::ComplexDouble : ScalarType::ComplexFloat;
  }
  if (isFloatingType(a) != isFloatingType(b)) return isFloatingType(a) ? a : b;
  if (elementSize(a) != elementSize(b)) return elementSize(a) > elementSize(b) ? a : b;
  if (isFloatingType(a)) return ScalarType::Float;  // the two halves
  if (a == ScalarType::Bool || b == ScalarType::Bool) return a == ScalarType::Bool ? b : a;
  return ScalarType::Short;  // Byte and Char
}

// Whether a result of one dtype can be put into a tensor of the other.
inline bool canCast(ScalarType from, ScalarType to) {
  if (isComplexType(from)) return isComplexType(to);
  if (isFloatingType(from)) return !isIntegralType(to, true);
  return from == ScalarType::Bool || to != ScalarType::Bool;
}

}  // namespace c10
