#pragma once
#include <porter_compat/recorded.h>
#include <ATen/core/Tensor.h>
#include <porter_compat/strides.h>

namespace at::compat_detail {

inline bool is_nothing(const Tensor& t) { return t.dim() == 1 && t.numel() == 0; }

// Tensors of any dtypes one after the other; a 1-D one without elements goes with any shape.
inline Tensor joined(ArrayRef<Tensor> tensors, int64_t dim) {
  check(!tensors.empty(), "expected a non-empty list of Tensors");
  auto type = tensors[0].scalar_type();
  for (const Tensor& t : tensors) type = c10::promoteTypes(type, t.scalar_type());
  auto first = std::find_if_not(tensors.begin(), tensors.end(), is_nothing);
  if (first == tensors.end()) return tensors[0].toType(type).clone();
  dim = wrapped(dim, first->dim());
  auto sizes = first->sizes().vec();
  check(!sizes.empty(), "zero-dimensional tensor cannot be concatenated");
  int64_t total = 0;
  std::vector<paddle::Tensor> parts;
  for (const Tensor& t : tensors) {
    check(t.dim() > 0, "zero-dimensional tensor cannot be concatenated");
    if (is_nothing(t)) continue;
    check(t.dim() == int64_t(sizes.size()), "Tensors must have same number of dimensions");
    sizes[dim] = t.size(dim);
    check(t.sizes() == IntArrayRef(sizes), "Sizes of tensors must match except in dimension " +
                                               std::to_string(dim));
    total += sizes[dim];
    if (t.numel() > 0) parts.push_back(t.toType(type)._PD_GetInner());
  }
  sizes[dim] = total;
  if (!parts.empty()) return paddle::recorded::concat(parts, dim);
  const auto& inner = first->_PD_GetInner();
  return allocated(sizes, contiguous_strides(sizes), first->toType(type)._PD_GetInner().dtype(),
                   inner.place());
}

}  // namespace at::compat_detail
