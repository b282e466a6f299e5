#pragma once

#include <porter_compat/recorded.h>
#include <ATen/core/Tensor.h>
#include <porter_compat/promotion.h>
#include <porter_compat/sorting.h>

#include <string_view>

namespace at {

inline ::std::tuple<Tensor, Tensor> sort(const Tensor& self, int64_t dim = -1,
                                         bool descending = false) {
  return self.sort(dim, descending);
}

inline ::std::tuple<Tensor, Tensor> sort(const Tensor& self, ::std::optional<bool> stable,
                                         int64_t dim = -1, bool descending = false) {
  return self.sort(stable, dim, descending);
}

inline Tensor argsort(const Tensor& self, int64_t dim = -1, bool descending = false) {
  return self.argsort(dim, descending);
}

inline Tensor argsort(const Tensor& self, bool stable, int64_t dim = -1, bool descending = false) {
  return self.argsort(stable, dim, descending);
}

inline Tensor msort(const Tensor& self) { return self.msort(); }

inline ::std::tuple<Tensor, Tensor> topk(const Tensor& self, int64_t k, int64_t dim = -1,
                                         bool largest = true, bool sorted = true) {
  return self.topk(k, dim, largest, sorted);
}

inline ::std::tuple<Tensor, Tensor> kthvalue(const Tensor& self, int64_t k, int64_t dim = -1,
                                             bool keepdim = false) {
  return self.kthvalue(k, dim, keepdim);
}

inline Tensor searchsorted(const Tensor& sorted_sequence, const Tensor& self,
                           bool out_int32 = false, bool right = false,
                           ::std::optional<::std::string_view> side = ::std::nullopt,
                           const ::std::optional<Tensor>& sorter = {}) {
  TORCH_CHECK(!side || *side == "left" || *side == "right", "side can only be 'left' or 'right'");
  TORCH_CHECK(!side || !right || *side == "right", "side and right can't be set to opposites");
  const auto type = compat_detail::common_type(sorted_sequence, self);
  auto sequence = compat_detail::as(sorted_sequence._PD_GetInner(), type);
  if (sorter.has_value() && sorter->defined()) {
    sequence = paddle::recorded::take_along_axis(compat_detail::widened(sequence),
                                                     sorter->_PD_GetInner(),
                                                     static_cast<int>(sorted_sequence.dim()) - 1);
  }
  return compat_detail::search(sequence, compat_detail::as(self._PD_GetInner(), type), out_int32,
                               right || (side && *side == "right"));
}

inline Tensor searchsorted(const Tensor& sorted_sequence, const Scalar& self,
                           bool out_int32 = false, bool right = false,
                           ::std::optional<::std::string_view> side = ::std::nullopt,
                           const ::std::optional<Tensor>& sorter = {}) {
  const Tensor value = paddle::experimental::full({}, self, self.dtype(),
                                                  sorted_sequence._PD_GetInner().place());
  return searchsorted(sorted_sequence, value, out_int32, right, side, sorter);
}

inline Tensor bucketize(const Tensor& self, const Tensor& boundaries, bool out_int32 = false,
                        bool right = false) {
  TORCH_CHECK(boundaries.dim() == 1, "boundaries tensor must be 1 dimension");
  return searchsorted(boundaries, self, out_int32, right);
}

inline Tensor bucketize(const Scalar& self, const Tensor& boundaries, bool out_int32 = false,
                        bool right = false) {
  TORCH_CHECK(boundaries.dim() == 1, "boundaries tensor must be 1 dimension");
  return searchsorted(boundaries, self, out_int32, right);
}

// Always sorted: the values, and where each element went.
inline ::std::tuple<Tensor, Tensor> _unique(const Tensor& self, bool sorted = true,
                                            bool return_inverse = false) {
  auto [values, inverse, counts] = compat_detail::unique_of(self._PD_GetInner(), false);
  return {values, return_inverse ? inverse : compat_detail::no_indices(inverse)};
}

// Always sorted: values, where each element went, and counts; what is not asked for is empty.
inline ::std::tuple<Tensor, Tensor, Tensor> _unique2(const Tensor& self, bool sorted = true,
                                                     bool return_inverse = false,
                                                     bool return_counts = false) {
  auto [values, inverse, counts] = compat_detail::unique_of(self._PD_GetInner(), false);
  return {values, return_inverse ? inverse : compat_detail::no_indices(inverse),
          return_counts ? counts : compat_detail::no_indices(counts)};
}

inline ::std::tuple<Tensor, Tensor, Tensor> unique_dim(const Tensor& self, int64_t dim,
                                                       bool sorted = true,
                                                       bool return_inverse = false,
                                                       bool return_counts = false) {
  return compat_detail::unique_slices(self._PD_GetInner(), dim, false);
}

inline ::std::tuple<Tensor, Tensor, Tensor> unique_dim_consecutive(const Tensor& self, int64_t dim,
                                                                   bool return_inverse = false,
                                                                   bool return_counts = false) {
  return compat_detail::unique_slices(self._PD_GetInner(), dim, true);
}

inline ::std::tuple<Tensor, Tensor, Tensor> unique_consecutive(
    const Tensor& self, bool return_inverse = false, bool return_counts = false,
    ::std::optional<int64_t> dim = ::std::nullopt) {
  if (dim.has_value()) return unique_dim_consecutive(self, *dim, return_inverse, return_counts);
  auto [values, inverse, counts] = compat_detail::unique_of(self._PD_GetInner(), true);
  return {values, return_inverse ? inverse : compat_detail::no_indices(inverse),
          return_counts ? counts : compat_detail::no_indices(counts)};
}

inline Tensor bincount(const Tensor& self, const ::std::optional<Tensor>& weights = {},
                       int64_t minlength = 0) {
  return self.bincount(weights, minlength);
}

inline Tensor histc(const Tensor& self, int64_t bins = 100, const Scalar& min = 0,
                    const Scalar& max = 0) {
  return self.histc(bins, min, max);
}

inline Tensor nonzero(const Tensor& self) { return self.nonzero(); }

inline Tensor argwhere(const Tensor& self) { return self.argwhere(); }

inline ::std::vector<Tensor> nonzero_numpy(const Tensor& self) { return self.nonzero_numpy(); }

inline ::std::tuple<Tensor&, Tensor&> sort_out(Tensor& values, Tensor& indices, const Tensor& self,
                                               int64_t dim = -1, bool descending = false) {
  const auto found = self.sort(dim, descending);
  return {compat_detail::write_out(values, ::std::get<0>(found)),
          compat_detail::write_out(indices, ::std::get<1>(found))};
}

inline ::std::tuple<Tensor&, Tensor&> sort_out(Tensor& values, Tensor& indices, const Tensor& self,
                                               ::std::optional<bool> stable, int64_t dim = -1,
                                               bool descending = false) {
  const auto found = self.sort(stable, dim, descending);
  return {compat_detail::write_out(values, ::std::get<0>(found)),
          compat_detail::write_out(indices, ::std::get<1>(found))};
}

inline ::std::tuple<Tensor&, Tensor&> topk_out(Tensor& values, Tensor& indices, const Tensor& self,
                                               int64_t k, int64_t dim = -1, bool largest = true,
                                               bool sorted = true) {
  const auto found = self.topk(k, dim, largest, sorted);
  return {compat_detail::write_out(values, ::std::get<0>(found)),
          compat_detail::write_out(indices, ::std::get<1>(found))};
}

inline Tensor& nonzero_out(Tensor& out, const Tensor& self) {
  return compat_detail::write_out(out, self.nonzero());
}

}  // namespace at
