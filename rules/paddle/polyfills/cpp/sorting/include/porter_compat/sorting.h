// Sorting, searching and unique elements over Paddle's kernels.
#pragma once

#include <porter_compat/recorded.h>
#include <porter_compat/kernels.h>
#include <porter_compat/reduce.h>

namespace at::compat_detail {

// The values in order, NaN last (first if descending), and where they were; stable.
inline std::tuple<paddle::Tensor, paddle::Tensor> sorted(const paddle::Tensor& x, int64_t dim,
                                                         bool descending) {
  const auto axis = static_cast<int>(wrapped(dim, x.dims().size()));
  if (x.dims().size() == 0) return alone(x);
  auto [values, order] = paddle::recorded::argsort(widened(x), axis, descending, true);
  return {laid_out_as(x, as(values, x.dtype())), laid_out_as(x, order)};
}

inline std::tuple<paddle::Tensor, paddle::Tensor> top(const paddle::Tensor& x, int64_t k,
                                                      int64_t dim, bool largest) {
  const int64_t rank = x.dims().size(), axis = wrapped(dim, rank);
  TORCH_CHECK(x.dtype() != phi::DataType::BOOL, "topk is not implemented for Bool");
  TORCH_CHECK(k >= 0 && k <= (rank ? x.dims()[axis] : 1), "selected index k out of range");
  if (rank == 0 && k == 1) return alone(x);
  auto [values, order] = sorted(x, axis, largest);
  const auto first = [&](const paddle::Tensor& all) {
    return contiguous(paddle::recorded::slice(all, {axis}, {0}, {k}, {1}, {}));
  };
  return {first(values), first(order)};
}

inline std::tuple<paddle::Tensor, paddle::Tensor> kth(const paddle::Tensor& x, int64_t k,
                                                      int64_t dim, bool keepdim) {
  const int64_t rank = x.dims().size(), axis = wrapped(dim, rank);
  TORCH_CHECK(x.dtype() != phi::DataType::BOOL || rank == 0,
              "kthvalue is not implemented for Bool");
  TORCH_CHECK(k >= 1 && k <= (rank ? x.dims()[axis] : 1), "selected number k out of range");
  if (rank == 0) return alone(x);
  auto [values, order] = sorted(x, axis, false);
  const auto at = [&](const paddle::Tensor& all) {
    return contiguous(paddle::recorded::slice(
        all, {axis}, {k - 1}, {k}, {1}, keepdim ? std::vector<int64_t>() : std::vector{axis}));
  };
  return {at(values), at(order)};
}

// Where values would go in a sorted sequence, or in each of its rows.
inline paddle::Tensor search(const paddle::Tensor& sequence, const paddle::Tensor& values,
                             bool int32, bool right) {
  TORCH_CHECK(values.dtype() != phi::DataType::BOOL || values.numel() == 0,
              "searchsorted is not implemented for Bool");
  const auto shape = values.shape();
  auto rows = widened(sequence), wanted = widened(values);
  if (shape.empty()) wanted = reshaped(wanted, {1});
  auto found = paddle::experimental::searchsorted(rows, wanted, int32, right);
  return shape.empty() ? reshaped(found, shape) : found;
}

using ThreeTensors = std::tuple<paddle::Tensor, paddle::Tensor, paddle::Tensor>;

inline paddle::Tensor no_indices(const paddle::Tensor& x) {
  return paddle::experimental::empty({0}, phi::DataType::INT64, x.place());
}

// Unique elements in order, or runs of equal ones: one of each, where every element went, counts.
inline ThreeTensors unique_of(const paddle::Tensor& x, bool runs, bool rows = false) {
  if (x.numel() == 0) {
    const auto places = paddle::experimental::empty(x.shape(), phi::DataType::INT64, x.place());
    const auto same = rows ? copied(x, like_strides(x)) : reshaped(x, {0});
    return {same, rows ? no_indices(x) : places, no_indices(x)};
  }
  const auto wide = widened(x.dims().size() == 0 ? reshaped(x, {1}) : x);
  const std::vector<int> axes(rows ? 1 : 0, 0);
  ThreeTensors found;
  auto& [values, places, counts] = found;
  if (runs) {
    found = paddle::experimental::unique_consecutive(wide, true, true, axes, phi::DataType::INT64);
  } else {
    paddle::Tensor first;
    std::tie(values, first, places, counts) =
        paddle::experimental::unique(wide, true, true, true, axes, phi::DataType::INT64);
  }
  return {as(values, x.dtype()), rows ? places : reshaped(places, x.shape()), counts};
}

// The same of the slices along a dimension.
inline ThreeTensors unique_slices(const paddle::Tensor& x, int64_t dim, bool runs) {
  const int64_t rank = x.dims().size(), axis = wrapped(dim, rank);
  Sizes order = {axis}, back;
  for (int64_t i = 0; i < rank; ++i) {
    if (i != axis) order.push_back(i);
    back.push_back(i < axis ? i + 1 : i == axis ? 0 : i);
  }
  if (rank == 0) return unique_of(x, runs);
  const auto front = permuted(x, order);
  auto shape = front.shape();
  TORCH_CHECK(x.numel() > 0 || (shape[0] == 0 && std::count(shape.begin(), shape.end(), 0) == 1),
              "There are elements of size zero: unique cannot be applied to the slices");
  if (x.numel() == 0) return unique_of(x, runs, true);
  auto [values, places, counts] = unique_of(reshaped(front, {shape[0], -1}), runs, true);
  shape[0] = values.dims()[0];
  return {permuted(reshaped(values, shape), back), places, counts};
}

// How often each number from 0 on occurs, or the sum of its weights.
inline paddle::Tensor counted(const paddle::Tensor& x, const paddle::Tensor* weights,
                              int64_t length) {
  TORCH_CHECK(x.dims().size() == 1 && is_integer(x.dtype()) && x.dtype() != phi::DataType::BOOL,
              "bincount only supports 1-d non-negative integral inputs");
  TORCH_CHECK(length >= 0, "minlength should be >= 0");
  TORCH_CHECK(!weights || weights->numel() == x.numel(), "weights should have the input's length");
  const bool single = weights && weights->dtype() == phi::DataType::FLOAT32;
  const auto type = !weights ? phi::DataType::INT64
                             : single ? phi::DataType::FLOAT32 : phi::DataType::FLOAT64;
  if (x.numel() == 0) {
    return paddle::experimental::full({length}, 0, phi::DataType::INT64, x.place());
  }
  paddle::optional<paddle::Tensor> given;
  if (weights) given = as(*weights, type);
  return as(paddle::experimental::bincount(widened(x), given, length), type);
}

// The places of what is not zero, one a row.
inline paddle::Tensor nonzero_of(const paddle::Tensor& x) {
  auto truth = as(x, phi::DataType::BOOL);
  if (x.dims().size() > 0) {  // torch's is stored by columns
    return permuted(contiguous(permuted(paddle::experimental::nonzero(truth), {1, 0})), {1, 0});
  }
  const auto rows = paddle::experimental::nonzero(reshaped(truth, {1}));
  return paddle::experimental::empty({rows.dims()[0], 0}, phi::DataType::INT64, x.place());
}

}  // namespace at::compat_detail
