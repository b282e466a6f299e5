#pragma once
#include <c10/util/DimVector.h>
#include <c10/util/Exception.h>

namespace at {

namespace compat_detail {

template <typename Sizes>
Sizes inferred(IntArrayRef shape, int64_t numel) {
  Sizes sizes(shape.begin(), shape.end());
  int64_t known = 1, *open = nullptr;
  for (auto& size : sizes) {
    TORCH_CHECK(size >= 0 || (size == -1 && !open),
                size == -1 ? "only one dimension can be inferred" : "invalid shape dimension");
    if (size == -1) open = &size;
    else known *= size;
  }
  TORCH_CHECK(open ? known != 0 && numel % known == 0 : known == numel, "shape '", shape,
              "' is invalid for input of size ", numel);
  if (open) *open = numel / known;
  return sizes;
}

}  // namespace compat_detail

// The shape with its -1 replaced.
inline std::vector<int64_t> infer_size(IntArrayRef shape, int64_t numel) {
  return compat_detail::inferred<std::vector<int64_t>>(shape, numel);
}

inline DimVector infer_size_dv(IntArrayRef shape, int64_t numel) {
  return compat_detail::inferred<DimVector>(shape, numel);
}

}  // namespace at
