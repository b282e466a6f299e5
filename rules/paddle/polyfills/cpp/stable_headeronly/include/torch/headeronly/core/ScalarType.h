#pragma once
#include <c10/core/ScalarType.h>

#include <cstdint>
#include <string>

namespace torch::headeronly {

using ScalarType = c10::ScalarType;

using c10::kBFloat16;
using c10::kBool;
using c10::kByte;
using c10::kChar;
using c10::kDouble;
using c10::kFloat;
using c10::kHalf;
using c10::kInt;
using c10::kLong;
using c10::kShort;

inline const char* toString(ScalarType type) { return c10::toString(type); }

template <typename T>
using CppTypeToScalarType = c10::CppTypeToScalarType<T>;

}  // namespace torch::headeronly
