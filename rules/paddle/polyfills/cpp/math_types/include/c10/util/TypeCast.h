#pragma once
#include <c10/core/ScalarType.h>

namespace c10 {

template <typename dest_t, typename src_t>
C10_HOST_DEVICE inline dest_t convert(src_t value) {
  return static_cast<dest_t>(value);
}

}  // namespace c10
