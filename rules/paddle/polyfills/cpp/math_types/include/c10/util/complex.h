#pragma once
#include <type_traits>

namespace c10 {

template <typename T>
struct is_complex : std::false_type {};

template <typename T>
struct is_complex<::phi::dtype::complex<T>> : std::true_type {};

template <typename T>
struct scalar_value_type {
  using type = T;
};

template <typename T>
struct scalar_value_type<::phi::dtype::complex<T>> {
  using type = T;
};

}  // namespace c10
