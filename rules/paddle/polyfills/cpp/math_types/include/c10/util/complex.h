#pragma once
#include <type_traits>

namespace c10::compat_detail {

template <typename T>
T complex_part(const volatile ::phi::dtype::complex<T>*);

}  // namespace c10::compat_detail

namespace c10 {

template <typename T, typename = void>
struct is_complex : std::false_type {};

template <typename T>
struct is_complex<T, std::void_t<decltype(compat_detail::complex_part(static_cast<T*>(nullptr)))>>
    : std::true_type {};

template <typename T, typename = void>
struct scalar_value_type {
  using type = T;
};

template <typename T>
struct scalar_value_type<T, std::void_t<decltype(compat_detail::complex_part(static_cast<T*>(nullptr)))>> {
  using type = decltype(compat_detail::complex_part(static_cast<T*>(nullptr)));
};

}  // namespace c10
