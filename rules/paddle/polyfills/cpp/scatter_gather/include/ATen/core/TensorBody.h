#pragma once

#include <porter_compat/recorded.h>
#include <c10/core/Scalar.h>
#include <porter_compat/scatter.h>

#include <optional>
#include <string_view>

namespace at {
// extends
class Tensor {
  Tensor gather(int64_t dim, const Tensor& index, bool sparse_grad = false) const {
    return compat_detail::gathered_along(tensor_, dim, index.tensor_);
  }

  Tensor& scatter_(int64_t dim, const Tensor& index, const Tensor& src) const {
    compat_detail::scatter_into(tensor_, dim, index.tensor_, src.tensor_, "assign");
    return const_cast<Tensor&>(*this);
  }

  Tensor& scatter_(int64_t dim, const Tensor& index, const Scalar& value) const {
    const auto values = compat_detail::filled(index.tensor_.shape(), value, tensor_);
    return scatter_(dim, index, Tensor(values));
  }

  Tensor& scatter_(int64_t dim, const Tensor& index, const Tensor& src,
                   ::std::string_view reduce) const {
    TORCH_CHECK(reduce == "add" || reduce == "multiply", "reduce argument must be add or multiply");
    return scatter_reduce_(dim, index, src, reduce);
  }

  Tensor& scatter_(int64_t dim, const Tensor& index, const Scalar& value,
                   ::std::string_view reduce) const {
    const auto values = compat_detail::filled(index.tensor_.shape(), value, tensor_);
    return scatter_(dim, index, Tensor(values), reduce);
  }

  Tensor& scatter_add_(int64_t dim, const Tensor& index, const Tensor& src) const {
    return scatter_reduce_(dim, index, src, "sum");
  }

  Tensor& scatter_reduce_(int64_t dim, const Tensor& index, const Tensor& src,
                          ::std::string_view reduce, bool include_self = true) const {
    compat_detail::scatter_into(tensor_, dim, index.tensor_, src.tensor_,
                                compat_detail::reduction(reduce), include_self);
    return const_cast<Tensor&>(*this);
  }

  Tensor scatter(int64_t dim, const Tensor& index, const Tensor& src) const {
    return Tensor(paddle::recorded::assign(tensor_)).scatter_(dim, index, src);
  }

  Tensor scatter(int64_t dim, const Tensor& index, const Scalar& value) const {
    return Tensor(paddle::recorded::assign(tensor_)).scatter_(dim, index, value);
  }

  Tensor scatter(int64_t dim, const Tensor& index, const Tensor& src,
                 ::std::string_view reduce) const {
    return Tensor(paddle::recorded::assign(tensor_)).scatter_(dim, index, src, reduce);
  }

  Tensor scatter(int64_t dim, const Tensor& index, const Scalar& value,
                 ::std::string_view reduce) const {
    return Tensor(paddle::recorded::assign(tensor_)).scatter_(dim, index, value, reduce);
  }

  Tensor scatter_add(int64_t dim, const Tensor& index, const Tensor& src) const {
    return Tensor(paddle::recorded::assign(tensor_)).scatter_add_(dim, index, src);
  }

  Tensor scatter_reduce(int64_t dim, const Tensor& index, const Tensor& src,
                        ::std::string_view reduce, bool include_self = true) const {
    const Tensor result = paddle::recorded::assign(tensor_);
    return result.scatter_reduce_(dim, index, src, reduce, include_self);
  }

  // With negative dims, and in every dtype.
  // instead of the one with: paddle::experimental::index_select(tensor_, index._PD_GetInner(), dim)
  Tensor index_select(int64_t dim, const Tensor& index) const {
    return compat_detail::rows_of(tensor_, dim, index.tensor_);
  }

  Tensor& index_add_(int64_t dim, const Tensor& index, const Tensor& source,
                     const Scalar& alpha = 1) const {
    const auto axis = compat_detail::wrapped(dim, this->dim());
    TORCH_CHECK(source.scalar_type() == scalar_type(), "index_add_(): dtypes differ");
    TORCH_CHECK(index.dim() <= 1 && index.numel() == (source.dim() ? source.size(axis) : 1),
                "index_add_(): the index should be a vector as long as source in dim");
    auto from = compat_detail::at_least_1d(compat_detail::widened(source.tensor_));
    if (alpha.to<double>() != 1) {
      from = paddle::recorded::multiply(from, compat_detail::filled({}, alpha, from));
    }
    auto to = compat_detail::at_least_1d(compat_detail::widened(tensor_));
    const auto at = compat_detail::at_least_1d(compat_detail::indices(index.tensor_));
    if (from.numel() > 0 && compat_detail::is_recorded_write(tensor_, from)) {
      const auto result = paddle::recorded::index_add(to, at, from, static_cast<int>(axis));
      compat_detail::copy_into(tensor_, compat_detail::reshaped(result, tensor_.shape()));
      return const_cast<Tensor&>(*this);
    }
    if (from.numel() > 0) paddle::experimental::index_add_(to, at, from, static_cast<int>(axis));
    compat_detail::note_write(tensor_);
    if (to.impl() != tensor_.impl()) {
      compat_detail::copy_into(tensor_, compat_detail::reshaped(to, tensor_.shape()));
    }
    return const_cast<Tensor&>(*this);
  }

  Tensor index_add(int64_t dim, const Tensor& index, const Tensor& source,
                   const Scalar& alpha = 1) const {
    return Tensor(paddle::recorded::assign(tensor_)).index_add_(dim, index, source, alpha);
  }

  Tensor& index_copy_(int64_t dim, const Tensor& index, const Tensor& source) const {
    const auto axis = compat_detail::wrapped(dim, this->dim());
    const auto from = compat_detail::at_least_1d(source.tensor_);
    TORCH_CHECK(index.dim() <= 1 && index.numel() == from.dims()[axis],
                "index_copy_(): the index should be a vector as long as source in dim");
    const auto at = compat_detail::spread(index.tensor_, axis, from.shape());
    compat_detail::scatter_into(tensor_, axis, at, from, "assign");
    return const_cast<Tensor&>(*this);
  }

  Tensor index_copy(int64_t dim, const Tensor& index, const Tensor& source) const {
    return Tensor(paddle::recorded::assign(tensor_)).index_copy_(dim, index, source);
  }

  Tensor& index_fill_(int64_t dim, const Tensor& index, const Scalar& value) const {
    const auto axis = compat_detail::wrapped(dim, this->dim());
    TORCH_CHECK(index.dim() <= 1, "index_fill_(): Index is supposed to be a vector");
    auto shape = compat_detail::at_least_1d(tensor_).shape();
    shape[axis] = index.numel();
    const auto at = compat_detail::spread(index.tensor_, axis, shape);
    return scatter_(axis, Tensor(at), value);
  }

  Tensor& index_fill_(int64_t dim, const Tensor& index, const Tensor& value) const {
    TORCH_CHECK(value.dim() == 0, "index_fill_ only supports a 0-dimensional value tensor");
    if (!compat_detail::is_recorded(value)) return index_fill_(dim, index, Scalar(value.tensor_));
    const auto axis = compat_detail::wrapped(dim, this->dim());
    auto shape = compat_detail::at_least_1d(tensor_).shape();
    shape[axis] = index.numel();
    const auto at = compat_detail::spread(index.tensor_, axis, shape);
    return scatter_(axis, Tensor(at), value.to(scalar_type()).expand(shape));
  }

  Tensor index_fill(int64_t dim, const Tensor& index, const Scalar& value) const {
    return clone().index_fill_(dim, index, value);
  }

  Tensor index_fill(int64_t dim, const Tensor& index, const Tensor& value) const {
    return clone().index_fill_(dim, index, value);
  }

  Tensor& index_reduce_(int64_t dim, const Tensor& index, const Tensor& source,
                        ::std::string_view reduce, bool include_self = true) const {
    const auto axis = compat_detail::wrapped(dim, this->dim());
    const auto at = compat_detail::spread(index.tensor_, axis, source.tensor_.shape());
    return scatter_reduce_(axis, Tensor(at), source, reduce, include_self);
  }

  Tensor index_reduce(int64_t dim, const Tensor& index, const Tensor& source,
                      ::std::string_view reduce, bool include_self = true) const {
    const Tensor result = paddle::recorded::assign(tensor_);
    return result.index_reduce_(dim, index, source, reduce, include_self);
  }

  // Of the flattened tensor, in the shape of the index.
  Tensor take(const Tensor& index) const { return compat_detail::taken(tensor_, index.tensor_); }

  Tensor& put_(const Tensor& index, const Tensor& source, bool accumulate = false) const {
    TORCH_CHECK(index.numel() == source.numel(), "put_(): index and source differ in size");
    const auto flat = compat_detail::reshaped(
        compat_detail::widened(compat_detail::before_write(tensor_, source)), {-1});
    const auto at = compat_detail::reshaped(index.tensor_, {-1});
    const auto from = compat_detail::reshaped(compat_detail::widened(source.tensor_), {-1});
    TORCH_CHECK(scalar_type() == source.scalar_type(), "put_(): self and source differ in dtype");
    if (at.numel() == 0) return const_cast<Tensor&>(*this);
    const auto result = paddle::recorded::put_along_axis(flat, at, from, 0,
                                                         accumulate ? "add" : "assign", true);
    compat_detail::copy_into(tensor_, compat_detail::reshaped(result, tensor_.shape()));
    return const_cast<Tensor&>(*this);
  }

  Tensor put(const Tensor& index, const Tensor& source, bool accumulate = false) const {
    return clone().put_(index, source, accumulate);
  }

  // Like gather; broadcasts, and flattens both if there is no dim.
  Tensor take_along_dim(const Tensor& indices,
                        ::std::optional<int64_t> dim = ::std::nullopt) const {
    if (!dim.has_value()) return reshape({-1}).gather(0, indices.reshape({-1}));
    const auto axis = compat_detail::wrapped(*dim, this->dim());
    TORCH_CHECK(this->dim() == indices.dim(), "take_along_dim(): the numbers of dims differ");
    auto own = tensor_.shape(), at = indices.tensor_.shape();
    if (own.empty()) return gather(0, indices);
    const auto size = own[axis], count = at[axis];
    own[axis] = at[axis] = 1;
    auto shape = compat_detail::broadcast_shape(own, at), index_shape = shape;
    shape[axis] = size;
    index_shape[axis] = count;
    return compat_detail::gathered_along(compat_detail::expanded(tensor_, shape), axis,
                                   compat_detail::expanded(indices.tensor_, index_shape));
  }

  Tensor& masked_fill_(const Tensor& mask, const Scalar& value) const {
    compat_detail::fill_where(tensor_, mask.tensor_, compat_detail::filled({}, value, tensor_));
    return const_cast<Tensor&>(*this);
  }

  Tensor& masked_fill_(const Tensor& mask, const Tensor& value) const {
    compat_detail::fill_where(tensor_, mask.tensor_, value.tensor_);
    return const_cast<Tensor&>(*this);
  }

  Tensor masked_fill(const Tensor& mask, const Scalar& value) const {
    const auto shape = compat_detail::broadcast_shape(tensor_.shape(), mask.tensor_.shape());
    const Tensor result = paddle::recorded::assign(compat_detail::expanded(tensor_, shape));
    return result.masked_fill_(mask, value);
  }

  Tensor masked_fill(const Tensor& mask, const Tensor& value) const {
    const auto shape = compat_detail::broadcast_shape(tensor_.shape(), mask.tensor_.shape());
    const Tensor result = paddle::recorded::assign(compat_detail::expanded(tensor_, shape));
    return result.masked_fill_(mask, value);
  }

  Tensor masked_select(const Tensor& mask) const {
    return compat_detail::masked(tensor_, mask.tensor_);
  }

  Tensor masked_scatter(const Tensor& mask, const Tensor& source) const {
    return compat_detail::masked_from(tensor_, mask.tensor_, source.tensor_);
  }

  Tensor& masked_scatter_(const Tensor& mask, const Tensor& source) const {
    return compat_detail::write(*this, compat_detail::before_write(*this, mask, source).masked_scatter(mask, source).tensor_);
  }
};
}  // namespace at
