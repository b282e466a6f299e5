#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <porter_compat/promotion.h>

#include <cmath>
#include <string_view>
#include <tuple>

namespace at {

inline Tensor quantile(
    const Tensor& self, const Tensor& q, ::std::optional<int64_t> dim = ::std::nullopt, bool keepdim = false,
    ::std::string_view interpolation = "linear") {
  return self.quantile(q, dim, keepdim, interpolation);
}

inline Tensor quantile(
    const Tensor& self, double q, ::std::optional<int64_t> dim = ::std::nullopt, bool keepdim = false,
    ::std::string_view interpolation = "linear") {
  return self.quantile(q, dim, keepdim, interpolation);
}

inline Tensor nanquantile(
    const Tensor& self, const Tensor& q, ::std::optional<int64_t> dim = ::std::nullopt, bool keepdim = false,
    ::std::string_view interpolation = "linear") {
  return self.nanquantile(q, dim, keepdim, interpolation);
}

inline Tensor nanquantile(
    const Tensor& self, double q, ::std::optional<int64_t> dim = ::std::nullopt, bool keepdim = false,
    ::std::string_view interpolation = "linear") {
  return self.nanquantile(q, dim, keepdim, interpolation);
}

inline Tensor& quantile_out(
    Tensor& out, const Tensor& self, const Tensor& q, ::std::optional<int64_t> dim = ::std::nullopt,
    bool keepdim = false, ::std::string_view interpolation = "linear") {
  return compat_detail::write_out(out, at::quantile(self, q, dim, keepdim, interpolation).contiguous());
}

inline Tensor& quantile_out(
    Tensor& out, const Tensor& self, double q, ::std::optional<int64_t> dim = ::std::nullopt,
    bool keepdim = false, ::std::string_view interpolation = "linear") {
  return compat_detail::write_out(out, at::quantile(self, q, dim, keepdim, interpolation).contiguous());
}

inline Tensor& nanquantile_out(
    Tensor& out, const Tensor& self, const Tensor& q, ::std::optional<int64_t> dim = ::std::nullopt,
    bool keepdim = false, ::std::string_view interpolation = "linear") {
  return compat_detail::write_out(out, at::nanquantile(self, q, dim, keepdim, interpolation).contiguous());
}

inline Tensor& nanquantile_out(
    Tensor& out, const Tensor& self, double q, ::std::optional<int64_t> dim = ::std::nullopt,
    bool keepdim = false, ::std::string_view interpolation = "linear") {
  return compat_detail::write_out(out, at::nanquantile(self, q, dim, keepdim, interpolation).contiguous());
}

inline ::std::tuple<Tensor, Tensor> histogram(
    const Tensor& self, const Tensor& bins, const ::std::optional<Tensor>& weight = {}, bool density = false) {
  return self.histogram(bins, weight, density);
}

inline ::std::tuple<Tensor, Tensor> histogram(
    const Tensor& self, int64_t bins = 100, ::std::optional<ArrayRef<double>> range = ::std::nullopt,
    const ::std::optional<Tensor>& weight = {}, bool density = false) {
  return self.histogram(bins, range, weight, density);
}

// The distances of the rows of a matrix.
inline Tensor pdist(const Tensor& self, double p = 2) {
  TORCH_CHECK(self.dim() == 2, "pdist only supports 2D tensors");
  TORCH_CHECK(p >= 0, "pdist only supports non-negative p values");
  compat_detail::only_real(self);
  const int64_t count = self.size(0);
  if (count < 2) return self.new_empty({0});
  const Tensor places = at::triu_indices(count, count, 1, self.options().dtype(kLong));
  const Tensor a = self.index_select(0, places.select(0, 0)), b = self.index_select(0, places.select(0, 1));
  if (self.size(1) == 0) return self.new_zeros({a.size(0)});
  return a.sub(b).norm(p, IntArrayRef(1));
}

inline Tensor norm_except_dim(const Tensor& v, int64_t pow = 2, int64_t dim = 0) {
  if (dim == -1) return v.norm(pow);
  ::std::vector<int64_t> others;
  for (int64_t d = 0; d < v.dim(); ++d)
    if (d != dim) others.push_back(d);
  return v.norm(pow, others, true);
}

inline Tensor nuclear_norm(const Tensor& self, bool keepdim = false) {
  TORCH_CHECK(self.dim() == 2, "nuclear_norm: expected a matrix");
  return at::linalg_matrix_norm(self, "nuc", {-2, -1}, keepdim);
}

inline Tensor nuclear_norm(const Tensor& self, IntArrayRef dim, bool keepdim = false) {
  return at::linalg_matrix_norm(self, "nuc", dim, keepdim);
}

// With the end, where a step comes there.
inline Tensor range(const Scalar& start, const Scalar& end, const Scalar& step, TensorOptions options = {}) {
  const bool whole = c10::isIntegralType(options.dtype(), false);
  const auto number = [&](const Scalar& s) { return whole ? double(s.to<int64_t>()) : s.to<double>(); };
  const double from = number(start), to = number(end), by = number(step);
  TORCH_CHECK(by != 0, "step must be nonzero");
  TORCH_CHECK(::std::isfinite(from) && ::std::isfinite(to), "unsupported range");
  TORCH_CHECK(by > 0 ? to >= from : to <= from, "upper bound and lower bound inconsistent with step sign");
  const auto count = static_cast<int64_t>((to - from) / by + 1);
  return at::arange(count, options.dtype(kDouble)).mul(by).add(from).toType(options.dtype());
}

inline Tensor range(const Scalar& start, const Scalar& end, TensorOptions options = {}) {
  return at::range(start, end, 1, options);
}

inline Tensor nonzero_static(const Tensor& self, int64_t size, int64_t fill_value = -1) {
  return self.nonzero_static(size, fill_value);
}

inline Tensor linalg_vander(const Tensor& x, ::std::optional<c10::SymInt> N = ::std::nullopt) {
  TORCH_CHECK(x.scalar_type() != kBool, "linalg.vander: numbers expected");
  if (x.dim() == 0) return at::linalg_vander(x.reshape({1}), N);
  const int64_t count = N ? int64_t(*N) : x.size(-1);
  TORCH_CHECK(count > 1, "N must be greater than 1.");
  const Tensor wide = c10::isIntegralType(x.scalar_type(), false) ? x.toType(kLong) : x;
  auto shape = wide.sizes().vec();
  shape.push_back(count - 1);
  const Tensor powers = wide.unsqueeze(-1).expand(shape).contiguous().cumprod(-1);
  return at::cat({powers.narrow(-1, 0, 1).mul(0).add(1), powers}, -1);
}

inline Tensor flatten_dense_tensors(TensorList tensors) {
  ::std::vector<Tensor> flat;
  for (const Tensor& t : tensors) flat.push_back(t.contiguous().view({-1}));
  return at::cat(flat);
}

inline ::std::vector<Tensor> unflatten_dense_tensors(const Tensor& flat, TensorList tensors) {
  ::std::vector<Tensor> found;
  int64_t at = 0;
  for (const Tensor& t : tensors) {
    found.push_back(t.numel() ? flat.narrow(0, at, t.numel()).view(t.sizes()) : flat.new_empty(t.sizes()));
    at += t.numel();
  }
  return found;
}

}  // namespace at
