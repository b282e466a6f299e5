#pragma once

#include <c10/core/Scalar.h>
#include <porter_compat/sorting.h>

#include <optional>
#include <tuple>
#include <vector>

namespace at {
// extends
class Tensor {
  // Values, and where they were; always stable.
  ::std::tuple<Tensor, Tensor> sort(int64_t dim = -1, bool descending = false) const {
    return compat_detail::sorted(tensor_, dim, descending);
  }

  ::std::tuple<Tensor, Tensor> sort(::std::optional<bool> stable, int64_t dim = -1,
                                    bool descending = false) const {
    return compat_detail::sorted(tensor_, dim, descending);
  }

  Tensor argsort(int64_t dim = -1, bool descending = false) const {
    return ::std::get<1>(compat_detail::sorted(tensor_, dim, descending));
  }

  Tensor argsort(bool stable, int64_t dim = -1, bool descending = false) const {
    return ::std::get<1>(compat_detail::sorted(tensor_, dim, descending));
  }

  Tensor msort() const { return ::std::get<0>(compat_detail::sorted(tensor_, 0, false)); }

  // Always sorted.
  ::std::tuple<Tensor, Tensor> topk(int64_t k, int64_t dim = -1, bool largest = true,
                                    bool sorted = true) const {
    return compat_detail::top(tensor_, k, dim, largest);
  }

  // The k-th smallest, counted from 1.
  ::std::tuple<Tensor, Tensor> kthvalue(int64_t k, int64_t dim = -1, bool keepdim = false) const {
    return compat_detail::kth(tensor_, k, dim, keepdim);
  }

  Tensor bincount(const ::std::optional<Tensor>& weights = {}, int64_t minlength = 0) const {
    const bool weighted = weights.has_value() && weights->defined();
    return compat_detail::counted(tensor_, weighted ? &weights->tensor_ : nullptr, minlength);
  }

  // Between the smallest and largest value, if min and max are equal.
  Tensor histc(int64_t bins = 100, const Scalar& min = 0, const Scalar& max = 0) const {
    TORCH_CHECK(c10::isFloatingType(scalar_type()), "histc wants a floating point type");
    return compat_detail::as(
        paddle::experimental::histogram(compat_detail::widened(tensor_), {}, bins, min.to<float>(),
                                        max.to<float>()),
        tensor_.dtype());
  }

  // The places of what is not zero, one a row.
  Tensor nonzero() const { return compat_detail::nonzero_of(tensor_); }

  Tensor argwhere() const { return compat_detail::nonzero_of(tensor_); }

  // The places of what is not zero, one tensor for each dimension.
  ::std::vector<Tensor> nonzero_numpy() const {
    const auto places = compat_detail::nonzero_of(dim() > 0 ? tensor_ : reshape({1}).tensor_);
    ::std::vector<Tensor> found;
    const int64_t count = places.dims()[0];
    for (int64_t axis = 0; axis < places.dims()[1]; ++axis) {
      found.push_back(compat_detail::view(places, {count}, {1}, axis * count));
    }
    return found;
  }
};
}  // namespace at
