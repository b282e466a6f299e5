#pragma once
#include <ATen/core/List.h>
#include <initializer_list>
#include <porter_compat/index.h>

namespace at {
// extends
class Tensor {
  Tensor index(at::ArrayRef<at::indexing::TensorIndex> indices) const {
    return compat_detail::indexed(compat_detail::picked(tensor_, indices));
  }
  Tensor index(::std::initializer_list<at::indexing::TensorIndex> indices) const {
    return index(at::ArrayRef<at::indexing::TensorIndex>(indices));
  }
  Tensor& index_put_(at::ArrayRef<at::indexing::TensorIndex> indices, const Tensor& rhs) {
    compat_detail::put(compat_detail::picked(tensor_, indices), rhs._PD_GetInner(), false);
    return *this;
  }
  Tensor& index_put_(at::ArrayRef<at::indexing::TensorIndex> indices, const at::Scalar& v) {
    return index_put_(indices, Tensor(compat_detail::number(v, tensor_)));
  }
  Tensor& index_put_(::std::initializer_list<at::indexing::TensorIndex> indices,
                     const Tensor& rhs) {
    return index_put_(at::ArrayRef<at::indexing::TensorIndex>(indices), rhs);
  }
  Tensor& index_put_(::std::initializer_list<at::indexing::TensorIndex> indices,
                     const at::Scalar& v) {
    return index_put_(at::ArrayRef<at::indexing::TensorIndex>(indices), v);
  }
  Tensor index(const ::c10::List<::std::optional<Tensor>>& indices) const {
    return compat_detail::indexed(compat_detail::picked_by_tensors(tensor_, indices));
  }
  Tensor& index_put_(const ::c10::List<::std::optional<Tensor>>& indices, const Tensor& values,
                     bool accumulate = false) const {
    compat_detail::put(compat_detail::picked_by_tensors(tensor_, indices),
                       values._PD_GetInner(), accumulate);
    return const_cast<Tensor&>(*this);
  }
  Tensor index_put(const ::c10::List<::std::optional<Tensor>>& indices, const Tensor& values,
                   bool accumulate = false) const {
    return clone().index_put_(indices, values, accumulate);
  }
  Tensor operator[](const at::Scalar& index) const { return select(0, index.to<int64_t>()); }
  Tensor operator[](const Tensor& index) const {
    compat_detail::check_index(index.dim() == 0 && !index.is_floating_point(),
                               "Can only index with tensors that are scalars (zero-dim)");
    return select(0, compat_detail::item(index._PD_GetInner()).to<int64_t>());
  }
};
}  // namespace at
