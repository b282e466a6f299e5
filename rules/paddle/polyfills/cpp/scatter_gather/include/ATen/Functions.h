#pragma once

#include <ATen/core/Tensor.h>
#include <porter_compat/promotion.h>

#include <string_view>

namespace at {

inline Tensor gather(const Tensor& self, int64_t dim, const Tensor& index,
                     bool sparse_grad = false) {
  return self.gather(dim, index, sparse_grad);
}

inline Tensor scatter(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src) {
  return self.scatter(dim, index, src);
}

inline Tensor scatter(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src,
                      ::std::string_view reduce) {
  return self.scatter(dim, index, src, reduce);
}

inline Tensor scatter(const Tensor& self, int64_t dim, const Tensor& index, const Scalar& value) {
  return self.scatter(dim, index, value);
}

inline Tensor scatter(const Tensor& self, int64_t dim, const Tensor& index, const Scalar& value,
                      ::std::string_view reduce) {
  return self.scatter(dim, index, value, reduce);
}

inline Tensor scatter_add(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src) {
  return self.scatter_add(dim, index, src);
}

inline Tensor scatter_reduce(const Tensor& self, int64_t dim, const Tensor& index,
                             const Tensor& src, ::std::string_view reduce,
                             bool include_self = true) {
  return self.scatter_reduce(dim, index, src, reduce, include_self);
}

inline Tensor index_select(const Tensor& self, int64_t dim, const Tensor& index) {
  return self.index_select(dim, index);
}

inline Tensor index_add(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& source,
                        const Scalar& alpha = 1) {
  return self.index_add(dim, index, source, alpha);
}

inline Tensor index_copy(const Tensor& self, int64_t dim, const Tensor& index,
                         const Tensor& source) {
  return self.index_copy(dim, index, source);
}

inline Tensor index_fill(const Tensor& self, int64_t dim, const Tensor& index,
                         const Scalar& value) {
  return self.index_fill(dim, index, value);
}

inline Tensor index_fill(const Tensor& self, int64_t dim, const Tensor& index,
                         const Tensor& value) {
  return self.index_fill(dim, index, value);
}

inline Tensor index_reduce(const Tensor& self, int64_t dim, const Tensor& index,
                           const Tensor& source, ::std::string_view reduce,
                           bool include_self = true) {
  return self.index_reduce(dim, index, source, reduce, include_self);
}

inline Tensor take(const Tensor& self, const Tensor& index) { return self.take(index); }

inline Tensor put(const Tensor& self, const Tensor& index, const Tensor& source,
                  bool accumulate = false) {
  return self.put(index, source, accumulate);
}

inline Tensor take_along_dim(const Tensor& self, const Tensor& indices,
                             ::std::optional<int64_t> dim = ::std::nullopt) {
  return self.take_along_dim(indices, dim);
}

inline Tensor masked_fill(const Tensor& self, const Tensor& mask, const Scalar& value) {
  return self.masked_fill(mask, value);
}

inline Tensor masked_fill(const Tensor& self, const Tensor& mask, const Tensor& value) {
  return self.masked_fill(mask, value);
}

inline Tensor masked_select(const Tensor& self, const Tensor& mask) {
  return self.masked_select(mask);
}

inline Tensor masked_scatter(const Tensor& self, const Tensor& mask, const Tensor& source) {
  return self.masked_scatter(mask, source);
}

inline Tensor& gather_out(Tensor& out, const Tensor& self, int64_t dim, const Tensor& index,
                          bool sparse_grad = false) {
  return compat_detail::write_out(out, self.gather(dim, index, sparse_grad));
}

inline Tensor& index_select_out(Tensor& out, const Tensor& self, int64_t dim, const Tensor& index) {
  return compat_detail::write_out(out, self.index_select(dim, index));
}

inline Tensor& masked_select_out(Tensor& out, const Tensor& self, const Tensor& mask) {
  return compat_detail::write_out(out, self.masked_select(mask));
}

inline Tensor& take_out(Tensor& out, const Tensor& self, const Tensor& index) {
  return compat_detail::write_out(out, self.take(index));
}

inline Tensor& scatter_out(Tensor& out, const Tensor& self, int64_t dim, const Tensor& index,
                           const Tensor& src) {
  return compat_detail::write_out(out, self.scatter(dim, index, src));
}

inline Tensor& scatter_add_out(Tensor& out, const Tensor& self, int64_t dim, const Tensor& index,
                               const Tensor& src) {
  return compat_detail::write_out(out, self.scatter_add(dim, index, src));
}

inline Tensor& index_add_out(Tensor& out, const Tensor& self, int64_t dim, const Tensor& index,
                             const Tensor& source, const Scalar& alpha = 1) {
  return compat_detail::write_out(out, self.index_add(dim, index, source, alpha));
}

}  // namespace at
