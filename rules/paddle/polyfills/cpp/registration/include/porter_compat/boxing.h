// Functions as what takes and gives IValues.
#pragma once

#include <ATen/core/ivalue.h>
#include <c10/util/ArrayRef.h>
#include <c10/util/OptionalArrayRef.h>

#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

namespace torch {

// A type as schemas name it; found by the namespace of its argument.
inline std::string schema_type(_fake_type<at::Tensor>) { return "Tensor"; }

inline std::string schema_type(_fake_type<bool>) { return "bool"; }

inline std::string schema_type(_fake_type<double>) { return "float"; }

inline std::string schema_type(_fake_type<float>) { return "float"; }

inline std::string schema_type(_fake_type<std::string>) { return "str"; }

inline std::string schema_type(_fake_type<IValue>) { return "Any"; }

inline std::string schema_type(_fake_type<at::Scalar>) { return "Scalar"; }

inline std::string schema_type(_fake_type<at::ScalarType>) { return "ScalarType"; }

inline std::string schema_type(_fake_type<c10::Device>) { return "Device"; }

template <typename T>
std::enable_if_t<std::is_integral_v<T>, std::string> schema_type(_fake_type<T>) {
  return "int";
}

template <typename T>
std::string schema_type(_fake_type<std::vector<T>>) {
  return schema_type(_fake_type<T>()) + "[]";
}

template <typename T>
std::string schema_type(_fake_type<std::optional<T>>) {
  return schema_type(_fake_type<T>()) + "?";
}

template <typename T>
std::string schema_type(_fake_type<std::unordered_map<std::string, T>>) {
  return "Dict(str, " + schema_type(_fake_type<T>()) + ")";
}

template <typename T>
std::string schema_type(_fake_type<c10::List<T>>) {
  return schema_type(_fake_type<T>()) + "[]";
}

template <typename K, typename V>
std::string schema_type(_fake_type<c10::Dict<K, V>>) {
  return "Dict(" + schema_type(_fake_type<K>()) + ", " + schema_type(_fake_type<V>()) + ")";
}

template <typename... T>
std::string schema_type(_fake_type<std::tuple<T...>>) {
  std::string names;
  ((names += schema_type(_fake_type<T>()) + ", "), ...);
  return "(" + names + ")";
}

// Of a class of torch::class_.
template <typename T>
std::string schema_type(_fake_type<intrusive_ptr<T>>) {
  return "Object";
}

}  // namespace torch

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

template <>
struct Held<std::optional<std::string_view>> {
  using type = std::optional<std::string>;
};

template <typename T>
using held = typename Held<std::decay_t<T>>::type;

// What a result becomes in Python, where its value does not tell.
template <typename T>
const char* result_name(_fake_type<T>) {
  return "";
}

template <typename K, typename V>
const char* result_name(_fake_type<c10::Dict<K, V>>) {
  return "Dict(Any, Any)";
}

template <typename T>
const char* result_name(_fake_type<std::unordered_map<std::string, T>>) {
  return "Dict(str, Any)";
}

// What is held as an argument of type T.
template <typename T, typename H>
decltype(auto) passed(H& value) {
  using Plain = std::decay_t<T>;
  if constexpr (std::is_same_v<Plain, H>) {
    return static_cast<T&&>(value);
  } else if constexpr (std::is_constructible_v<Plain, H&>) {
    return Plain(value);
  } else {  // an OptionalArrayRef
    return value ? Plain(*value) : Plain();
  }
}

template <typename F>
struct Signature;

template <typename R, typename... Args>
struct Signature<std::function<R(Args...)>> {
  template <typename F, size_t... I>
  static IValue call(F& function, const Stack& stack, std::index_sequence<I...>) {
    std::tuple<held<Args>...> values{generic_to(stack.at(I), _fake_type<held<Args>>())...};
    if constexpr (std::is_void_v<R>) {
      function(passed<Args>(std::get<I>(values))...);
      return IValue();
    } else {
      return IValue(std::decay_t<R>(function(passed<Args>(std::get<I>(values))...)));
    }
  }

  template <typename F>
  static Boxed boxed(F function) {
    return [function](const Stack& stack) mutable {
      if (stack.size() != sizeof...(Args)) throw std::runtime_error("wrong number of arguments");
      return call(function, stack, std::index_sequence_for<Args...>());
    };
  }

  // "(Tensor _0, int _1) -> "
  static std::string schema() {
    std::string text;
    size_t i = 0;
    ((text += (i ? ", " : "") + schema_type(_fake_type<held<Args>>()) + " _" + std::to_string(i), ++i),
     ...);
    return "(" + text + ") -> " + result_name(_fake_type<std::decay_t<R>>());
  }
};

template <typename F>
using SignatureOf = Signature<decltype(std::function(std::declval<std::decay_t<F>>()))>;

}  // namespace torch::compat_detail
