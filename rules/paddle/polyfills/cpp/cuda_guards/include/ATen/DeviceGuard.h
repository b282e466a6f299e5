#pragma once
#include <c10/core/DeviceGuard.h>
#include <c10/util/ArrayRef.h>

namespace at {

// That of the first tensor, if there is one.
inline ::std::optional<Device> device_of(c10::ArrayRef<Tensor> tensors) {
  return tensors.empty() ? ::std::nullopt : device_of(tensors.front());
}

}  // namespace at
