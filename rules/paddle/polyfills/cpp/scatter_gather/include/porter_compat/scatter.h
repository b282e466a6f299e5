// Reading and writing at indices over Paddle's kernels.
#pragma once

#include <porter_compat/recorded.h>
#include <porter_compat/kernels.h>

#include <cmath>
#include <string_view>

namespace at::compat_detail {

// Indices as int64. Paddle counts negative ones from the end: refused where that needs no wait.
inline paddle::Tensor indices(const paddle::Tensor& index) {
  const auto type = index.dtype();
  check(type == phi::DataType::INT64 || type == phi::DataType::INT32,
        "expected an index of dtype int64 or int32");
  if (phi::is_cpu_place(index.place()) && index.numel() > 0) {
    const auto least = as(paddle::experimental::min(index), phi::DataType::INT64);
    check(*least.data<int64_t>() >= 0, "index is out of bounds: it is negative");
  }
  return as(index, phi::DataType::INT64);
}

// With one axis, if it has none.
inline paddle::Tensor at_least_1d(const paddle::Tensor& x) {
  return x.dims().size() > 0 ? x : reshaped(x, {1});
}

// Whether an index, and what goes there, fit a tensor outside of an axis.
inline void check_fits(const paddle::Tensor& x, int64_t axis, const paddle::Tensor& index,
                        bool within) {
  check(x.dims().size() == index.dims().size(),
        "Index tensor must have the same number of dimensions as the other tensor");
  for (int64_t i = 0; i < index.dims().size(); ++i) {
    check(index.dims()[i] <= x.dims()[i] || (within && i == axis),
    "size of the index is larger than that of the other tensor");
  }
}

inline paddle::Tensor gathered_along(const paddle::Tensor& self, int64_t dim,
                               const paddle::Tensor& index) {
  const auto axis = wrapped(dim, self.dims().size());
  const auto x = at_least_1d(self), at = at_least_1d(indices(index));
  if (index.numel() == 0) {
    return paddle::experimental::empty(index.shape(), self.dtype(), self.place());
  }
  check_fits(x, axis, at, true);
  auto found = paddle::recorded::take_along_axis(widened(x), at, static_cast<int>(axis));
  return as(reshaped(found, index.shape()), self.dtype());
}

// Writes to the places of an index, in place. `how`: assign, add, mul, mean, amax or amin.
inline void scatter_into(const paddle::Tensor& self, int64_t dim, const paddle::Tensor& index,
                         const paddle::Tensor& values, const std::string& how,
                         bool include_self = true) {
  const auto axis = wrapped(dim, self.dims().size());
  check(values.dtype() == self.dtype(), "scatter: expected self.dtype to be that of src");
  check(how != "mean" || self.dtype() != phi::DataType::BOOL, "no mean of Bool");
  const auto at = at_least_1d(indices(index));
  if (index.numel() == 0) return;
  check_fits(at_least_1d(self), axis, at, true);
  auto from = at_least_1d(values);
  check_fits(from, axis, at, false);
  for (int64_t i = 0; i < at.dims().size(); ++i) {
    if (from.dims()[i] == at.dims()[i]) continue;
    from = paddle::recorded::slice(from, {i}, {0}, {at.dims()[i]}, {1}, {});
  }
  auto to = at_least_1d(widened(self));
  if (is_recorded_write(self, values)) {
    const auto result = paddle::recorded::put_along_axis(
        paddle::recorded::assign(to), at, widened(from), static_cast<int>(axis), how, include_self);
    return copy_into(self, reshaped(result, self.shape()));
  }
  paddle::experimental::put_along_axis_(to, at, widened(from), static_cast<int>(axis), how,
                                        include_self);
  note_write(self);
  if (to.impl() != self.impl()) copy_into(self, reshaped(to, self.shape()));
}

// The name of a reduction in Paddle.
inline std::string reduction(std::string_view name) {
  for (auto [torch, paddle] : {std::pair<std::string_view, const char*>{"sum", "add"},
                               {"add", "add"}, {"prod", "mul"}, {"multiply", "mul"},
                               {"mean", "mean"}, {"amax", "amax"}, {"amin", "amin"},
                               {"max", "amax"}, {"min", "amin"}}) {
    if (name == torch) return paddle;
  }
  check(false, "reduce argument must be one of sum, prod, mean, amax, amin");
  return "";
}

// Refuses a number that an integer type or half does not hold.
inline void check_holds(phi::DataType type, const Scalar& value) {
  const bool half = type == phi::DataType::FLOAT16;
  if (type == phi::DataType::BOOL || !(half || is_integer(type))) return;
  const int bits = 8 * static_cast<int>(phi::SizeOf(type)) - (type != phi::DataType::UINT8);
  const double number = value.to<double>(), limit = half ? 65505 : std::ldexp(1.0, bits);
  if (half && !std::isfinite(number)) return;
  check(number >= -limit && number < limit, "value cannot be converted without overflow");
}

// A number as a tensor of a shape, of the dtype of another.
inline paddle::Tensor filled(const std::vector<int64_t>& shape, const Scalar& value,
                             const paddle::Tensor& like) {
  check_holds(like.dtype(), value);
  return paddle::experimental::full(shape, value, like.dtype(), like.place());
}

// An index of one axis for every element of a shape.
inline paddle::Tensor spread(const paddle::Tensor& index, int64_t axis,
                             const std::vector<int64_t>& shape) {
  std::vector<int64_t> along(shape.size(), 1);
  along[axis] = index.numel();
  return expanded(reshaped(index, along), shape);
}

inline paddle::Tensor rows_of(const paddle::Tensor& self, int64_t dim,
                              const paddle::Tensor& index) {
  const auto axis = wrapped(dim, self.dims().size());
  check(index.dims().size() <= 1, "index_select(): Index is supposed to be a vector");
  const auto at = at_least_1d(indices(index));
  if (self.dims().size() == 0) {
    check(at.numel() == 1, "index_select(): Index to scalar can have only 1 value");
    return paddle::recorded::assign(self);
  }
  auto x = widened(self);
  return as(paddle::recorded::index_select(x, at, static_cast<int>(axis)), self.dtype());
}

// The elements that an index of any shape names in the flattened tensor.
inline paddle::Tensor taken(const paddle::Tensor& x, const paddle::Tensor& index) {
  auto flat = reshaped(widened(x), {-1});
  auto at = reshaped(index, {-1});
  return as(reshaped(paddle::recorded::index_select(flat, at, 0),
                                          index.shape()),
            x.dtype());
}

// The shape that two broadcast to.
inline std::vector<int64_t> broadcast_shape(std::vector<int64_t> a, std::vector<int64_t> b) {
  if (a.size() < b.size()) std::swap(a, b);
  for (size_t i = 1; i <= b.size(); ++i) {
    auto& one = a[a.size() - i];
    const auto other = b[b.size() - i];
    check(one == other || one == 1 || other == 1, "the sizes do not broadcast");
    if (one == 1) one = other;
  }
  return a;
}

// Fills where a mask is true, in place.
inline void fill_where(const paddle::Tensor& self, const paddle::Tensor& mask,
                       const paddle::Tensor& value) {
  check(mask.dtype() == phi::DataType::BOOL, "masked_fill only supports boolean masks");
  check(value.dims().size() == 0, "masked_fill only supports a 0-dimensional value tensor");
  check(broadcast_shape(mask.shape(), self.shape()) == self.shape(),
        "masked_fill: the mask does not broadcast to the tensor");
  if (self.numel() > 0 && is_recorded_write(self, value)) {
    const auto filling = expanded(as(value, self.dtype()), self.shape());
    return copy_into(self, paddle::recorded::where(expanded(mask, self.shape()), filling, self));
  }
  paddle::Tensor to = self;
  if (self.numel() > 0) {
    paddle::experimental::masked_fill_(to, expanded(mask, self.shape()), as(value, self.dtype()));
    note_write(self);
  }
}

inline paddle::Tensor masked(const paddle::Tensor& x, const paddle::Tensor& mask) {
  check(mask.dtype() == phi::DataType::BOOL, "masked_select: expected a boolean mask");
  const auto shape = broadcast_shape(x.shape(), mask.shape());
  return paddle::recorded::masked_select(at_least_1d(expanded(x, shape)),
                                             at_least_1d(expanded(mask, shape)));
}

// The tensor with the elements of another, in order, where a mask is true.
inline paddle::Tensor masked_from(const paddle::Tensor& x, const paddle::Tensor& mask,
                                  const paddle::Tensor& source) {
  check(mask.dtype() == phi::DataType::BOOL, "masked_scatter: expected a boolean mask");
  check(x.dtype() == source.dtype(), "masked_scatter: expected self and source of one dtype");
  const auto shape = broadcast_shape(x.shape(), mask.shape());
  auto chosen = expanded(mask, shape);
  auto flat = reshaped(as(chosen, phi::DataType::INT64), {-1});
  if (flat.numel() == 0) return expanded(x, shape);
  auto place = paddle::experimental::cumsum(flat, 0);
  const auto count = as(paddle::experimental::max(place), phi::DataType::INT64);
  check(count.copy_to(phi::CPUPlace(), true).data<int64_t>()[0] <= source.numel(),
        "masked_scatter: the source has fewer elements than the mask has ones");
  if (source.numel() == 0) return expanded(x, shape);
  auto at = paddle::recorded::clip(paddle::recorded::subtract(
                place, paddle::experimental::full_like(place, 1)), 0, source.numel() - 1);
  auto values = reshaped(taken(source, at), shape);
  return as(paddle::recorded::where(chosen, widened(values), widened(expanded(x, shape))),
            x.dtype());
}

}  // namespace at::compat_detail
