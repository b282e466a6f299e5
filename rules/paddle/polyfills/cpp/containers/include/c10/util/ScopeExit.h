#pragma once
#include <utility>

namespace c10 {

namespace detail {

template <typename Function>
struct ScopeExit {
  explicit ScopeExit(Function function) : function(std::move(function)) {}
  ScopeExit(ScopeExit&& other) : function(std::move(other.function)), active(other.active) {
    other.release();
  }
  ~ScopeExit() {
    if (active) function();
  }
  void release() { active = false; }
  Function function;
  bool active = true;
};

}  // namespace detail

template <typename Function>
detail::ScopeExit<Function> make_scope_exit(Function function) {
  return detail::ScopeExit<Function>(std::move(function));
}

}  // namespace c10
