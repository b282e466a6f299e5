#pragma once

#include <porter_compat/recorded.h>
#include <c10/core/Scalar.h>
#include <c10/core/ScalarType.h>
#include <c10/util/OptionalArrayRef.h>
#include <porter_compat/kernels.h>
#include <porter_compat/reduce.h>
#include <porter_compat/scan.h>

#include <optional>
#include <tuple>
#include <vector>

namespace at {
// extends
class Tensor {
  // int64 of integers, if no type is asked for.
  Tensor sum(::std::optional<ScalarType> dtype = ::std::nullopt) const {
    return sum(OptionalArrayRef<int64_t>(), false, dtype);
  }

  Tensor sum(OptionalArrayRef<int64_t> dim, bool keepdim = false,
             ::std::optional<ScalarType> dtype = ::std::nullopt) const {
    return compat_detail::sum_over(tensor_, compat_detail::axes_of(dim, this->dim()), keepdim,
                                   compat_detail::total_type(dtype, tensor_));
  }

  // NaN counts as 0.
  Tensor nansum(OptionalArrayRef<int64_t> dim = ::std::nullopt, bool keepdim = false,
                ::std::optional<ScalarType> dtype = ::std::nullopt) const {
    return Tensor(compat_detail::without_nan(tensor_)).sum(dim, keepdim, dtype);
  }

  Tensor nanmean(OptionalArrayRef<int64_t> dim = ::std::nullopt, bool keepdim = false,
                 ::std::optional<ScalarType> dtype = ::std::nullopt) const {
    TORCH_CHECK(c10::isFloatingType(scalar_type()), "nanmean(): expected a floating point input");
    const auto valid = paddle::experimental::equal(tensor_, tensor_);
    const auto type = dtype.value_or(scalar_type());
    const Tensor total = nansum(dim, keepdim, type), count = Tensor(valid).sum(dim, keepdim, type);
    return compat_detail::binary("divide", paddle::recorded::divide, total, count);
  }

  // To a shape that broadcasts to this one.
  Tensor sum_to_size(IntArrayRef size) const {
    const int64_t extra = dim() - static_cast<int64_t>(size.size());
    TORCH_CHECK(extra >= 0, "sum_to_size: the size has too many dimensions");
    ::std::vector<int64_t> axes;
    for (int64_t axis = 0; axis < dim(); ++axis) {
      const bool summed = axis < extra || (size[axis - extra] == 1 && sizes()[axis] != 1);
      TORCH_CHECK(summed || size[axis - extra] == sizes()[axis], "sum_to_size: not expandable");
      if (summed) axes.push_back(axis);
    }
    if (axes.empty()) return *this;
    return Tensor(compat_detail::sum_over(tensor_, axes, true, tensor_.dtype())).reshape(size);
  }

  Tensor mean(::std::optional<ScalarType> dtype = ::std::nullopt) const {
    return mean(OptionalArrayRef<int64_t>(), false, dtype);
  }

  Tensor mean(OptionalArrayRef<int64_t> dim, bool keepdim = false,
              ::std::optional<ScalarType> dtype = ::std::nullopt) const {
    return compat_detail::mean_over(
        tensor_, compat_detail::axes_of(dim, this->dim()), keepdim,
        dtype ? compat_detail::total_type(dtype, tensor_) : tensor_.dtype());
  }

  Tensor prod(::std::optional<ScalarType> dtype = ::std::nullopt) const {
    return compat_detail::product_over(tensor_, compat_detail::axes_of({}, dim()), false,
                                       compat_detail::total_type(dtype, tensor_));
  }

  Tensor prod(int64_t dim, bool keepdim = false,
              ::std::optional<ScalarType> dtype = ::std::nullopt) const {
    return compat_detail::product_over(tensor_, compat_detail::axes_of(dim, this->dim()), keepdim,
                                       compat_detail::total_type(dtype, tensor_));
  }

  Tensor max() const {
    return compat_detail::extreme_over(tensor_, compat_detail::axes_of({}, dim()), false, true);
  }

  // The values, and where they are.
  ::std::tuple<Tensor, Tensor> max(int64_t dim, bool keepdim = false) const {
    return compat_detail::extreme(tensor_, dim, keepdim, true);
  }

  Tensor min() const {
    return compat_detail::extreme_over(tensor_, compat_detail::axes_of({}, dim()), false, false);
  }

  // The values, and where they are.
  ::std::tuple<Tensor, Tensor> min(int64_t dim, bool keepdim = false) const {
    return compat_detail::extreme(tensor_, dim, keepdim, false);
  }

  Tensor max(const Tensor& other) const {
    return compat_detail::binary("maximum", paddle::recorded::maximum, *this, other);
  }

  Tensor min(const Tensor& other) const {
    return compat_detail::binary("minimum", paddle::recorded::minimum, *this, other);
  }

  Tensor amax(IntArrayRef dim = {}, bool keepdim = false) const {
    return compat_detail::extreme_over(tensor_, compat_detail::axes_of(dim, this->dim()), keepdim,
                                       true);
  }

  Tensor amin(IntArrayRef dim = {}, bool keepdim = false) const {
    return compat_detail::extreme_over(tensor_, compat_detail::axes_of(dim, this->dim()), keepdim,
                                       false);
  }

  ::std::tuple<Tensor, Tensor> aminmax(::std::optional<int64_t> dim = ::std::nullopt,
                                       bool keepdim = false) const {
    OptionalArrayRef<int64_t> axes;
    if (dim.has_value()) axes = IntArrayRef(*dim);
    const auto over = compat_detail::axes_of(axes, this->dim());
    return {compat_detail::extreme_over(tensor_, over, keepdim, false),
            compat_detail::extreme_over(tensor_, over, keepdim, true)};
  }

  // In the flattened tensor if there is no dim.
  Tensor argmax(::std::optional<int64_t> dim = ::std::nullopt, bool keepdim = false) const {
    return compat_detail::extreme_index(tensor_, dim, keepdim, true);
  }

  Tensor argmin(::std::optional<int64_t> dim = ::std::nullopt, bool keepdim = false) const {
    return compat_detail::extreme_index(tensor_, dim, keepdim, false);
  }

  Tensor any() const { return any(OptionalArrayRef<int64_t>()); }

  Tensor any(int64_t dim, bool keepdim = false) const {
    return any(OptionalArrayRef<int64_t>(dim), keepdim);
  }

  Tensor any(OptionalArrayRef<int64_t> dim, bool keepdim = false) const {
    return compat_detail::truth_over(tensor_, compat_detail::axes_of(dim, this->dim()), keepdim,
                                     false);
  }

  Tensor all() const { return all(OptionalArrayRef<int64_t>()); }

  Tensor all(int64_t dim, bool keepdim = false) const {
    return all(OptionalArrayRef<int64_t>(dim), keepdim);
  }

  Tensor all(OptionalArrayRef<int64_t> dim, bool keepdim = false) const {
    return compat_detail::truth_over(tensor_, compat_detail::axes_of(dim, this->dim()), keepdim,
                                     true);
  }

  Tensor var(bool unbiased) const { return var(OptionalArrayRef<int64_t>(), unbiased); }

  Tensor var(OptionalArrayRef<int64_t> dim, bool unbiased, bool keepdim = false) const {
    return compat_detail::var_over(tensor_, compat_detail::axes_of(dim, this->dim()), unbiased,
                                   keepdim, false);
  }

  Tensor var(OptionalArrayRef<int64_t> dim = ::std::nullopt,
             const ::std::optional<Scalar>& correction = ::std::nullopt,
             bool keepdim = false) const {
    return compat_detail::var_over(tensor_, compat_detail::axes_of(dim, this->dim()),
                                   correction ? correction->to<double>() : 1, keepdim, false);
  }

  Tensor std(bool unbiased) const { return std(OptionalArrayRef<int64_t>(), unbiased); }

  Tensor std(OptionalArrayRef<int64_t> dim, bool unbiased, bool keepdim = false) const {
    return compat_detail::var_over(tensor_, compat_detail::axes_of(dim, this->dim()), unbiased,
                                   keepdim, true);
  }

  Tensor std(OptionalArrayRef<int64_t> dim = ::std::nullopt,
             const ::std::optional<Scalar>& correction = ::std::nullopt,
             bool keepdim = false) const {
    return compat_detail::var_over(tensor_, compat_detail::axes_of(dim, this->dim()),
                                   correction ? correction->to<double>() : 1, keepdim, true);
  }

  Tensor logsumexp(IntArrayRef dim, bool keepdim = false) const {
    return compat_detail::logsumexp_over(tensor_, compat_detail::axes_of(dim, this->dim()),
                                         keepdim);
  }

  Tensor count_nonzero(IntArrayRef dim) const {
    auto truth = compat_detail::as(tensor_, phi::DataType::BOOL);
    return compat_detail::sum_over(truth, compat_detail::axes_of(dim, this->dim()), false,
                                   phi::DataType::INT64);
  }

  Tensor count_nonzero(::std::optional<int64_t> dim = ::std::nullopt) const {
    return dim.has_value() ? count_nonzero(IntArrayRef(*dim)) : count_nonzero(IntArrayRef());
  }

  // The lower of two middle values.
  Tensor median() const {
    return compat_detail::middle_of_all(tensor_, false);
  }

  ::std::tuple<Tensor, Tensor> median(int64_t dim, bool keepdim = false) const {
    return compat_detail::middle(tensor_, dim, keepdim, false);
  }

  Tensor nanmedian() const {
    return compat_detail::middle_of_all(tensor_, true);
  }

  ::std::tuple<Tensor, Tensor> nanmedian(int64_t dim, bool keepdim = false) const {
    return compat_detail::middle(tensor_, dim, keepdim, true);
  }

  // The most frequent value, the smallest of several.
  ::std::tuple<Tensor, Tensor> mode(int64_t dim = -1, bool keepdim = false) const {
    return compat_detail::most_frequent(tensor_, dim, keepdim);
  }

  Tensor cumsum(int64_t dim, ::std::optional<ScalarType> dtype = ::std::nullopt) const {
    return compat_detail::running(tensor_, dim, compat_detail::total_type(dtype, tensor_), true);
  }

  Tensor& cumsum_(int64_t dim, ::std::optional<ScalarType> dtype = ::std::nullopt) const {
    TORCH_CHECK(scalar_type() != ScalarType::Bool, "cumsum_ is not implemented for Bool");
    compat_detail::copy_into(tensor_, compat_detail::before_write(*this).cumsum(dim, dtype).tensor_);
    return const_cast<Tensor&>(*this);
  }

  Tensor cumprod(int64_t dim, ::std::optional<ScalarType> dtype = ::std::nullopt) const {
    return compat_detail::running(tensor_, dim, compat_detail::total_type(dtype, tensor_), false);
  }

  Tensor& cumprod_(int64_t dim, ::std::optional<ScalarType> dtype = ::std::nullopt) const {
    TORCH_CHECK(scalar_type() != ScalarType::Bool, "cumprod_ is not implemented for Bool");
    compat_detail::copy_into(tensor_, compat_detail::before_write(*this).cumprod(dim, dtype).tensor_);
    return const_cast<Tensor&>(*this);
  }

  // The largest so far, and where it is.
  ::std::tuple<Tensor, Tensor> cummax(int64_t dim) const {
    return compat_detail::running_extreme(tensor_, dim, true);
  }

  ::std::tuple<Tensor, Tensor> cummin(int64_t dim) const {
    return compat_detail::running_extreme(tensor_, dim, false);
  }
};
}  // namespace at
