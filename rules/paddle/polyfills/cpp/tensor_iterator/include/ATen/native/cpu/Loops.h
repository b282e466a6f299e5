#pragma once
#include <ATen/TensorIterator.h>
#include <ATen/detail/FunctionTraits.h>
#include <c10/core/ScalarType.h>

#include <tuple>
#include <type_traits>
#include <utility>

namespace at::native {

namespace compat_detail {

using at::compat_detail::check;

template <class F, size_t i>
using argument_of = ::std::decay_t<typename ::function_traits<F>::template arg<i>::type>;

template <class T>
struct results_of {
  static constexpr int count = 1;
  static bool match(const TensorIteratorBase& iter) {
    return iter.dtype(0) == c10::CppTypeToScalarType<T>::value;
  }
  template <class Call>
  static void write(char** data, Call&& call) { *reinterpret_cast<T*>(data[0]) = call(); }
};

template <>
struct results_of<void> {
  static constexpr int count = 0;
  static bool match(const TensorIteratorBase&) { return true; }
  template <class Call>
  static void write(char**, Call&& call) { call(); }
};

template <class... Ts>
struct results_of<::std::tuple<Ts...>> {
  static constexpr int count = sizeof...(Ts);
  static bool match(const TensorIteratorBase& iter) {
    int arg = 0;
    return (... && (iter.dtype(arg++) == c10::CppTypeToScalarType<Ts>::value));
  }
  template <class Call>
  static void write(char** data, Call&& call) {
    ::std::apply([&](const Ts&... results) {
      int arg = 0;
      ((*reinterpret_cast<Ts*>(data[arg++]) = results), ...);
    }, call());
  }
};

// A function, called on a row of elements.
template <class F, size_t... i>
void call_on_row(F& f, char** data, const int64_t* strides, int64_t count, ::std::index_sequence<i...>) {
  using results = results_of<typename ::function_traits<F>::result_type>;
  constexpr int all = results::count + static_cast<int>(sizeof...(i));
  char* at[all > 0 ? all : 1];
  for (int arg = 0; arg < all; ++arg) at[arg] = data[arg];
  for (int64_t n = 0; n < count; ++n) {
    results::write(at, [&] { return f(*reinterpret_cast<argument_of<F, i>*>(at[results::count + i])...); });
    for (int arg = 0; arg < all; ++arg) at[arg] += strides[arg];
  }
}

template <class F, size_t... i>
bool takes(const TensorIteratorBase& iter, ::std::index_sequence<i...>) {
  return (... && (iter.input_dtype(i) == c10::CppTypeToScalarType<argument_of<F, i>>::value));
}

// The loop over rows of a function that fits the operands.
template <class F>
auto loop_of(const TensorIteratorBase& iter, F& f) {
  using traits = ::function_traits<F>;
  constexpr auto arguments = ::std::make_index_sequence<traits::arity>();
  using results = results_of<typename traits::result_type>;
  check(iter.noutputs() == results::count && iter.ninputs() == static_cast<int>(traits::arity),
        "the function takes or gives another number of values than the iterator has");
  check(results::match(iter) && takes<F>(iter, arguments),
        "the function takes or gives other dtypes than the iterator has");
  return [&f](char** data, const int64_t* strides, int64_t count) {
    call_on_row(f, data, strides, count, ::std::make_index_sequence<traits::arity>());
  };
}

}  // namespace compat_detail

template <typename func_t>
void cpu_kernel(TensorIteratorBase& iter, func_t&& op, int64_t grain_size = at::internal::GRAIN_SIZE) {
  ::std::remove_reference_t<func_t>& f = op;
  iter.for_each(compat_detail::loop_of(iter, f), grain_size);
  iter.cast_outputs();
}

template <typename func_t>
void cpu_kernel_multiple_outputs(
    TensorIteratorBase& iter, func_t&& op, int64_t grain_size = at::internal::GRAIN_SIZE) {
  cpu_kernel(iter, ::std::forward<func_t>(op), grain_size);
}

template <typename func_t>
void cpu_serial_kernel(TensorIteratorBase& iter, func_t&& op, const Range& range) {
  ::std::remove_reference_t<func_t>& f = op;
  iter.serial_for_each(compat_detail::loop_of(iter, f), range);
  iter.cast_outputs();
}

template <typename func_t>
void cpu_serial_kernel(TensorIteratorBase& iter, func_t&& op) {
  cpu_serial_kernel(iter, ::std::forward<func_t>(op), {0, iter.numel()});
}

}  // namespace at::native
