// Precompiled for all test modules: the public headers, and how results are told.
#pragma once

#include <torch/types.h>
#include <torch/library.h>

#include <complex>
#include <cstdio>
#include <optional>
#include <sstream>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "result.h"

namespace porter_test {

template <typename T, typename = void>
struct is_tuple : std::false_type {};
template <typename T>
struct is_tuple<T, std::void_t<decltype(std::tuple_size<T>::value)>> : std::true_type {};
template <typename T, typename = void>
struct is_range : std::false_type {};
template <typename T>
struct is_range<T, std::void_t<typename T::value_type, decltype(std::declval<const T&>().begin())>>
    : std::true_type {};
template <typename T>
struct is_optional : std::false_type {};
template <typename T>
struct is_optional<std::optional<T>> : std::true_type {};
template <typename T, typename = void>
struct is_meta : std::false_type {};
template <typename T>
struct is_meta<T, std::void_t<decltype(std::declval<const T&>().toScalarType())>>
    : std::true_type {};
template <typename T, typename = void>
struct has_str : std::false_type {};
template <typename T>
struct has_str<T, std::void_t<decltype(std::string(std::declval<const T&>().str()))>>
    : std::true_type {};

inline std::string name_of(at::ScalarType type) {
  switch (type) {
    case at::kDouble: return "float64";
    case at::kFloat: return "float32";
    case at::kHalf: return "float16";
    case at::kBFloat16: return "bfloat16";
    case at::kLong: return "int64";
    case at::kInt: return "int32";
    case at::kShort: return "int16";
    case at::kChar: return "int8";
    case at::kByte: return "uint8";
    case at::kBool: return "bool";
    default: return "ScalarType " + std::to_string(static_cast<int>(type));
  }
}

inline std::string text_of(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", value);
  return text;
}

template <typename T>
void tell(Results& out, const T& value);

inline void tell_scalar(Results& out, const c10::Scalar& value) {
#ifdef PORTER_TEST_PADDLE
  const auto type = value.dtype();
  const bool floating = type == phi::DataType::FLOAT64 || type == phi::DataType::FLOAT32 ||
                        type == phi::DataType::FLOAT16 || type == phi::DataType::BFLOAT16;
  const bool boolean = type == phi::DataType::BOOL;
#else
  const bool floating = value.isFloatingPoint();
  const bool boolean = value.isBoolean();
#endif
  if (floating) {
    out.push_back({"float", text_of(value.to<double>()), {}});
  } else {
    out.push_back({boolean ? "bool" : "int", std::to_string(value.to<int64_t>()), {}});
  }
}

template <typename T>
void tell(Results& out, const T& value) {
  if constexpr (std::is_same_v<T, bool>) {
    out.push_back({"bool", value ? "1" : "0", {}});
  } else if constexpr (std::is_same_v<T, at::ScalarType>) {
    out.push_back({"dtype", name_of(value), {}});
  } else if constexpr (is_meta<T>::value) {
    out.push_back({"dtype", name_of(value.toScalarType()), {}});
  } else if constexpr (std::is_integral_v<T>) {
    out.push_back({"int", std::to_string(value), {}});
  } else if constexpr (std::is_floating_point_v<T> || std::is_same_v<T, at::Half> ||
                       std::is_same_v<T, at::BFloat16>) {
    out.push_back({"float", text_of(static_cast<double>(value)), {}});
  } else if constexpr (std::is_enum_v<T>) {
    out.push_back({"enum", std::to_string(static_cast<long>(value)), {}});
  } else if constexpr (std::is_base_of_v<at::Tensor, T>) {
    out.push_back({value.defined() ? "tensor" : "undefined", "", value});
  } else if constexpr (std::is_same_v<T, c10::Scalar>) {
    tell_scalar(out, value);
  } else if constexpr (std::is_convertible_v<const T&, std::string>) {
    out.push_back({"string", std::string(value), {}});
  } else if constexpr (is_optional<T>::value) {
    if (value.has_value()) {
      tell(out, *value);
    } else {
      out.push_back({"none", "", {}});
    }
  } else if constexpr (is_tuple<T>::value) {
    out.push_back({"tuple", std::to_string(std::tuple_size<T>::value), {}});
    std::apply([&](const auto&... each) { (tell(out, each), ...); }, value);
  } else if constexpr (is_range<T>::value) {
    out.push_back({"list", std::to_string(value.size()), {}});
    for (const auto& each : value) {
      tell(out, static_cast<const typename T::value_type&>(each));
    }
  } else if constexpr (has_str<T>::value) {
    out.push_back({"string", std::string(value.str()), {}});
  } else {
    std::ostringstream text;
    text << value;
    out.push_back({"string", text.str(), {}});
  }
}

// `expression, Kept{}` is the value of the expression, also if it is a part of a temporary; Kept
// itself where there is none.
struct Kept {};
template <typename T>
T operator,(T&& value, Kept) {
  return std::forward<T>(value);
}

// Results are told after the full expression: a view of a temporary would be seen as it is left.
template <typename F>
void call(Results& out, F&& function) {
  auto&& value = function();
  if constexpr (std::is_same_v<std::decay_t<decltype(value)>, Kept>) {
    out.push_back({"void", "", {}});
  } else {
    tell<std::decay_t<decltype(value)>>(out, value);
  }
}

}  // namespace porter_test
