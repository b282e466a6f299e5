#pragma once
#include <cstddef>
#include <tuple>

// What a function takes and gives.
template <typename T>
struct function_traits : function_traits<decltype(&T::operator())> {};

template <typename T>
struct function_traits<T&> : function_traits<T> {};

template <typename T>
struct function_traits<T*> : function_traits<T> {};

template <typename R, typename... Args>
struct function_traits<R(Args...)> {
  static constexpr size_t arity = sizeof...(Args);
  using ArgsTuple = ::std::tuple<Args...>;
  using result_type = R;
  template <size_t i>
  struct arg {
    using type = ::std::tuple_element_t<i, ArgsTuple>;
  };
};

template <typename C, typename R, typename... Args>
struct function_traits<R (C::*)(Args...)> : function_traits<R(Args...)> {};

template <typename C, typename R, typename... Args>
struct function_traits<R (C::*)(Args...) const> : function_traits<R(Args...)> {};

template <typename T>
struct nullary_function_traits {
  using result_type = typename function_traits<T>::result_type;
};

template <typename T>
struct unary_function_traits {
  using result_type = typename function_traits<T>::result_type;
  using arg1_t = typename function_traits<T>::template arg<0>::type;
};

template <typename T>
struct binary_function_traits {
  using result_type = typename function_traits<T>::result_type;
  using arg1_t = typename function_traits<T>::template arg<0>::type;
  using arg2_t = typename function_traits<T>::template arg<1>::type;
};
