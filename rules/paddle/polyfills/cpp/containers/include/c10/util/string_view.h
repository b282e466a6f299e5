#pragma once
#include <string_view>

namespace c10 {

using string_view = std::string_view;

template <class Char>
using basic_string_view = std::basic_string_view<Char>;

constexpr bool starts_with(std::string_view text, std::string_view prefix) noexcept {
  return text.substr(0, prefix.size()) == prefix;
}

constexpr bool ends_with(std::string_view text, std::string_view suffix) noexcept {
  return text.size() >= suffix.size() && text.substr(text.size() - suffix.size()) == suffix;
}

}  // namespace c10
