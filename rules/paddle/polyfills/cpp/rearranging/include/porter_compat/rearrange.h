// Reordering, repeating and index tensors over Paddle's kernels.
#pragma once

#include <porter_compat/recorded.h>
#include <porter_compat/kernels.h>
#include <porter_compat/scatter.h>

namespace at::compat_detail {

inline paddle::Tensor flipped(const paddle::Tensor& x, ArrayRef<int64_t> dims) {
  std::vector<int> axes;
  if (!dims.empty()) {
    for (int64_t axis : axes_of(dims, x.dims().size())) axes.push_back(static_cast<int>(axis));
  }
  const bool moves = !axes.empty() && x.numel() > 0;
  auto wide = widened(x);
  return laid_out_as(x, as(moves ? paddle::recorded::flip(wide, axes)
                                 : paddle::recorded::assign(wide), x.dtype()));
}

// Without dims, the flattened tensor is rolled.
inline paddle::Tensor rolled(const paddle::Tensor& x, ArrayRef<int64_t> shifts,
                             ArrayRef<int64_t> dims) {
  TORCH_CHECK(!shifts.empty(), "`shifts` required");
  if (dims.empty() && shifts.size() == 1) {
    return reshaped(rolled(reshaped(x, {-1}), shifts, {0}), x.shape());
  }
  TORCH_CHECK(shifts.size() == dims.size(), "shifts and dimensions must align");
  if (x.numel() == 0) return paddle::recorded::assign(x);
  std::vector<int64_t> axes;
  for (int64_t dim : dims) axes.push_back(wrapped(dim, x.dims().size()));
  return as(paddle::recorded::roll(widened(x), shifts.vec(), axes), x.dtype());
}

// Of neighbours along an axis, n times over; whether they differ for bool.
inline paddle::Tensor differences(const paddle::Tensor& x, int64_t n, int64_t dim) {
  TORCH_CHECK(x.dims().size() > 0, "diff expects input to be at least one-dimensional");
  TORCH_CHECK(n >= 0, "order must be non-negative");
  const int64_t axis = wrapped(dim, x.dims().size()), size = x.dims()[axis];
  auto result = x;
  for (int64_t left = std::min(n, size); left > 0; --left) {
    auto sizes = result.shape();
    --sizes[axis];
    const auto strides = strides_of(result);
    auto before = widened(recorded_view(result, sizes, strides));
    auto after = widened(recorded_view(result, sizes, strides, strides[axis]));
    auto steps = x.dtype() == phi::DataType::BOOL ? paddle::experimental::not_equal(after, before)
                                                  : paddle::recorded::subtract(after, before);
    result = laid_out_as(view(result, sizes, strides), as(steps, x.dtype()));
  }
  return result.impl() == x.impl() ? copied(x, like_strides(x)) : result;
}

// Each number from 0 on as often as its count says.
inline paddle::Tensor repeated(const paddle::Tensor& counts) {
  TORCH_CHECK(counts.dims().size() == 1, "repeat_interleave: repeats must be 0-dim or 1-dim");
  auto number = paddle::experimental::cumsum(
      paddle::experimental::full_like(counts, 1, phi::DataType::INT64), 0);
  auto index = paddle::recorded::subtract(number, filled({}, 1, number));
  const auto times = indices(counts);
  const auto total = paddle::experimental::sum(times).copy_to(phi::CPUPlace(), true);
  if (counts.numel() == 0 || *total.data<int64_t>() == 0) {
    return paddle::experimental::empty({0}, counts.dtype(), counts.place());
  }
  return as(paddle::recorded::repeat_interleave_with_tensor_index(index, times, 0, -1),
            counts.dtype());
}

// Slices along an axis, each as often as its count says; of the flattened tensor without one.
inline paddle::Tensor interleaved(const paddle::Tensor& self, const paddle::Tensor& counts,
                                  std::optional<int64_t> dim) {
  const auto x = at_least_1d(dim.has_value() ? self : reshaped(self, {-1}));
  const auto axis = wrapped(dim.value_or(0), x.dims().size());
  const auto size = x.dims()[axis];
  const auto times = counts.numel() == 1 ? contiguous(expanded(reshaped(counts, {1}), {size}))
                                         : counts;
  TORCH_CHECK(times.dims().size() == 1 && times.numel() == size,
              "repeats must have the same size as input along dim");
  return rows_of(x, axis, repeated(times));
}

// The rows and columns below or above a diagonal of a matrix.
template <class Test>
paddle::Tensor triangle(int64_t rows, int64_t columns, Test test) {
  TORCH_CHECK(rows >= 0 && columns >= 0, "the numbers of rows and columns must be non-negative");
  std::vector<int64_t> row, column;
  for (int64_t i = 0; i < rows; ++i) {
    for (int64_t j = 0; j < columns; ++j) {
      if (!test(j - i)) continue;
      row.push_back(i);
      column.push_back(j);
    }
  }
  auto found = paddle::experimental::empty({2, int64_t(row.size())}, phi::DataType::INT64,
                                           phi::CPUPlace());
  std::copy(column.begin(), column.end(),
            std::copy(row.begin(), row.end(), found.data<int64_t>()));
  return found;
}

inline paddle::Tensor with_options(const paddle::Tensor& x, const TensorOptions& options) {
  const auto type = options.dtype_opt().value_or(ScalarType::Long);
  const auto device = options.device_opt();
  const auto result = as(x, type);
  return device ? result.copy_to(device->_PD_GetInner(), true) : result;
}

// The grid in the order of the tensors.
inline std::vector<paddle::Tensor> grid_of(const std::vector<paddle::Tensor>& tensors) {
  std::vector<paddle::Tensor> grids;
  Sizes shape;
  for (const auto& tensor : tensors) {
    TORCH_CHECK(tensor.dims().size() <= 1, "meshgrid: Expected 0D or 1D tensors");
    TORCH_CHECK(tensor.dtype() == tensors[0].dtype(), "meshgrid expects tensors of one dtype");
    shape.push_back(tensor.numel());
  }
  for (size_t i = 0; i < tensors.size(); ++i) {
    Sizes along(shape.size(), 1);
    along[i] = shape[i];
    grids.push_back(expanded(reshaped(tensors[i], along), shape));
  }
  return grids;
}

}  // namespace at::compat_detail
