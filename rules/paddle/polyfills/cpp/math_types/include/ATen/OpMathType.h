#pragma once
#include <c10/core/ScalarType.h>
#include <c10/util/BFloat16.h>
#include <c10/util/Float8_e4m3fn.h>
#include <c10/util/Float8_e5m2.h>
#include <c10/util/Half.h>
#include <c10/util/complex.h>

#include <type_traits>

namespace at {

// float for what is shorter than float, the type itself otherwise.
template <typename scalar_t>
struct OpMathType {
  using type = std::conditional_t<
      std::is_same_v<scalar_t, Half> || std::is_same_v<scalar_t, BFloat16> ||
          std::is_same_v<scalar_t, Float8_e5m2> || std::is_same_v<scalar_t, Float8_e4m3fn>,
      float,
      std::conditional_t<std::is_same_v<scalar_t, ::c10::complex<Half>>, ::c10::complex<float>,
                         scalar_t>>;
};

template <typename T>
using opmath_type = typename OpMathType<T>::type;

inline ScalarType toOpMathType(const ScalarType type) {
  return ::c10::isReducedFloatingType(type) ? ScalarType::Float : type;
}

}  // namespace at
