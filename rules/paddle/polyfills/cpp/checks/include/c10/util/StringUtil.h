#pragma once
#include <optional>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>

namespace c10 {

namespace detail {

template <typename T, typename = void>
constexpr bool streams = false;

template <typename T>
constexpr bool
    streams<T, std::void_t<decltype(std::declval<std::ostream&>() << std::declval<const T&>())>> =
        true;

// What operator<< has no form for, too: optionals, containers, enumerators.
template <typename T>
void print(std::ostream& out, const T& value) {
  if constexpr (streams<T>) {
    out << value;
  } else if constexpr (std::is_enum_v<T>) {
    out << static_cast<int64_t>(value);
  } else if constexpr (std::is_same_v<T, std::nullopt_t>) {
    out << "std::nullopt";
  } else if constexpr (std::is_constructible_v<T, std::nullopt_t>) {
    value ? print(out, *value) : print(out, std::nullopt);
  } else {
    const char* between = "";
    for (const auto& each : value) {
      out << between;
      print(out, each);
      between = " ";
    }
  }
}

}  // namespace detail

// All parts as one text.
template <typename... Parts>
std::string str(const Parts&... parts) {
  std::ostringstream out;
  (detail::print(out, parts), ...);
  return out.str();
}

template <class Container>
std::string Join(const std::string& delimiter, const Container& values) {
  std::ostringstream out;
  for (auto it = values.begin(); it != values.end(); ++it) {
    out << (it == values.begin() ? "" : delimiter) << *it;
  }
  return out.str();
}

}  // namespace c10
