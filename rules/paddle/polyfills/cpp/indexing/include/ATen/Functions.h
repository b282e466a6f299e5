#pragma once
#include <ATen/core/List.h>
#include <ATen/core/Tensor.h>

namespace at {

inline Tensor index(const Tensor& self, const ::c10::List<::std::optional<Tensor>>& indices) {
  return self.index(indices);
}

inline Tensor& index_put_(Tensor& self, const ::c10::List<::std::optional<Tensor>>& indices,
                          const Tensor& values, bool accumulate = false) {
  return self.index_put_(indices, values, accumulate);
}

inline Tensor index_put(const Tensor& self, const ::c10::List<::std::optional<Tensor>>& indices,
                        const Tensor& values, bool accumulate = false) {
  return self.index_put(indices, values, accumulate);
}

}  // namespace at
