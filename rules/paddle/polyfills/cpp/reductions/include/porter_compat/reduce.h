// Reductions of Paddle with the result types of torch.
#pragma once

#include <porter_compat/recorded.h>
#include <porter_compat/kernels.h>

#include <cmath>

namespace at::compat_detail {

// The type of a sum or product: int64 of integers, if none is asked for.
inline phi::DataType total_type(std::optional<c10::ScalarType> asked, const paddle::Tensor& x) {
  if (asked.has_value()) return compat::_PD_AtenScalarTypeToPhiDataType(*asked);
  return is_integer(x.dtype()) ? phi::DataType::INT64 : x.dtype();
}

// The type in which a total is added up.
inline phi::DataType summing_type(phi::DataType type) {
  return is_integer(type) ? phi::DataType::INT64 : is_half(type) ? phi::DataType::FLOAT32 : type;
}

inline paddle::Tensor sum_over(const paddle::Tensor& x, const std::vector<int64_t>& axes,
                               bool keepdim, phi::DataType type) {
  const auto wide = summing_type(type);
  return as(paddle::recorded::sum(as(x, wide), axes, wide, keepdim), type);
}

// How many elements go into one of the result.
inline int64_t count_over(const paddle::Tensor& x, const std::vector<int64_t>& axes) {
  int64_t count = 1;
  for (int64_t axis : axes) count *= x.dims()[static_cast<int>(axis)];
  return count;
}

inline paddle::Tensor mean_over(const paddle::Tensor& x, const std::vector<int64_t>& axes,
                                bool keepdim, phi::DataType type) {
  check(!is_integer(type), "mean(): the input dtype must be floating point or complex");
  auto total = sum_over(x, axes, keepdim, summing_type(type));
  auto count = paddle::experimental::full({}, count_over(x, axes), total.dtype(), total.place());
  return as(paddle::recorded::divide(total, count), type);
}

inline paddle::Tensor var_over(const paddle::Tensor& x, const std::vector<int64_t>& axes,
                               double correction, bool keepdim, bool root) {
  check(!is_integer(x.dtype()), "std and var only support floating point and complex dtypes");
  auto wide = widened(x);
  auto off = paddle::recorded::subtract(wide, mean_over(wide, axes, true, wide.dtype()));
  auto total = sum_over(paddle::recorded::multiply(off, off), axes, keepdim, wide.dtype());
  const double count = std::max(0.0, static_cast<double>(count_over(x, axes)) - correction);
  auto result = paddle::recorded::divide(
      total, paddle::experimental::full({}, count, total.dtype(), total.place()));
  return as(root ? paddle::recorded::sqrt(result) : result, x.dtype());
}

// The largest or smallest of some axes.
inline paddle::Tensor extreme_over(const paddle::Tensor& x, const std::vector<int64_t>& axes,
                                   bool keepdim, bool largest) {
  check(count_over(x, axes) > 0, "max and min need at least one element to choose from");
  auto wide = widened(x);
  return as(largest ? paddle::recorded::max(wide, axes, keepdim)
                         : paddle::recorded::min(wide, axes, keepdim),
                 x.dtype());
}

// Where the largest or smallest of an axis is first; a NaN is both.
inline paddle::Tensor extreme_at(const paddle::Tensor& x, int64_t axis, bool keepdim,
                                 bool largest) {
  auto wide = widened(x);
  if (!is_integer(x.dtype())) {
    auto top = extreme_over(wide, axes_of(axis, x.dims().size()), true, largest);
    wide = as(paddle::experimental::logical_or(paddle::experimental::equal(wide, top),
                                                    paddle::experimental::isnan(wide)),
                   phi::DataType::INT32);
    largest = true;
  }
  return largest ? paddle::experimental::argmax(wide, axis, keepdim)
                 : paddle::experimental::argmin(wide, axis, keepdim);
}

// The value at one place of an axis, which `at` has with size 1.
inline paddle::Tensor pick(const paddle::Tensor& x, const paddle::Tensor& at, int64_t axis,
                           bool keepdim) {
  if (x.dims().size() == 0) return paddle::recorded::assign(x);
  auto found = paddle::recorded::take_along_axis(widened(x), at, static_cast<int>(axis));
  return as(keepdim ? found : paddle::recorded::squeeze(found, {axis}), x.dtype());
}

// What a search along an axis gives for a tensor that has none: its value, at 0.
inline std::tuple<paddle::Tensor, paddle::Tensor> alone(const paddle::Tensor& x) {
  return {paddle::recorded::assign(x),
          paddle::experimental::full({}, 0, phi::DataType::INT64, x.place())};
}

// The largest or smallest of an axis, and where it is.
inline std::tuple<paddle::Tensor, paddle::Tensor> extreme(const paddle::Tensor& x, int64_t dim,
                                                          bool keepdim, bool largest) {
  const auto axis = wrapped(dim, x.dims().size());
  if (x.dims().size() == 0) return alone(x);
  check(x.dims()[axis] > 0, "max and min need an axis that is not empty");
  auto at = extreme_at(x, axis, true, largest);
  return {pick(x, at, axis, keepdim), keepdim ? at : paddle::recorded::squeeze(at, {axis})};
}

inline paddle::Tensor without_nan(const paddle::Tensor& x) {
  if (is_integer(x.dtype())) return x;
  auto wide = widened(x);
  auto zero = paddle::experimental::full_like(wide, 0);
  return as(paddle::recorded::where(paddle::experimental::isnan(wide), zero, wide),
                 x.dtype());
}

inline paddle::Tensor product_over(const paddle::Tensor& x, const std::vector<int64_t>& axes,
                                   bool keepdim, phi::DataType type) {
  auto wide = as(x, summing_type(type));
  return as(paddle::recorded::prod(wide, axes, keepdim, axes.empty()), type);
}

inline paddle::Tensor extreme_index(const paddle::Tensor& x, std::optional<int64_t> dim,
                                    bool keepdim, bool largest) {
  check(x.dtype() != phi::DataType::BOOL, "argmax and argmin are not implemented for Bool");
  const int64_t rank = x.dims().size(), axis = wrapped(dim.value_or(0), rank);
  if (dim.has_value() && rank > 0) {
    check(x.dims()[axis] > 0, "argmax and argmin need an axis that is not empty");
    return extreme_at(x, axis, keepdim, largest);
  }
  check(x.numel() > 0, "argmax and argmin need an input that is not empty");
  auto at = extreme_at(reshaped(x, {-1}), 0, false, largest);
  return keepdim ? reshaped(at, std::vector<int64_t>(rank, 1)) : at;
}

// Whether any or all are not zero; uint8 of uint8.
inline paddle::Tensor truth_over(const paddle::Tensor& x, const std::vector<int64_t>& axes,
                                 bool keepdim, bool every) {
  auto truth = paddle::recorded::cast(x, phi::DataType::BOOL);
  if (x.dims().size() > 0) {
    truth = every ? paddle::experimental::all(truth, axes, keepdim)
                  : paddle::experimental::any(truth, axes, keepdim);
  }
  return x.dtype() == phi::DataType::UINT8 ? as(truth, x.dtype()) : truth;
}

inline paddle::Tensor logsumexp_over(const paddle::Tensor& x, const std::vector<int64_t>& axes,
                                     bool keepdim) {
  const auto type = is_integer(x.dtype()) ? phi::DataType::FLOAT32 : x.dtype();
  auto wide = widened(as(x, type));
  const std::vector<int> over(axes.begin(), axes.end());
  return as(paddle::recorded::logsumexp(wide, over, keepdim, over.empty()), type);
}

// The lower of two middle values and where it is; a NaN if there is one, or without the NaNs.
inline std::tuple<paddle::Tensor, paddle::Tensor> middle(const paddle::Tensor& x, int64_t dim,
                                                         bool keepdim, bool skip_nan) {
  const int64_t rank = x.dims().size(), axis = wrapped(dim, rank);
  check(x.dtype() != phi::DataType::BOOL, "median is not implemented for Bool");
  if (rank == 0) return alone(x);
  const int64_t size = x.dims()[axis];
  check(size > 0, "median needs an axis that is not empty");
  auto [values, order] = paddle::recorded::argsort(widened(x), axis, false, true);
  auto value = paddle::experimental::isnan(values);
  auto nans = sum_over(value, {axis}, true, phi::DataType::INT64);
  auto number = [&](int64_t n) { return paddle::experimental::full_like(nans, n); };
  auto valid = paddle::recorded::subtract(number(size), nans);
  auto lower = [&](const paddle::Tensor& count) {
    auto half = paddle::recorded::subtract(count, number(1));
    return paddle::experimental::floor_divide(paddle::recorded::maximum(half, number(0)),
                                              number(2));
  };
  auto some = paddle::experimental::less_than(valid, number(size));
  auto at = skip_nan ? lower(valid) : paddle::recorded::where(some, valid, lower(number(size)));
  return {as(pick(values, at, axis, keepdim), x.dtype()), pick(order, at, axis, keepdim)};
}

// Of all elements: NaN if there are none.
inline paddle::Tensor middle_of_all(const paddle::Tensor& x, bool skip_nan) {
  if (x.numel() == 0) return paddle::experimental::full({}, std::nan(""), x.dtype(), x.place());
  return std::get<0>(middle(reshaped(x, {-1}), 0, false, skip_nan));
}

inline std::tuple<paddle::Tensor, paddle::Tensor> most_frequent(const paddle::Tensor& x,
                                                                int64_t dim, bool keepdim) {
  const auto axis = wrapped(dim, x.dims().size());
  if (x.dims().size() == 0) return alone(x);
  check(x.dims()[axis] > 0, "mode needs an axis that is not empty");
  auto [value, index] = paddle::recorded::mode(widened(x), static_cast<int>(axis), keepdim);
  return {as(value, x.dtype()), index};
}

}  // namespace at::compat_detail
