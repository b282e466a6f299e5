#pragma once

namespace c10 {

template <class... Functions>
struct overloaded_t : Functions... {
  using Functions::operator()...;
  explicit overloaded_t(Functions... functions) : Functions(functions)... {}
};

template <class... Functions>
overloaded_t<Functions...> overloaded(Functions... functions) {
  return overloaded_t<Functions...>(functions...);
}

}  // namespace c10
