#pragma once
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>

namespace detail {

// For what a dispatch macro of one's own is given.
inline at::ScalarType scalar_type(at::ScalarType s) { return s; }

}  // namespace detail

namespace at::compat_detail {

inline at::ScalarType scalar_type(at::ScalarType type) { return type; }

// Also what x.type() gives.
template <typename Type>
auto scalar_type(const Type& type) -> decltype(type.scalarType()) {
  return type.scalarType();
}

// The C++ type of a branch; of one that is never taken here, some type.
template <::at::ScalarType type, typename = void>
struct element {
  using type_t = ::c10::complex<::c10::Half>;
};

template <::at::ScalarType type>
struct element<type, std::void_t<typename ::c10::impl::ScalarTypeToCPPType<type>::type>> {
  using type_t = typename ::c10::impl::ScalarTypeToCPPType<type>::type;
};

[[noreturn]] inline void not_dispatched(const char* name, at::ScalarType type) {
  throw ::c10::NotImplementedError(
      {name, "AT_DISPATCH_SWITCH", 0}, ::c10::str('"', name, "\" not implemented for '", type, "'"));
}

}  // namespace at::compat_detail

// Builds of torch that leave out types, or list those in use, are no builds that extensions see.
#define RECORD_KERNEL_FUNCTION_DTYPE(NAME, enum_type)
#define AT_PRIVATE_CHECK_SELECTIVE_BUILD(enum_type)

#define AT_PRIVATE_CASE_TYPE_USING_HINT(enum_type, HINT, ...)                        \
  case enum_type: {                                                                  \
    using HINT [[maybe_unused]] = ::at::compat_detail::element<enum_type>::type_t;   \
    return __VA_ARGS__();                                                            \
  }

#define AT_DISPATCH_CASE(enum_type, ...) \
  AT_PRIVATE_CASE_TYPE_USING_HINT(enum_type, scalar_t, __VA_ARGS__)

#define AT_DISPATCH_SWITCH(TYPE, NAME, ...)                                          \
  [&] {                                                                              \
    const ::at::ScalarType _st = ::at::compat_detail::scalar_type(TYPE);               \
    switch (_st) {                                                                   \
      __VA_ARGS__                                                                    \
      default:                                                                       \
        ::at::compat_detail::not_dispatched(NAME, _st);                              \
    }                                                                                \
  }()

#define AT_DISPATCH_CASE_FLOATING_TYPES(...)            \
  AT_DISPATCH_CASE(::at::ScalarType::Double, __VA_ARGS__) \
  AT_DISPATCH_CASE(::at::ScalarType::Float, __VA_ARGS__)

#define AT_DISPATCH_FLOATING_TYPES(TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME,                    \
  AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__))

#define AT_DISPATCH_CASE_FLOATING_TYPES_AND_HALF(...) \
  AT_DISPATCH_CASE_FLOATING_TYPES_AND(::at::ScalarType::Half, __VA_ARGS__)

#define AT_DISPATCH_FLOATING_TYPES_AND_HALF(TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME,                             \
  AT_DISPATCH_CASE_FLOATING_TYPES_AND_HALF(__VA_ARGS__))

#define AT_DISPATCH_CASE_FLOATING_TYPES_AND(T1, ...) \
  AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__)       \
  AT_DISPATCH_CASE(T1, __VA_ARGS__)

#define AT_DISPATCH_FLOATING_TYPES_AND(T1, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME,                            \
  AT_DISPATCH_CASE_FLOATING_TYPES_AND(T1, __VA_ARGS__))

#define AT_DISPATCH_CASE_FLOATING_TYPES_AND2(T1, T2, ...) \
  AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__)            \
  AT_DISPATCH_CASE(T1, __VA_ARGS__)                       \
  AT_DISPATCH_CASE(T2, __VA_ARGS__)

#define AT_DISPATCH_FLOATING_TYPES_AND2(T1, T2, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME,                                 \
  AT_DISPATCH_CASE_FLOATING_TYPES_AND2(T1, T2, __VA_ARGS__))

#define AT_DISPATCH_CASE_FLOATING_TYPES_AND3(T1, T2, T3, ...) \
  AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__)                \
  AT_DISPATCH_CASE(T1, __VA_ARGS__)                           \
  AT_DISPATCH_CASE(T2, __VA_ARGS__)                           \
  AT_DISPATCH_CASE(T3, __VA_ARGS__)

#define AT_DISPATCH_FLOATING_TYPES_AND3(T1, T2, T3, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME,                                     \
  AT_DISPATCH_CASE_FLOATING_TYPES_AND3(T1, T2, T3, __VA_ARGS__))

#define AT_DISPATCH_CASE_FLOATING_TYPES_AND4(T1, T2, T3, T4, ...) \
  AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__)                    \
  AT_DISPATCH_CASE(T1, __VA_ARGS__)                               \
  AT_DISPATCH_CASE(T2, __VA_ARGS__)                               \
  AT_DISPATCH_CASE(T3, __VA_ARGS__)                               \
  AT_DISPATCH_CASE(T4, __VA_ARGS__)

#define AT_DISPATCH_FLOATING_TYPES_AND4(T1, T2, T3, T4, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME,                                         \
  AT_DISPATCH_CASE_FLOATING_TYPES_AND4(T1, T2, T3, T4, __VA_ARGS__))

#define AT_DISPATCH_CASE_FLOATING_TYPES_AND5(T1, T2, T3, T4, T5, ...) \
  AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__)                        \
  AT_DISPATCH_CASE(T1, __VA_ARGS__)                                   \
  AT_DISPATCH_CASE(T2, __VA_ARGS__)                                   \
  AT_DISPATCH_CASE(T3, __VA_ARGS__)                                   \
  AT_DISPATCH_CASE(T4, __VA_ARGS__)                                   \
  AT_DISPATCH_CASE(T5, __VA_ARGS__)

#define AT_DISPATCH_FLOATING_TYPES_AND5(T1, T2, T3, T4, T5, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME,                                             \
  AT_DISPATCH_CASE_FLOATING_TYPES_AND5(T1, T2, T3, T4, T5, __VA_ARGS__))

#define AT_DISPATCH_CASE_REDUCED_FLOATING_TYPES(...)      \
  AT_DISPATCH_CASE(::at::ScalarType::Half, __VA_ARGS__)     \
  AT_DISPATCH_CASE(::at::ScalarType::BFloat16, __VA_ARGS__)

#define AT_DISPATCH_REDUCED_FLOATING_TYPES(TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME,                            \
  AT_DISPATCH_CASE_REDUCED_FLOATING_TYPES(__VA_ARGS__))

#define AT_DISPATCH_CASE_COMPLEX_TYPES(...)                    \
  AT_DISPATCH_CASE(::at::ScalarType::ComplexDouble, __VA_ARGS__) \
  AT_DISPATCH_CASE(::at::ScalarType::ComplexFloat, __VA_ARGS__)

#define AT_DISPATCH_COMPLEX_TYPES(TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME,                   \
  AT_DISPATCH_CASE_COMPLEX_TYPES(__VA_ARGS__))

#define AT_DISPATCH_CASE_COMPLEX_TYPES_AND(T1, ...) \
  AT_DISPATCH_CASE_COMPLEX_TYPES(__VA_ARGS__)       \
  AT_DISPATCH_CASE(T1, __VA_ARGS__)

#define AT_DISPATCH_COMPLEX_TYPES_AND(T1, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME,                           \
  AT_DISPATCH_CASE_COMPLEX_TYPES_AND(T1, __VA_ARGS__))

#define AT_DISPATCH_CASE_FLOATING_AND_COMPLEX_TYPES(...) \
  AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__)           \
  AT_DISPATCH_CASE_COMPLEX_TYPES(__VA_ARGS__)

#define AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES(TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME,                                \
  AT_DISPATCH_CASE_FLOATING_AND_COMPLEX_TYPES(__VA_ARGS__))

#define AT_DISPATCH_CASE_FLOATING_AND_COMPLEX_TYPES_AND1(T1, ...) \
  AT_DISPATCH_CASE_FLOATING_AND_COMPLEX_TYPES(__VA_ARGS__)        \
  AT_DISPATCH_CASE(T1, __VA_ARGS__)

#define AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES_AND1(T1, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME,                                         \
  AT_DISPATCH_CASE_FLOATING_AND_COMPLEX_TYPES_AND1(T1, __VA_ARGS__))

#define AT_DISPATCH_CASE_FLOATING_AND_COMPLEX_TYPES_AND2(T1, T2, ...) \
  AT_DISPATCH_CASE_FLOATING_AND_COMPLEX_TYPES(__VA_ARGS__)            \
  AT_DISPATCH_CASE(T1, __VA_ARGS__)                                   \
  AT_DISPATCH_CASE(T2, __VA_ARGS__)

#define AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES_AND2(T1, T2, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME,                                             \
  AT_DISPATCH_CASE_FLOATING_AND_COMPLEX_TYPES_AND2(T1, T2, __VA_ARGS__))

#define AT_DISPATCH_CASE_FLOATING_AND_COMPLEX_TYPES_AND3(T1, T2, T3, ...) \
  AT_DISPATCH_CASE_FLOATING_AND_COMPLEX_TYPES(__VA_ARGS__)                \
  AT_DISPATCH_CASE(T1, __VA_ARGS__)                                       \
  AT_DISPATCH_CASE(T2, __VA_ARGS__)                                       \
  AT_DISPATCH_CASE(T3, __VA_ARGS__)

#define AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES_AND3(T1, T2, T3, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME,                                                 \
  AT_DISPATCH_CASE_FLOATING_AND_COMPLEX_TYPES_AND3(T1, T2, T3, __VA_ARGS__))

#define AT_DISPATCH_CASE_FLOATING_AND_COMPLEX_TYPES_AND4(T1, T2, T3, T4, ...) \
  AT_DISPATCH_CASE_FLOATING_AND_COMPLEX_TYPES(__VA_ARGS__)                    \
  AT_DISPATCH_CASE(T1, __VA_ARGS__)                                           \
  AT_DISPATCH_CASE(T2, __VA_ARGS__)                                           \
  AT_DISPATCH_CASE(T3, __VA_ARGS__)                                           \
  AT_DISPATCH_CASE(T4, __VA_ARGS__)

#define AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES_AND4(T1, T2, T3, T4, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME,                                                     \
  AT_DISPATCH_CASE_FLOATING_AND_COMPLEX_TYPES_AND4(T1, T2, T3, T4, __VA_ARGS__))

#define AT_DISPATCH_CASE_FLOATING_AND_COMPLEX_TYPES_AND5(T1, T2, T3, T4, T5, ...) \
  AT_DISPATCH_CASE_FLOATING_AND_COMPLEX_TYPES(__VA_ARGS__)                        \
  AT_DISPATCH_CASE(T1, __VA_ARGS__)                                               \
  AT_DISPATCH_CASE(T2, __VA_ARGS__)                                               \
  AT_DISPATCH_CASE(T3, __VA_ARGS__)                                               \
  AT_DISPATCH_CASE(T4, __VA_ARGS__)                                               \
  AT_DISPATCH_CASE(T5, __VA_ARGS__)

#define AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES_AND5(T1, T2, T3, T4, T5, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME,                                                         \
  AT_DISPATCH_CASE_FLOATING_AND_COMPLEX_TYPES_AND5(T1, T2, T3, T4, T5, __VA_ARGS__))

#define AT_DISPATCH_CASE_FLOATING_AND_COMPLEX_TYPES_AND6(T1, T2, T3, T4, T5, T6, ...) \
  AT_DISPATCH_CASE_FLOATING_AND_COMPLEX_TYPES(__VA_ARGS__)                            \
  AT_DISPATCH_CASE(T1, __VA_ARGS__)                                                   \
  AT_DISPATCH_CASE(T2, __VA_ARGS__)                                                   \
  AT_DISPATCH_CASE(T3, __VA_ARGS__)                                                   \
  AT_DISPATCH_CASE(T4, __VA_ARGS__)                                                   \
  AT_DISPATCH_CASE(T5, __VA_ARGS__)                                                   \
  AT_DISPATCH_CASE(T6, __VA_ARGS__)

#define AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES_AND6(T1, T2, T3, T4, T5, T6, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME,                                                             \
  AT_DISPATCH_CASE_FLOATING_AND_COMPLEX_TYPES_AND6(T1, T2, T3, T4, T5, T6, __VA_ARGS__))

#define AT_DISPATCH_CASE_INTEGRAL_TYPES(...)           \
  AT_DISPATCH_CASE(::at::ScalarType::Byte, __VA_ARGS__)  \
  AT_DISPATCH_CASE(::at::ScalarType::Char, __VA_ARGS__)  \
  AT_DISPATCH_CASE(::at::ScalarType::Int, __VA_ARGS__)   \
  AT_DISPATCH_CASE(::at::ScalarType::Long, __VA_ARGS__)  \
  AT_DISPATCH_CASE(::at::ScalarType::Short, __VA_ARGS__)

#define AT_DISPATCH_INTEGRAL_TYPES(TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME,                    \
  AT_DISPATCH_CASE_INTEGRAL_TYPES(__VA_ARGS__))

#define AT_DISPATCH_CASE_INTEGRAL_TYPES_AND(T1, ...) \
  AT_DISPATCH_CASE_INTEGRAL_TYPES(__VA_ARGS__)       \
  AT_DISPATCH_CASE(T1, __VA_ARGS__)

#define AT_DISPATCH_INTEGRAL_TYPES_AND(T1, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME,                            \
  AT_DISPATCH_CASE_INTEGRAL_TYPES_AND(T1, __VA_ARGS__))

#define AT_DISPATCH_CASE_ALL_TYPES(...)        \
  AT_DISPATCH_CASE_INTEGRAL_TYPES(__VA_ARGS__) \
  AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__)

#define AT_DISPATCH_ALL_TYPES(TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME,               \
  AT_DISPATCH_CASE_ALL_TYPES(__VA_ARGS__))

#define AT_DISPATCH_CASE_ALL_TYPES_AND(T1, ...) \
  AT_DISPATCH_CASE_ALL_TYPES(__VA_ARGS__)       \
  AT_DISPATCH_CASE(T1, __VA_ARGS__)

#define AT_DISPATCH_ALL_TYPES_AND(T1, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME,                       \
  AT_DISPATCH_CASE_ALL_TYPES_AND(T1, __VA_ARGS__))

#define AT_DISPATCH_CASE_ALL_TYPES_AND2(T1, T2, ...) \
  AT_DISPATCH_CASE_ALL_TYPES(__VA_ARGS__)            \
  AT_DISPATCH_CASE(T1, __VA_ARGS__)                  \
  AT_DISPATCH_CASE(T2, __VA_ARGS__)

#define AT_DISPATCH_ALL_TYPES_AND2(T1, T2, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME,                            \
  AT_DISPATCH_CASE_ALL_TYPES_AND2(T1, T2, __VA_ARGS__))

#define AT_DISPATCH_CASE_ALL_TYPES_AND3(T1, T2, T3, ...) \
  AT_DISPATCH_CASE_ALL_TYPES(__VA_ARGS__)                \
  AT_DISPATCH_CASE(T1, __VA_ARGS__)                      \
  AT_DISPATCH_CASE(T2, __VA_ARGS__)                      \
  AT_DISPATCH_CASE(T3, __VA_ARGS__)

#define AT_DISPATCH_ALL_TYPES_AND3(T1, T2, T3, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME,                                \
  AT_DISPATCH_CASE_ALL_TYPES_AND3(T1, T2, T3, __VA_ARGS__))

#define AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX(...) \
  AT_DISPATCH_CASE_ALL_TYPES(__VA_ARGS__)           \
  AT_DISPATCH_CASE_COMPLEX_TYPES(__VA_ARGS__)

#define AT_DISPATCH_ALL_TYPES_AND_COMPLEX(TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME,                           \
  AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX(__VA_ARGS__))

#define AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX_AND(T1, ...) \
  AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX(__VA_ARGS__)       \
  AT_DISPATCH_CASE(T1, __VA_ARGS__)

#define AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND(T1, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME,                                   \
  AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX_AND(T1, __VA_ARGS__))

#define AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX_AND2(T1, T2, ...) \
  AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX(__VA_ARGS__)            \
  AT_DISPATCH_CASE(T1, __VA_ARGS__)                              \
  AT_DISPATCH_CASE(T2, __VA_ARGS__)

#define AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND2(T1, T2, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME,                                        \
  AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX_AND2(T1, T2, __VA_ARGS__))

#define AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX_AND3(T1, T2, T3, ...) \
  AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX(__VA_ARGS__)                \
  AT_DISPATCH_CASE(T1, __VA_ARGS__)                                  \
  AT_DISPATCH_CASE(T2, __VA_ARGS__)                                  \
  AT_DISPATCH_CASE(T3, __VA_ARGS__)

#define AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND3(T1, T2, T3, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME,                                            \
  AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX_AND3(T1, T2, T3, __VA_ARGS__))

#define AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX_AND4(T1, T2, T3, T4, ...) \
  AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX(__VA_ARGS__)                    \
  AT_DISPATCH_CASE(T1, __VA_ARGS__)                                      \
  AT_DISPATCH_CASE(T2, __VA_ARGS__)                                      \
  AT_DISPATCH_CASE(T3, __VA_ARGS__)                                      \
  AT_DISPATCH_CASE(T4, __VA_ARGS__)

#define AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND4(T1, T2, T3, T4, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME,                                                \
  AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX_AND4(T1, T2, T3, T4, __VA_ARGS__))

#define AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX_AND5(T1, T2, T3, T4, T5, ...) \
  AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX(__VA_ARGS__)                        \
  AT_DISPATCH_CASE(T1, __VA_ARGS__)                                          \
  AT_DISPATCH_CASE(T2, __VA_ARGS__)                                          \
  AT_DISPATCH_CASE(T3, __VA_ARGS__)                                          \
  AT_DISPATCH_CASE(T4, __VA_ARGS__)                                          \
  AT_DISPATCH_CASE(T5, __VA_ARGS__)

#define AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND5(T1, T2, T3, T4, T5, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME,                                                    \
  AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX_AND5(T1, T2, T3, T4, T5, __VA_ARGS__))

#define AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX_AND6(T1, T2, T3, T4, T5, T6, ...) \
  AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX(__VA_ARGS__)                            \
  AT_DISPATCH_CASE(T1, __VA_ARGS__)                                              \
  AT_DISPATCH_CASE(T2, __VA_ARGS__)                                              \
  AT_DISPATCH_CASE(T3, __VA_ARGS__)                                              \
  AT_DISPATCH_CASE(T4, __VA_ARGS__)                                              \
  AT_DISPATCH_CASE(T5, __VA_ARGS__)                                              \
  AT_DISPATCH_CASE(T6, __VA_ARGS__)

#define AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND6(T1, T2, T3, T4, T5, T6, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME,                                                        \
  AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX_AND6(T1, T2, T3, T4, T5, T6, __VA_ARGS__))

#define AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX_AND7(T1, T2, T3, T4, T5, T6, T7, ...) \
  AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX(__VA_ARGS__)                                \
  AT_DISPATCH_CASE(T1, __VA_ARGS__)                                                  \
  AT_DISPATCH_CASE(T2, __VA_ARGS__)                                                  \
  AT_DISPATCH_CASE(T3, __VA_ARGS__)                                                  \
  AT_DISPATCH_CASE(T4, __VA_ARGS__)                                                  \
  AT_DISPATCH_CASE(T5, __VA_ARGS__)                                                  \
  AT_DISPATCH_CASE(T6, __VA_ARGS__)                                                  \
  AT_DISPATCH_CASE(T7, __VA_ARGS__)

#define AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND7(T1, T2, T3, T4, T5, T6, T7, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME,                                                            \
  AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX_AND7(T1, T2, T3, T4, T5, T6, T7, __VA_ARGS__))

#define AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX_AND8(T1, T2, T3, T4, T5, T6, T7, T8, ...) \
  AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX(__VA_ARGS__)                                    \
  AT_DISPATCH_CASE(T1, __VA_ARGS__)                                                      \
  AT_DISPATCH_CASE(T2, __VA_ARGS__)                                                      \
  AT_DISPATCH_CASE(T3, __VA_ARGS__)                                                      \
  AT_DISPATCH_CASE(T4, __VA_ARGS__)                                                      \
  AT_DISPATCH_CASE(T5, __VA_ARGS__)                                                      \
  AT_DISPATCH_CASE(T6, __VA_ARGS__)                                                      \
  AT_DISPATCH_CASE(T7, __VA_ARGS__)                                                      \
  AT_DISPATCH_CASE(T8, __VA_ARGS__)

#define AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND8(T1, T2, T3, T4, T5, T6, T7, T8, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME,                                                                \
  AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX_AND8(T1, T2, T3, T4, T5, T6, T7, T8, __VA_ARGS__))

#define AT_DISPATCH_INDEX_TYPES(TYPE, NAME, ...)                                             \
  AT_DISPATCH_SWITCH(TYPE, NAME,                                                             \
                     AT_PRIVATE_CASE_TYPE_USING_HINT(::at::ScalarType::Int, index_t, __VA_ARGS__) \
                     AT_PRIVATE_CASE_TYPE_USING_HINT(::at::ScalarType::Long, index_t, __VA_ARGS__))
