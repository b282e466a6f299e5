#pragma once
#include <c10/core/ScalarType.h>

namespace paddle::experimental {

// The kind of a number, as torch tells it.
inline ::c10::ScalarType kind_of(const Scalar& scalar) {
  return scalar.isComplex()         ? ::c10::ScalarType::ComplexDouble
         : scalar.isFloatingPoint() ? ::c10::ScalarType::Double
         : scalar.isBoolean()       ? ::c10::ScalarType::Bool
                                    : ::c10::ScalarType::Long;
}

}  // namespace paddle::experimental
