#pragma once
#include <ATen/Functions.h>
#include <c10/util/DimVector.h>
#include <c10/util/MaybeOwned.h>

#include <tuple>

namespace at {

inline DimVector infer_size_dimvector(IntArrayRef a, IntArrayRef b) {
  const auto sizes = infer_size(a, b);
  return DimVector(sizes.begin(), sizes.end());
}

inline bool is_expandable_to(IntArrayRef shape, IntArrayRef desired) {
  if (shape.size() > desired.size()) return false;
  for (size_t i = 1; i <= shape.size(); ++i) {
    const int64_t size = shape[shape.size() - i];
    if (size != 1 && size != desired[desired.size() - i]) return false;
  }
  return true;
}

inline bool are_expandable(IntArrayRef a, IntArrayRef b) {
  for (size_t i = 1; i <= std::min(a.size(), b.size()); ++i) {
    const int64_t x = a[a.size() - i], y = b[b.size() - i];
    if (x != y && x != 1 && y != 1) return false;
  }
  return true;
}

inline std::tuple<::c10::MaybeOwned<Tensor>, ::c10::MaybeOwned<Tensor>> expand_outplace(
    const Tensor& a, const Tensor& b) {
  const auto sizes = infer_size(a.sizes(), b.sizes());
  return {::c10::MaybeOwned<Tensor>::owned(a.expand(sizes)),
          ::c10::MaybeOwned<Tensor>::owned(b.expand(sizes))};
}

inline ::c10::MaybeOwned<Tensor> expand_size(const Tensor& tensor, IntArrayRef sizes,
                                             const char* = "") {
  return ::c10::MaybeOwned<Tensor>::owned(tensor.expand(sizes));
}

inline std::vector<Tensor> expand_outplace(ArrayRef<Tensor> tensors) {
  return broadcast_tensors(tensors);
}

// The sum over what was broadcast.
inline Tensor sum_to(Tensor tensor, IntArrayRef shape, bool = false) {
  if (shape.empty()) return tensor.sum();
  std::vector<int64_t> dims;
  const int64_t extra = tensor.dim() - static_cast<int64_t>(shape.size());
  for (int64_t i = 0; i < tensor.dim(); ++i) {
    if (i < extra || (shape[i - extra] == 1 && tensor.size(i) != 1)) dims.push_back(i);
  }
  if (!dims.empty()) tensor = tensor.sum(dims, true);
  return extra > 0 ? tensor.view(shape) : tensor;
}

}  // namespace at
