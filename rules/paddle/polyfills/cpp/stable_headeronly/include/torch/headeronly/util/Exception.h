#pragma once
#include <sstream>
#include <stdexcept>
#include <string>

namespace torch::headeronly::compat_detail {

template <typename... Parts>
[[noreturn]] void fail(const char* condition, const char* file, int line, const Parts&... parts) {
  ::std::ostringstream text;
  if constexpr (sizeof...(Parts) == 0) {
    text << "Expected " << condition << " to be true, but got false. (" << file << ':' << line << ')';
  } else {
    (text << ... << parts);
  }
  throw ::std::runtime_error(text.str());
}

}  // namespace torch::headeronly::compat_detail

#ifndef STD_TORCH_CHECK
#define STD_TORCH_CHECK(condition, ...)                                                    \
  (__builtin_expect(static_cast<bool>(condition), 1)                                       \
       ? void(0)                                                                           \
       : ::torch::headeronly::compat_detail::fail(#condition, __FILE__, __LINE__, ##__VA_ARGS__))
#endif
