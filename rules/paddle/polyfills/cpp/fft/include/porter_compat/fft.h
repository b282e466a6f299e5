// Fourier transforms over several dimensions, with torch's arguments.
#pragma once

#include <porter_compat/recorded.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/zeros.h>
#include <c10/core/DefaultDtype.h>
#include <c10/util/OptionalArrayRef.h>
#include <porter_compat/strides.h>

#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "paddle/phi/api/include/api.h"

namespace at::compat_detail {

using Norm = std::optional<std::string_view>;

inline std::string norm_name(Norm norm) {
  const std::string name(norm.value_or("backward"));
  check(name == "backward" || name == "forward" || name == "ortho", "Invalid normalization mode: " + name);
  return name;
}

// The dimensions: those given, as many of the last as there are sizes, or all.
inline Sizes transformed(const Tensor& x, OptionalIntArrayRef s, OptionalIntArrayRef dim) {
  const int64_t count = dim ? dim->size() : s ? s->size() : x.dim();
  check(!s || count == static_cast<int64_t>(s->size()), "shape and dim must have the same length");
  check(count <= x.dim(), "more dimensions to transform than the input has");
  Sizes dims;
  for (int64_t i = 0; i < count; ++i) {
    dims.push_back(wrapped(dim ? (*dim)[i] : i - count, x.dim()));
  }
  check(std::set<int64_t>(dims.begin(), dims.end()).size() == dims.size(), "dim must be unique");
  return dims;
}

// Cut or padded with zeros to sizes (-1: the one that it has).
inline Tensor resized(Tensor x, const Sizes& dims, const Sizes& sizes) {
  for (size_t i = 0; i < sizes.size(); ++i) {
    const int64_t dim = dims[i], more = sizes[i] - x.size(dim);
    check(sizes[i] >= 1 || sizes[i] == -1, "Invalid number of data points");
    auto shape = x.sizes().vec();
    shape[dim] = more;
    if (more < 0 && sizes[i] != -1) x = x.narrow(dim, 0, sizes[i]);
    if (more > 0) x = at::cat({x, at::zeros(shape, x.options())}, dim);
  }
  for (int64_t dim : dims) check(x.size(dim) >= 1, "Invalid number of data points (0)");
  return x;
}

// As floats, or as complex numbers.
inline Tensor as_numbers(const Tensor& x, bool complex) {
  auto type = x.scalar_type();
  if (c10::isIntegralType(type, true)) type = c10::get_default_dtype();
  check(type != kHalf && type != kBFloat16, "Unsupported dtype of a Fourier transform");
  return x.to(complex ? c10::toComplexType(type) : type);
}

inline Tensor complex_to_complex(
    const Tensor& self, OptionalIntArrayRef s, OptionalIntArrayRef dim, Norm norm, bool forward) {
  const auto dims = transformed(self, s, dim);
  const auto x = resized(as_numbers(self, true), dims, s ? s->vec() : Sizes());
  if (dims.empty()) return x;
  return paddle::recorded::fft_c2c(x._PD_GetInner(), dims, norm_name(norm), forward);
}

inline Tensor real_to_complex(
    const Tensor& self, OptionalIntArrayRef s, OptionalIntArrayRef dim, Norm norm, bool forward) {
  check(!c10::isComplexType(self.scalar_type()), "expects a real input tensor");
  const auto dims = transformed(self, s, dim);
  check(!dims.empty(), "must transform at least one axis");
  const auto x = resized(as_numbers(self, false), dims, s ? s->vec() : Sizes());
  const Tensor last = paddle::recorded::fft_r2c(
      x._PD_GetInner(), {dims.back()}, norm_name(norm), forward, true);
  return complex_to_complex(last, std::nullopt, IntArrayRef(dims).slice(0, dims.size() - 1), norm, forward);
}

inline Tensor complex_to_real(
    const Tensor& self, OptionalIntArrayRef s, OptionalIntArrayRef dim, Norm norm, bool forward) {
  const auto dims = transformed(self, s, dim);
  check(!dims.empty(), "must transform at least one axis");
  auto sizes = s ? s->vec() : Sizes(dims.size(), -1);
  const int64_t last = sizes.back() == -1 ? 2 * (self.size(dims.back()) - 1) : sizes.back();
  check(last >= 1, "Invalid number of data points");
  sizes.back() = last / 2 + 1;
  const auto x = resized(as_numbers(self, true), dims, sizes);
  return paddle::recorded::fft_c2r(x._PD_GetInner(), dims, norm_name(norm), forward, last);
}

// Sizes of one dimension.
inline Sizes one(std::optional<c10::SymInt> n) { return {n.value_or(-1)}; }

}  // namespace at::compat_detail
