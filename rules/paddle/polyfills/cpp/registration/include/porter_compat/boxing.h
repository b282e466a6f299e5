// Functions of any signature as functions of a list of IValues.
#pragma once

#include <ATen/core/ivalue.h>
#include <c10/util/ArrayRef.h>
#include <c10/util/OptionalArrayRef.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

namespace torch::compat_detail {

using Stack = std::vector<IValue>;

using Boxed = std::function<IValue(const Stack&)>;

// What holds an argument of a type while the function runs.
template <typename T>
struct Held {
  using type = T;
};

template <typename T>
struct Held<c10::ArrayRef<T>> {
  using type = std::vector<T>;
};

template <typename T>
struct Held<std::optional<c10::ArrayRef<T>>> {
  using type = std::optional<std::vector<T>>;
};

template <typename T>
struct Held<c10::OptionalArrayRef<T>> {
  using type = std::optional<std::vector<T>>;
};

template <>
struct Held<std::string_view> {
  using type = std::string;
};

template <typename T>
using held = typename Held<std::decay_t<T>>::type;

// How a type is written in a schema.
inline std::string type_name(...) { return "Any"; }

inline std::string type_name(_fake_type<at::Tensor>) { return "Tensor"; }

inline std::string type_name(_fake_type<bool>) { return "bool"; }

inline std::string type_name(_fake_type<double>) { return "float"; }

inline std::string type_name(_fake_type<float>) { return "float"; }

inline std::string type_name(_fake_type<std::string>) { return "str"; }

inline std::string type_name(_fake_type<at::Scalar>) { return "Scalar"; }

inline std::string type_name(_fake_type<at::ScalarType>) { return "ScalarType"; }

inline std::string type_name(_fake_type<c10::Device>) { return "Device"; }

template <typename T>
std::enable_if_t<std::is_integral_v<T>, std::string> type_name(_fake_type<T>) {
  return "int";
}

template <typename T>
std::string type_name(_fake_type<std::vector<T>>) {
  return type_name(_fake_type<T>()) + "[]";
}

template <typename T>
std::string type_name(_fake_type<std::optional<T>>) {
  return type_name(_fake_type<held<T>>()) + "?";
}

template <typename T>
std::string type_name(_fake_type<std::unordered_map<std::string, T>>) {
  return "Dict(str, " + type_name(_fake_type<T>()) + ")";
}

template <typename T>
std::string type_name(_fake_type<c10::List<T>>) {
  return type_name(_fake_type<T>()) + "[]";
}

template <typename K, typename V>
std::string type_name(_fake_type<c10::Dict<K, V>>) {
  return "Dict(" + type_name(_fake_type<K>()) + ", " + type_name(_fake_type<V>()) + ")";
}

template <typename... T>
std::string type_name(_fake_type<std::tuple<T...>>) {
  std::string names;
  ((names += (names.empty() ? "" : ", ") + type_name(_fake_type<std::decay_t<T>>())), ...);
  return "(" + names + ")";
}

template <typename T>
constexpr bool is_optional_array = false;

template <typename T>
constexpr bool is_optional_array<c10::OptionalArrayRef<T>> = true;

// What is held as an argument of type T.
template <typename T>
decltype(auto) passed(held<T>& value) {
  using Plain = std::decay_t<T>;
  if constexpr (is_optional_array<Plain>) {
    using Item = typename held<T>::value_type::value_type;
    return value ? Plain(c10::ArrayRef<Item>(*value)) : Plain();
  } else if constexpr (std::is_rvalue_reference_v<T>) {
    return std::move(value);
  } else {
    return (value);
  }
}

template <typename T>
IValue result_of(const T& value) {
  return IValue(value);
}

template <typename... T>
IValue result_of(const std::tuple<T...>& values) {
  return std::apply(
      [](const auto&... each) { return IValue(std::make_tuple(result_of(each)...)); },
      values);
}

template <typename R, typename... Args>
struct Signature {
  static constexpr size_t count = sizeof...(Args);

  template <typename F>
  static IValue call(F& function, const Stack& stack) {
    if (stack.size() != count) {
      throw std::runtime_error("expected " + std::to_string(count) + " arguments, got " +
                               std::to_string(stack.size()));
    }
    return call(function, stack, std::index_sequence_for<Args...>());
  }

  template <typename F, size_t... I>
  static IValue call(F& function, const Stack& stack, std::index_sequence<I...>) {
    std::tuple<held<Args>...> values{generic_to(stack[I], _fake_type<held<Args>>())...};
    (void)values;
    if constexpr (std::is_void_v<R>) {
      function(passed<Args>(std::get<I>(values))...);
      return IValue();
    } else {
      return result_of(std::decay_t<R>(function(passed<Args>(std::get<I>(values))...)));
    }
  }

  // "Tensor _0, int _1", without the first `skipped`.
  static std::string arguments(size_t skipped = 0) {
    std::string text;
    size_t i = 0;
    ((text += i++ < skipped ? ""
                            : (text.empty() ? "" : ", ") + type_name(_fake_type<held<Args>>()) +
                                  " _" + std::to_string(i - 1 - skipped)),
     ...);
    return text;
  }

  static std::string result() {
    if constexpr (std::is_void_v<R>) {
      return "()";
    } else {
      return type_name(_fake_type<std::decay_t<R>>());
    }
  }
};

template <typename F>
struct SignatureOf : SignatureOf<decltype(&F::operator())> {};

template <typename R, typename... Args>
struct SignatureOf<R(Args...)> : Signature<R, Args...> {};

template <typename R, typename... Args>
struct SignatureOf<R (*)(Args...)> : Signature<R, Args...> {};

template <typename R, typename... Args>
struct SignatureOf<R (*)(Args...) noexcept> : Signature<R, Args...> {};

template <typename C, typename R, typename... Args>
struct SignatureOf<R (C::*)(Args...) const> : Signature<R, Args...> {};

template <typename C, typename R, typename... Args>
struct SignatureOf<R (C::*)(Args...)> : Signature<R, Args...> {};

template <typename C, typename R, typename... Args>
struct SignatureOf<R (C::*)(Args...) const noexcept> : Signature<R, Args...> {};

template <typename F>
Boxed boxed(F function) {
  return [function](const Stack& stack) mutable {
    return SignatureOf<F>::call(function, stack);
  };
}

}  // namespace torch::compat_detail

namespace torch {

template <typename T>
std::unordered_map<std::string, T> generic_to(
    const IValue& value, _fake_type<std::unordered_map<std::string, T>>) {
  std::unordered_map<std::string, T> found;
  for (const auto& item : value.to_list()) {
    found.emplace(item.to_tuple()[0].to_string(), item.to_tuple()[1].template to<T>());
  }
  return found;
}

}  // namespace torch
