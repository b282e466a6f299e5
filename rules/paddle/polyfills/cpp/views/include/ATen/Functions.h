#pragma once
#include <ATen/core/Tensor.h>
#include <ATen/ops/cat.h>
#include <porter_compat/joined.h>

namespace at {

inline Tensor as_strided(const Tensor& self, IntArrayRef size, IntArrayRef stride,
                         ::std::optional<int64_t> storage_offset = ::std::nullopt) {
  return self.as_strided(size, stride, storage_offset);
}

inline Tensor select(const Tensor& self, int64_t dim, int64_t index) {
  return self.select(dim, index);
}

inline Tensor slice(const Tensor& self, int64_t dim = 0,
                    ::std::optional<int64_t> start = ::std::nullopt, ::std::optional<int64_t> end = ::std::nullopt, int64_t step = 1) {
  return self.slice(dim, start, end, step);
}

inline Tensor narrow(const Tensor& self, int64_t dim, int64_t start, int64_t length) {
  return self.narrow(dim, start, length);
}

inline Tensor narrow(const Tensor& self, int64_t dim, const Tensor& start, int64_t length) {
  return self.narrow(dim, start, length);
}

inline ::std::vector<Tensor> split_with_sizes(const Tensor& self, IntArrayRef split_sizes,
                                              int64_t dim = 0) {
  return self.split_with_sizes(split_sizes, dim);
}

inline ::std::vector<Tensor> split(const Tensor& self, int64_t split_size, int64_t dim = 0) {
  return self.split(split_size, dim);
}

inline ::std::vector<Tensor> split(const Tensor& self, IntArrayRef split_size, int64_t dim = 0) {
  return self.split(split_size, dim);
}

inline ::std::vector<Tensor> chunk(const Tensor& self, int64_t chunks, int64_t dim = 0) {
  return self.chunk(chunks, dim);
}

inline ::std::vector<Tensor> tensor_split(const Tensor& self, IntArrayRef indices,
                                          int64_t dim = 0) {
  return self.tensor_split(indices, dim);
}

inline ::std::vector<Tensor> tensor_split(const Tensor& self, int64_t sections, int64_t dim = 0) {
  return self.tensor_split(sections, dim);
}

inline ::std::vector<Tensor> unbind(const Tensor& self, int64_t dim = 0) {
  return self.unbind(dim);
}

inline Tensor transpose(const Tensor& self, int64_t dim0, int64_t dim1) {
  return self.transpose(dim0, dim1);
}

inline Tensor swapaxes(const Tensor& self, int64_t axis0, int64_t axis1) {
  return self.swapaxes(axis0, axis1);
}

inline Tensor swapdims(const Tensor& self, int64_t dim0, int64_t dim1) {
  return self.swapdims(dim0, dim1);
}

inline Tensor t(const Tensor& self) {
  return self.t();
}

inline Tensor permute(const Tensor& self, IntArrayRef dims) {
  return self.permute(dims);
}

inline Tensor movedim(const Tensor& self, IntArrayRef source, IntArrayRef destination) {
  return self.movedim(source, destination);
}

inline Tensor movedim(const Tensor& self, int64_t source, int64_t destination) {
  return self.movedim(source, destination);
}

inline Tensor moveaxis(const Tensor& self, int64_t source, int64_t destination) {
  return self.moveaxis(source, destination);
}

inline Tensor broadcast_to(const Tensor& self, IntArrayRef size) {
  return self.broadcast_to(size);
}

inline Tensor ravel(const Tensor& self) {
  return self.ravel();
}

inline Tensor flatten(const Tensor& self, int64_t start_dim = 0, int64_t end_dim = -1) {
  return self.flatten(start_dim, end_dim);
}

inline Tensor unflatten(const Tensor& self, int64_t dim, IntArrayRef sizes) {
  return self.unflatten(dim, sizes);
}

inline Tensor squeeze(const Tensor& self, IntArrayRef dim) {
  return self.squeeze(dim);
}

inline Tensor squeeze(const Tensor& self, int64_t dim) {
  return self.squeeze(dim);
}

inline Tensor squeeze(const Tensor& self) {
  return self.squeeze();
}

inline Tensor unsqueeze(const Tensor& self, int64_t dim) {
  return self.unsqueeze(dim);
}

inline Tensor diagonal(const Tensor& self, int64_t offset = 0, int64_t dim1 = 0, int64_t dim2 = 1) {
  return self.diagonal(offset, dim1, dim2);
}

inline Tensor tile(const Tensor& self, IntArrayRef dims) {
  return self.tile(dims);
}

inline Tensor alias(const Tensor& self) {
  return self.alias();
}

inline Tensor detach(const Tensor& self) {
  return self.detach();
}

inline Tensor atleast_1d(const Tensor& self) { return self.dim() == 0 ? self.reshape({1}) : self; }

inline Tensor atleast_2d(const Tensor& self) {
  return self.dim() < 2 ? atleast_1d(self).unsqueeze(0) : self;
}

inline Tensor stack(ArrayRef<Tensor> tensors, int64_t dim = 0) {
  ::std::vector<Tensor> rows;
  for (const Tensor& t : tensors) {
    compat_detail::check(t.sizes() == tensors[0].sizes(), "stack expects tensors of equal size");
    rows.push_back(t.unsqueeze(dim));
  }
  return compat_detail::joined(rows, dim);
}

inline Tensor concat(ArrayRef<Tensor> tensors, int64_t dim = 0) {
  return compat_detail::joined(tensors, dim);
}

inline Tensor concatenate(ArrayRef<Tensor> tensors, int64_t dim = 0) {
  return compat_detail::joined(tensors, dim);
}

inline Tensor hstack(ArrayRef<Tensor> tensors) {
  ::std::vector<Tensor> rows;
  for (const Tensor& t : tensors) rows.push_back(atleast_1d(t));
  return compat_detail::joined(rows, !rows.empty() && rows[0].dim() > 1);
}

inline Tensor vstack(ArrayRef<Tensor> tensors) {
  ::std::vector<Tensor> rows;
  for (const Tensor& t : tensors) rows.push_back(atleast_2d(t));
  return compat_detail::joined(rows, 0);
}

inline Tensor adjoint(const Tensor& self) { return self.adjoint(); }

inline ::std::vector<Tensor> unsafe_split(const Tensor& self, int64_t split_size, int64_t dim = 0) {
  return self.split(split_size, dim);
}

inline ::std::vector<Tensor> unsafe_split_with_sizes(
    const Tensor& self, IntArrayRef split_sizes, int64_t dim = 0) {
  return self.split_with_sizes(split_sizes, dim);
}

inline ::std::vector<Tensor> unsafe_chunk(const Tensor& self, int64_t chunks, int64_t dim = 0) {
  return self.chunk(chunks, dim);
}

inline ::std::vector<Tensor> hsplit(const Tensor& self, int64_t sections) {
  return self.hsplit(sections);
}

inline ::std::vector<Tensor> hsplit(const Tensor& self, IntArrayRef indices) {
  return self.hsplit(indices);
}

inline ::std::vector<Tensor> vsplit(const Tensor& self, int64_t sections) {
  return self.vsplit(sections);
}

inline ::std::vector<Tensor> vsplit(const Tensor& self, IntArrayRef indices) {
  return self.vsplit(indices);
}

inline ::std::vector<Tensor> dsplit(const Tensor& self, int64_t sections) {
  return self.dsplit(sections);
}

inline ::std::vector<Tensor> dsplit(const Tensor& self, IntArrayRef indices) {
  return self.dsplit(indices);
}

inline Tensor select_scatter(const Tensor& self, const Tensor& src, int64_t dim, int64_t index) {
  return self.select_scatter(src, dim, index);
}

inline Tensor slice_scatter(const Tensor& self, const Tensor& src, int64_t dim = 0,
                            ::std::optional<int64_t> start = ::std::nullopt,
                            ::std::optional<int64_t> end = ::std::nullopt, int64_t step = 1) {
  return self.slice_scatter(src, dim, start, end, step);
}

inline Tensor diagonal_scatter(const Tensor& self, const Tensor& src, int64_t offset = 0,
                               int64_t dim1 = 0, int64_t dim2 = 1) {
  return self.diagonal_scatter(src, offset, dim1, dim2);
}

inline Tensor as_strided_scatter(const Tensor& self, const Tensor& src, IntArrayRef size,
                                 IntArrayRef stride,
                                 ::std::optional<int64_t> storage_offset = ::std::nullopt) {
  return self.as_strided_scatter(src, size, stride, storage_offset);
}

inline Tensor select_backward(const Tensor& grad_output, IntArrayRef input_sizes, int64_t dim,
                              int64_t index) {
  const Tensor all = grad_output.new_zeros(input_sizes);
  return all._PD_with(all.select(dim, index), grad_output);
}

inline Tensor slice_backward(const Tensor& grad_output, IntArrayRef input_sizes, int64_t dim,
                             int64_t start, int64_t end, int64_t step) {
  const Tensor all = grad_output.new_zeros(input_sizes);
  return all._PD_with(all.slice(dim, start, end, step), grad_output);
}

inline Tensor diagonal_backward(const Tensor& grad_output, IntArrayRef input_sizes, int64_t offset,
                                int64_t dim1, int64_t dim2) {
  const Tensor all = grad_output.new_zeros(input_sizes);
  return all._PD_with(all.diagonal(offset, dim1, dim2), grad_output);
}

inline const Tensor& as_strided_(const Tensor& self, IntArrayRef size, IntArrayRef stride,
                                 ::std::optional<int64_t> storage_offset = ::std::nullopt) {
  return self.as_strided_(size, stride, storage_offset);
}

inline Tensor atleast_3d(const Tensor& self) {
  return self.dim() == 2 ? self.unsqueeze(-1) : self.dim() < 2 ? atleast_2d(self).unsqueeze(-1) : self;
}

inline Tensor row_stack(ArrayRef<Tensor> tensors) { return vstack(tensors); }

inline Tensor column_stack(ArrayRef<Tensor> tensors) {
  ::std::vector<Tensor> columns;
  for (const Tensor& t : tensors) {
    columns.push_back(t.dim() < 2 ? t.reshape({t.numel(), 1}) : t);
  }
  return compat_detail::joined(columns, 1);
}

inline Tensor dstack(ArrayRef<Tensor> tensors) {
  ::std::vector<Tensor> layers;
  for (const Tensor& t : tensors) layers.push_back(atleast_3d(t));
  return compat_detail::joined(layers, 2);
}

inline ::std::vector<int64_t> infer_size(IntArrayRef a, IntArrayRef b) {
  ::std::vector<int64_t> result(std::max(a.size(), b.size()), 1);
  for (auto sizes : {a, b}) {
    for (size_t i = 1; i <= sizes.size(); ++i) {
      int64_t size = sizes[sizes.size() - i], &own = result[result.size() - i];
      compat_detail::check(own == size || own == 1 || size == 1, "the sizes do not broadcast");
      if (size != 1) own = size;
    }
  }
  return result;
}

inline ::std::vector<Tensor> broadcast_tensors(ArrayRef<Tensor> tensors) {
  ::std::vector<int64_t> sizes;
  for (const Tensor& t : tensors) sizes = infer_size(sizes, t.sizes());
  ::std::vector<Tensor> result;
  for (const Tensor& t : tensors) result.push_back(t.expand(sizes));
  return result;
}

inline Tensor moveaxis(const Tensor& self, IntArrayRef source, IntArrayRef destination) {
  return self.moveaxis(source, destination);
}

inline ::std::vector<Tensor> tensor_split(
    const Tensor& self, const Tensor& tensor_indices_or_sections, int64_t dim = 0) {
  return self.tensor_split(tensor_indices_or_sections, dim);
}

inline ::std::vector<Tensor> atleast_1d(ArrayRef<Tensor> tensors) {
  ::std::vector<Tensor> result;
  for (const Tensor& t : tensors) result.push_back(atleast_1d(t));
  return result;
}

inline ::std::vector<Tensor> atleast_2d(ArrayRef<Tensor> tensors) {
  ::std::vector<Tensor> result;
  for (const Tensor& t : tensors) result.push_back(atleast_2d(t));
  return result;
}

inline ::std::vector<Tensor> atleast_3d(ArrayRef<Tensor> tensors) {
  ::std::vector<Tensor> result;
  for (const Tensor& t : tensors) result.push_back(atleast_3d(t));
  return result;
}

}  // namespace at

namespace torch {
using at::transpose;
}  // namespace torch
