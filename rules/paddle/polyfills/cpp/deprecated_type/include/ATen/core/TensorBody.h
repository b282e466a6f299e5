#pragma once
#include <ATen/core/DeprecatedTypeProperties.h>

namespace at {

// extends
class Tensor {
  DeprecatedTypeProperties type() const { return {scalar_type(), device()}; }
  Tensor toType(const DeprecatedTypeProperties& type, bool non_blocking = false) const {
    return to(type.options(), non_blocking);
  }
};

}  // namespace at
