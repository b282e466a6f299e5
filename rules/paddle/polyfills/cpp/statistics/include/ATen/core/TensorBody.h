#pragma once

#include <porter_compat/factory.h>
#include <porter_compat/promotion.h>

#include <optional>
#include <string_view>
#include <tuple>
#include <vector>

namespace at {

// extends
class Tensor {
  // The places of quantiles among the sorted elements of rows.
  Tensor _PD_places(const Tensor& part, bool skip_nan) const {
    const Tensor missing = isnan();
    if (skip_nan) {
      const Tensor last = missing.logical_not().sum(-1, true).sub(1);
      return part.mul(last.toType(scalar_type())).clamp_min(0);
    }
    const double last = static_cast<double>(size(-1) - 1);
    return part.mul(last).where(missing.any(-1, true).logical_not(), last);
  }
  // Between or at sorted elements.
  Tensor _PD_between(const Tensor& places, ::std::string_view how) const {
    const auto at = [&](const Tensor& place) { return gather(-1, place.toType(at::kLong)); };
    if (how == "lower") return at(places.floor());
    if (how == "higher") return at(places.ceil());
    if (how == "nearest") return at(places.round());
    TORCH_CHECK(how == "linear" || how == "midpoint", "quantile() interpolation of an unknown kind");
    const Tensor below = places.floor(), low = at(below), high = at(places.ceil());
    return how == "midpoint" ? low.lerp(high, 0.5) : low.lerp(high, places.sub(below));
  }
  Tensor _PD_quantile(const Tensor& q, ::std::optional<int64_t> dim, bool keepdim, ::std::string_view how,
                      bool skip_nan) const {
    const auto type = scalar_type();
    TORCH_CHECK(numel() > 0, "quantile() input tensor must be non-empty");
    TORCH_CHECK(q.dim() < 2, "quantile() q must be a scalar or 1D tensor");
    TORCH_CHECK(type == at::kFloat || type == at::kDouble, "quantile() input tensor must be either float or double dtype");
    TORCH_CHECK(type == q.scalar_type(), "quantile() q tensor must be same dtype as the input tensor");
    TORCH_CHECK(q.ge(0).logical_and(q.le(1)).all().item<bool>(), "quantile() q values must be in the range [0, 1]");
    const int64_t axis = dim ? compat_detail::wrapped(*dim, ::std::max<int64_t>(this->dim(), 1)) : 0;
    const Tensor rows = dim && this->dim() ? movedim(axis, -1) : reshape({-1});
    const Tensor sorted = ::std::get<0>(rows.contiguous().sort(-1));
    Tensor found = sorted._PD_between(sorted._PD_places(q.reshape({-1}), skip_nan), how);
    found = q.dim() ? found.movedim(-1, 0) : found.squeeze(-1);
    if (keepdim && dim && this->dim()) return found.unsqueeze(axis + q.dim());
    for (int64_t d = 0; keepdim && d < this->dim(); ++d) found = found.unsqueeze(-1);
    return found;
  }
  Tensor _PD_number(double value) const {
    return paddle::experimental::full({}, value, tensor_.dtype(), tensor_.place());
  }
  Tensor quantile(const Tensor& q, ::std::optional<int64_t> dim = ::std::nullopt, bool keepdim = false,
                  ::std::string_view interpolation = "linear") const {
    return _PD_quantile(q, dim, keepdim, interpolation, false);
  }
  Tensor quantile(double q, ::std::optional<int64_t> dim = ::std::nullopt, bool keepdim = false,
                  ::std::string_view interpolation = "linear") const {
    return _PD_quantile(_PD_number(q), dim, keepdim, interpolation, false);
  }
  Tensor nanquantile(const Tensor& q, ::std::optional<int64_t> dim = ::std::nullopt, bool keepdim = false,
                     ::std::string_view interpolation = "linear") const {
    return _PD_quantile(q, dim, keepdim, interpolation, true);
  }
  Tensor nanquantile(double q, ::std::optional<int64_t> dim = ::std::nullopt, bool keepdim = false,
                     ::std::string_view interpolation = "linear") const {
    return _PD_quantile(_PD_number(q), dim, keepdim, interpolation, true);
  }
  // Counts, or sums of weights, between edges; the last edge belongs to its bin.
  ::std::tuple<Tensor, Tensor> histogram(
      const Tensor& bins, const ::std::optional<Tensor>& weight = {}, bool density = false) const {
    const auto type = scalar_type();
    TORCH_CHECK(type == at::kFloat || type == at::kDouble, "histogram is for float and double");
    TORCH_CHECK(bins.scalar_type() == type && bins.dim() == 1 && bins.numel() > 1, "histogram: a vector of edges");
    const bool weighted = weight && weight->defined();
    TORCH_CHECK(!weighted || (weight->sizes() == sizes() && weight->scalar_type() == type),
                "histogram: a weight for each element");
    const Tensor edges = bins.clone(), x = reshape({-1}).contiguous();
    const int64_t count = edges.numel() - 1;
    Tensor sums = x.new_zeros({count});
    if (numel() > 0) {
      const Tensor inside = x.ge(edges.select(0, 0)).logical_and(x.le(edges.select(0, count)));
      const Tensor after = paddle::experimental::searchsorted(edges.tensor_, x.tensor_, false, true);
      const Tensor each = weighted ? weight->reshape({-1}) : x.new_ones(x.sizes());
      sums = sums.index_add(0, after.sub(1).clamp(at::Scalar(0), at::Scalar(count - 1)), each.where(inside, 0));
    }
    if (density) sums = sums.div(sums.sum().mul(edges.narrow(0, 1, count).sub(edges.narrow(0, 0, count))));
    return {sums, edges};
  }
  ::std::tuple<Tensor, Tensor> histogram(
      int64_t bins = 100, ::std::optional<at::ArrayRef<double>> range = ::std::nullopt,
      const ::std::optional<Tensor>& weight = {}, bool density = false) const {
    TORCH_CHECK(bins > 0, "histogram: bins must be > 0");
    TORCH_CHECK(!range || range->size() == 2, "histogram: range should have 2 elements");
    double low = range ? (*range)[0] : 0, high = range ? (*range)[1] : 1;
    if (!range && numel() > 0) {
      low = min().item<double>();
      high = max().item<double>();
    }
    TORCH_CHECK(::std::isfinite(low) && ::std::isfinite(high), "histogram: the range is not finite");
    TORCH_CHECK(low <= high, "histogram: min should not exceed max");
    const double more = low == high ? 0.5 : 0;
    return histogram(Tensor(compat_detail::spaced(low - more, high + more, bins + 1, options())), weight, density);
  }
  // Places of elements that are not zero: as many as asked for.
  Tensor nonzero_static(int64_t size, int64_t fill_value = -1) const {
    TORCH_CHECK(size >= 0, "nonzero_static: 'size' must be an non-negative integer");
    const Tensor found = nonzero(), all = found.new_full({size, dim()}, fill_value);
    const int64_t there = ::std::min(size, found.size(0));
    if (there > 0) all.narrow(0, 0, there).copy_(found.narrow(0, 0, there));
    return all;
  }
};

}  // namespace at
