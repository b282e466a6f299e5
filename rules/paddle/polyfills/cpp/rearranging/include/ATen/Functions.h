#pragma once

#include <ATen/core/Tensor.h>
#include <porter_compat/promotion.h>
#include <porter_compat/rearrange.h>
#include <porter_compat/scatter.h>

#include <string_view>

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

}  // namespace at
