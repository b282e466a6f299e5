#pragma once

namespace at::compat_detail {

// How many guards of this thread leave out the implementations for autograd.
inline int& below_autograd() {
  thread_local int depth = 0;
  return depth;
}

struct BelowAutograd {
  BelowAutograd() { ++below_autograd(); }
  ~BelowAutograd() { --below_autograd(); }
  BelowAutograd(const BelowAutograd&) = delete;
};

}  // namespace at::compat_detail

namespace at {

struct AutoDispatchBelowADInplaceOrView : compat_detail::BelowAutograd {};

struct AutoDispatchBelowAutograd : compat_detail::BelowAutograd {};

struct AutoNonVariableTypeMode : compat_detail::BelowAutograd {
  explicit AutoNonVariableTypeMode(bool = true) {}
};

}  // namespace at
