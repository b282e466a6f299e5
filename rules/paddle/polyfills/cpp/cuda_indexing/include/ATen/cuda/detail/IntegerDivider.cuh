#pragma once
#include <c10/macros/Macros.h>

namespace at::cuda::detail {

template <typename Value>
struct DivMod {
  Value div, mod;
  C10_HOST_DEVICE DivMod(Value div, Value mod) : div(div), mod(mod) {}
};

// Divides by a number that stays the same; by the division of the device.
template <typename Value>
struct IntDivider {
  IntDivider() = default;
  IntDivider(Value d) : divisor(d) {}
  C10_HOST_DEVICE Value div(Value n) const { return n / divisor; }
  C10_HOST_DEVICE Value mod(Value n) const { return n % divisor; }
  C10_HOST_DEVICE DivMod<Value> divmod(Value n) const {
    return DivMod<Value>(n / divisor, n % divisor);
  }
  Value divisor;
};

}  // namespace at::cuda::detail
