#pragma once

#include <porter_compat/recorded.h>
#include <ATen/core/Tensor.h>
#include <porter_compat/joined.h>
#include <porter_compat/promotion.h>
#include <porter_compat/rearrange.h>
#include <porter_compat/scatter.h>

#include <algorithm>
#include <string_view>
#include <vector>

namespace at {

inline Tensor flip(const Tensor& self, IntArrayRef dims) { return self.flip(dims); }

inline Tensor fliplr(const Tensor& self) { return self.fliplr(); }

inline Tensor flipud(const Tensor& self) { return self.flipud(); }

inline Tensor roll(const Tensor& self, IntArrayRef shifts, IntArrayRef dims = {}) {
  return self.roll(shifts, dims);
}

inline Tensor diff(const Tensor& self, int64_t n = 1, int64_t dim = -1,
                   const ::std::optional<Tensor>& prepend = {},
                   const ::std::optional<Tensor>& append = {}) {
  return self.diff(n, dim, prepend, append);
}

inline Tensor repeat_interleave(const Tensor& repeats,
                                ::std::optional<int64_t> output_size = ::std::nullopt) {
  return compat_detail::repeated(repeats._PD_GetInner());
}

inline Tensor repeat_interleave(const Tensor& self, const Tensor& repeats,
                                ::std::optional<int64_t> dim = ::std::nullopt,
                                ::std::optional<int64_t> output_size = ::std::nullopt) {
  return self.repeat_interleave(repeats, dim, output_size);
}

inline Tensor repeat_interleave(const Tensor& self, int64_t repeats,
                                ::std::optional<int64_t> dim = ::std::nullopt,
                                ::std::optional<int64_t> output_size = ::std::nullopt) {
  return self.repeat_interleave(repeats, dim, output_size);
}

// int64, of one class more than the largest index if there is no number.
inline Tensor one_hot(const Tensor& self, int64_t num_classes = -1) {
  TORCH_CHECK(self.scalar_type() == kLong, "one_hot is only applicable to a LongTensor");
  const auto& x = self._PD_GetInner();
  TORCH_CHECK(x.numel() > 0 || num_classes > 0, "one_hot: an empty tensor tells no classes");
  auto shape = x.shape();
  if (x.numel() > 0) {
    const auto at = compat_detail::indices(x);
    const auto top = paddle::experimental::max(at).copy_to(phi::CPUPlace(), true);
    const int64_t least = *top.data<int64_t>() + 1;
    TORCH_CHECK(num_classes == -1 || num_classes >= least,
                "Class values must be smaller than num_classes.");
    num_classes = num_classes == -1 ? least : num_classes;
  }
  shape.push_back(num_classes);
  if (x.numel() == 0) return paddle::experimental::empty(shape, x.dtype(), x.place());
  auto hot = paddle::experimental::one_hot(compat_detail::reshaped(x, {-1}), num_classes);
  return compat_detail::reshaped(compat_detail::as(hot, kLong), shape);
}

// Views, as in torch.
inline ::std::vector<Tensor> meshgrid(ArrayRef<Tensor> tensors) {
  ::std::vector<paddle::Tensor> parts;
  for (const auto& tensor : tensors) parts.push_back(tensor._PD_GetInner());
  const auto grids = compat_detail::grid_of(parts);
  return {grids.begin(), grids.end()};
}

inline ::std::vector<Tensor> meshgrid(ArrayRef<Tensor> tensors, ::std::string_view indexing) {
  TORCH_CHECK(indexing == "ij" || indexing == "xy", "meshgrid: indexing must be one of xy or ij");
  auto parts = tensors.vec();
  if (indexing == "ij" || parts.size() < 2) return meshgrid(parts);
  ::std::swap(parts[0], parts[1]);
  auto grids = meshgrid(parts);
  ::std::swap(grids[0], grids[1]);
  return grids;
}

// Rows first, then columns.
inline Tensor tril_indices(int64_t row, int64_t col, int64_t offset = 0,
                           TensorOptions options = kLong) {
  const auto found = compat_detail::triangle(row, col, [=](int64_t d) { return d <= offset; });
  return compat_detail::with_options(found, options);
}

// Rows first, then columns.
inline Tensor triu_indices(int64_t row, int64_t col, int64_t offset = 0,
                           TensorOptions options = kLong) {
  const auto found = compat_detail::triangle(row, col, [=](int64_t d) { return d >= offset; });
  return compat_detail::with_options(found, options);
}

inline Tensor embedding(const Tensor& weight, const Tensor& indices, int64_t padding_idx = -1,
                        bool scale_grad_by_freq = false, bool sparse = false) {
  TORCH_CHECK(weight.dim() == 2, "'weight' must be 2-D");
  auto shape = indices.sizes().vec();
  shape.push_back(weight.size(1));
  const auto& table = weight._PD_GetInner();
  const auto at = compat_detail::reshaped(indices._PD_GetInner(), {-1});
  return compat_detail::reshaped(compat_detail::rows_of(table, 0, at), shape);
}

inline Tensor isin(const Tensor& elements, const Tensor& test_elements, bool assume_unique = false,
                   bool invert = false) {
  const auto type = compat_detail::common_type(elements, test_elements);
  TORCH_CHECK(elements.scalar_type() != kBool && test_elements.scalar_type() != kBool,
              "isin is not implemented for Bool");
  auto shape = elements.sizes().vec();
  shape.push_back(1);
  auto own = compat_detail::reshaped(compat_detail::as(elements._PD_GetInner(), type), shape);
  auto set = compat_detail::reshaped(compat_detail::as(test_elements._PD_GetInner(), type), {-1});
  shape.pop_back();
  if (own.numel() == 0 || set.numel() == 0) {
    return paddle::experimental::full(shape, invert, phi::DataType::BOOL, own.place());
  }
  auto found = paddle::experimental::any(paddle::experimental::equal(own, set),
                                         {static_cast<int64_t>(shape.size())});
  return invert ? paddle::experimental::logical_not(found) : found;
}

inline Tensor isin(const Tensor& elements, const Scalar& test_element, bool assume_unique = false,
                   bool invert = false) {
  const auto place = elements._PD_GetInner().place();
  const Tensor value = paddle::experimental::full({}, test_element, test_element.dtype(), place);
  return isin(elements, value, assume_unique, invert);
}

inline Tensor isin(const Scalar& element, const Tensor& test_elements, bool assume_unique = false,
                   bool invert = false) {
  const auto place = test_elements._PD_GetInner().place();
  const Tensor value = paddle::experimental::full({}, element, element.dtype(), place);
  return isin(value, test_elements, assume_unique, invert);
}

inline Tensor rot90(const Tensor& self, int64_t k = 1, IntArrayRef dims = {0, 1}) {
  return self.rot90(k, dims);
}

// Matrices along the diagonal of a larger one.
inline Tensor block_diag(ArrayRef<Tensor> tensors) {
  int64_t rows = 0, columns = 0;
  auto type = tensors.empty() ? c10::get_default_dtype() : tensors[0].scalar_type();
  ::std::vector<Tensor> blocks;
  for (const Tensor& t : tensors) {
    TORCH_CHECK(t.dim() <= 2, "block_diag: tensors of at most 2 dimensions");
    blocks.push_back(t.dim() == 2 ? t : t.reshape({1, t.numel()}));
    rows += blocks.back().size(0);
    columns += blocks.back().size(1);
    type = c10::promoteTypes(type, t.scalar_type());
  }
  if (tensors.empty()) return paddle::experimental::empty({1, 0});
  const Tensor all = tensors[0].toType(type).new_zeros({rows, columns});
  rows = columns = 0;
  for (const Tensor& t : blocks) {
    all.narrow(0, rows, t.size(0)).narrow(1, columns, t.size(1)).copy_(t);
    rows += t.size(0);
    columns += t.size(1);
  }
  return all;
}

inline Tensor cartesian_prod(ArrayRef<Tensor> tensors) {
  int64_t count = 1, inner = 1;
  for (const Tensor& t : tensors) {
    TORCH_CHECK(t.dim() == 1, "cartesian_prod: expected vectors");
    inner *= t.numel();
  }
  if (tensors.size() == 1) return tensors[0];
  ::std::vector<Tensor> columns;
  for (const Tensor& t : tensors) {
    inner /= ::std::max<int64_t>(t.numel(), 1);
    columns.push_back(t.view({1, -1, 1}).expand({count, t.numel(), inner}).reshape({-1, 1}));
    count *= t.numel();
  }
  return compat_detail::joined(columns, 1);
}

// Every choice of r elements, in order.
inline Tensor combinations(const Tensor& self, int64_t r = 2, bool with_replacement = false) {
  TORCH_CHECK(self.dim() == 1 && r >= 0, "combinations: expected a vector and r >= 0");
  if (r == 0) return self.new_empty({0});
  ::std::vector<int64_t> chosen, places;
  const int64_t size = self.numel();
  const auto choose = [&](const auto& next, int64_t from) -> void {
    if (int64_t(chosen.size()) == r) places.insert(places.end(), chosen.begin(), chosen.end());
    for (int64_t i = from; int64_t(chosen.size()) < r && i < size; ++i) {
      chosen.push_back(i);
      next(next, i + !with_replacement);
      chosen.pop_back();
    }
  };
  choose(choose, 0);
  const Tensor at = paddle::experimental::empty({int64_t(places.size())}, phi::DataType::INT64, phi::CPUPlace());
  ::std::copy(places.begin(), places.end(), at.data_ptr<int64_t>());
  return self.index_select(0, at.to(self.device())).reshape({-1, r});
}

// Sequences of different lengths as one tensor, the shorter ones filled up.
inline Tensor pad_sequence(ArrayRef<Tensor> sequences, bool batch_first = false,
                           double padding_value = 0.0,
                           ::std::string_view padding_side = "right") {
  TORCH_CHECK(!sequences.empty(), "received an empty list of sequences");
  TORCH_CHECK(padding_side == "left" || padding_side == "right", "padding_side: left or right");
  int64_t most = 0;
  for (const Tensor& t : sequences) most = ::std::max(most, t.size(0));
  auto sizes = sequences[0].sizes().vec();
  sizes[0] = most;
  sizes.insert(sizes.begin() + !batch_first, int64_t(sequences.size()));
  const Tensor all = sequences[0].new_full(sizes, padding_value);
  for (size_t i = 0; i < sequences.size(); ++i) {
    const int64_t length = sequences[i].size(0);
    const Tensor row = all.select(!batch_first, i);
    row.narrow(0, padding_side == "left" ? most - length : 0, length).copy_(sequences[i]);
  }
  return all;
}

// Powers of x as columns, the highest first unless they increase.
inline Tensor vander(const Tensor& x, ::std::optional<int64_t> N = ::std::nullopt,
                     bool increasing = false) {
  TORCH_CHECK(x.dim() == 1, "x must be a one-dimensional tensor.");
  const int64_t count = N.value_or(x.numel());
  TORCH_CHECK(count >= 0, "N must be non-negative.");
  ::std::vector<Tensor> columns;
  const bool whole = c10::isIntegralType(x.scalar_type(), true);
  const Tensor base = whole ? x.toType(kLong) : x;
  Tensor power = base.new_ones({x.numel()});
  for (int64_t i = 0; i < count; ++i, power = power.mul(base)) {
    columns.insert(increasing ? columns.end() : columns.begin(), power.unsqueeze(1));
  }
  return count ? compat_detail::joined(columns, 1) : base.new_empty({x.numel(), 0});
}

}  // namespace at
