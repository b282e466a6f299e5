#pragma once
#include <cstring>
#include <type_traits>

namespace c10 {

template <class To, class From>
std::enable_if_t<sizeof(To) == sizeof(From), To> bit_cast(const From& from) noexcept {
  To to;
  std::memcpy(&to, &from, sizeof(To));
  return to;
}

}  // namespace c10
