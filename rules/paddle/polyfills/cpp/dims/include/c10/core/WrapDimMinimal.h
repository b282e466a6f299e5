#pragma once
#include <c10/util/Exception.h>

namespace c10 {

// A dimension counted from the end, counted from the start.
inline int64_t maybe_wrap_dim(int64_t dim, int64_t dims, bool wrap_scalar = true) {
  TORCH_CHECK_INDEX(dims > 0 || wrap_scalar, "Dimension specified as ", dim,
                    " but tensor has no dimensions");
  const int64_t most = dims > 0 ? dims : 1;
  TORCH_CHECK_INDEX(-most <= dim && dim < most, "Dimension out of range (expected to be in range of [",
                    -most, ", ", most - 1, "], but got ", dim, ")");
  return dim < 0 ? dim + most : dim;
}

}  // namespace c10
