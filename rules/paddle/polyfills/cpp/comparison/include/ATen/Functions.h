#pragma once

#include <porter_compat/recorded.h>
#include <ATen/core/Tensor.h>
#include <porter_compat/comparison.h>
#include <porter_compat/promotion.h>

namespace at {

inline Tensor eq(const Tensor& self, const Tensor& other) { return self.eq(other); }

inline Tensor eq(const Tensor& self, const Scalar& other) { return self.eq(other); }

inline Tensor& eq_out(Tensor& out, const Tensor& self, const Tensor& other) {
  return compat_detail::write_out(out, self.eq(other));
}

inline Tensor ne(const Tensor& self, const Tensor& other) { return self.ne(other); }

inline Tensor not_equal(const Tensor& self, const Tensor& other) { return self.ne(other); }

inline Tensor ne(const Tensor& self, const Scalar& other) { return self.ne(other); }

inline Tensor not_equal(const Tensor& self, const Scalar& other) { return self.ne(other); }

inline Tensor& ne_out(Tensor& out, const Tensor& self, const Tensor& other) {
  return compat_detail::write_out(out, self.ne(other));
}

inline Tensor lt(const Tensor& self, const Tensor& other) { return self.lt(other); }

inline Tensor less(const Tensor& self, const Tensor& other) { return self.lt(other); }

inline Tensor lt(const Tensor& self, const Scalar& other) { return self.lt(other); }

inline Tensor less(const Tensor& self, const Scalar& other) { return self.lt(other); }

inline Tensor& lt_out(Tensor& out, const Tensor& self, const Tensor& other) {
  return compat_detail::write_out(out, self.lt(other));
}

inline Tensor le(const Tensor& self, const Tensor& other) { return self.le(other); }

inline Tensor less_equal(const Tensor& self, const Tensor& other) { return self.le(other); }

inline Tensor le(const Tensor& self, const Scalar& other) { return self.le(other); }

inline Tensor less_equal(const Tensor& self, const Scalar& other) { return self.le(other); }

inline Tensor& le_out(Tensor& out, const Tensor& self, const Tensor& other) {
  return compat_detail::write_out(out, self.le(other));
}

inline Tensor gt(const Tensor& self, const Tensor& other) { return self.gt(other); }

inline Tensor greater(const Tensor& self, const Tensor& other) { return self.gt(other); }

inline Tensor gt(const Tensor& self, const Scalar& other) { return self.gt(other); }

inline Tensor greater(const Tensor& self, const Scalar& other) { return self.gt(other); }

inline Tensor& gt_out(Tensor& out, const Tensor& self, const Tensor& other) {
  return compat_detail::write_out(out, self.gt(other));
}

inline Tensor ge(const Tensor& self, const Tensor& other) { return self.ge(other); }

inline Tensor greater_equal(const Tensor& self, const Tensor& other) { return self.ge(other); }

inline Tensor ge(const Tensor& self, const Scalar& other) { return self.ge(other); }

inline Tensor greater_equal(const Tensor& self, const Scalar& other) { return self.ge(other); }

inline Tensor& ge_out(Tensor& out, const Tensor& self, const Tensor& other) {
  return compat_detail::write_out(out, self.ge(other));
}

inline Tensor logical_and(const Tensor& self, const Tensor& other) {
  return self.logical_and(other);
}

inline Tensor& logical_and_out(Tensor& out, const Tensor& self, const Tensor& other) {
  return compat_detail::write_out(out, self.logical_and(other));
}

inline Tensor logical_or(const Tensor& self, const Tensor& other) {
  return self.logical_or(other);
}

inline Tensor& logical_or_out(Tensor& out, const Tensor& self, const Tensor& other) {
  return compat_detail::write_out(out, self.logical_or(other));
}

inline Tensor logical_xor(const Tensor& self, const Tensor& other) {
  return self.logical_xor(other);
}

inline Tensor& logical_xor_out(Tensor& out, const Tensor& self, const Tensor& other) {
  return compat_detail::write_out(out, self.logical_xor(other));
}

inline Tensor logical_not(const Tensor& self) { return self.logical_not(); }

inline Tensor bitwise_and(const Tensor& self, const Tensor& other) {
  return self.bitwise_and(other);
}

inline Tensor __and__(const Tensor& self,
    const Tensor& other) { return self.bitwise_and(other); }

inline Tensor bitwise_and(const Tensor& self, const Scalar& other) {
  return self.bitwise_and(other);
}

inline Tensor __and__(const Tensor& self,
    const Scalar& other) { return self.bitwise_and(other); }

inline Tensor bitwise_or(const Tensor& self, const Tensor& other) {
  return self.bitwise_or(other);
}

inline Tensor __or__(const Tensor& self, const Tensor& other) { return self.bitwise_or(other); }

inline Tensor bitwise_or(const Tensor& self, const Scalar& other) {
  return self.bitwise_or(other);
}

inline Tensor __or__(const Tensor& self, const Scalar& other) { return self.bitwise_or(other); }

inline Tensor bitwise_xor(const Tensor& self, const Tensor& other) {
  return self.bitwise_xor(other);
}

inline Tensor __xor__(const Tensor& self,
    const Tensor& other) { return self.bitwise_xor(other); }

inline Tensor bitwise_xor(const Tensor& self, const Scalar& other) {
  return self.bitwise_xor(other);
}

inline Tensor __xor__(const Tensor& self,
    const Scalar& other) { return self.bitwise_xor(other); }

inline Tensor bitwise_not(const Tensor& self) { return self.bitwise_not(); }

inline Tensor bitwise_left_shift(const Tensor& self, const Tensor& other) {
  return self.bitwise_left_shift(other);
}

inline Tensor bitwise_left_shift(const Tensor& self, const Scalar& other) {
  return self.bitwise_left_shift(other);
}

inline Tensor bitwise_right_shift(const Tensor& self, const Tensor& other) {
  return self.bitwise_right_shift(other);
}

inline Tensor bitwise_right_shift(const Tensor& self, const Scalar& other) {
  return self.bitwise_right_shift(other);
}

inline Tensor isnan(const Tensor& self) { return self.isnan(); }

inline Tensor isinf(const Tensor& self) { return self.isinf(); }

inline Tensor isfinite(const Tensor& self) { return self.isfinite(); }

inline Tensor isclose(
    const Tensor& self, const Tensor& other, double rtol = 1e-05,
    double atol = 1e-08, bool equal_nan = false) {
  return self.isclose(other, rtol, atol, equal_nan);
}

inline bool allclose(
    const Tensor& self, const Tensor& other, double rtol = 1e-05,
    double atol = 1e-08, bool equal_nan = false) {
  return self.allclose(other, rtol, atol, equal_nan);
}

inline bool equal(const Tensor& self, const Tensor& other) { return self.equal(other); }

inline bool is_nonzero(const Tensor& self) { return self.is_nonzero(); }

inline Tensor where(const Tensor& condition, const Tensor& self, const Tensor& other) {
  return compat_detail::where(condition, self, other);
}

inline Tensor where(const Tensor& condition, const Scalar& self, const Tensor& other) {
  return compat_detail::where(condition, self, other);
}

inline Tensor where(const Tensor& condition, const Tensor& self, const Scalar& other) {
  return compat_detail::where(condition, self, other);
}

inline Tensor where(const Tensor& condition, const Scalar& self, const Scalar& other) {
  return compat_detail::where(condition, self, other);
}

// The indices of the elements that are not zero, a tensor for each dimension.
inline ::std::vector<Tensor> where(const Tensor& condition) {
  const Tensor mask = condition.dim() ? condition : condition.reshape({1});
  const auto rows = paddle::experimental::nonzero(mask.toType(kBool)._PD_GetInner());
  ::std::vector<Tensor> found;
  for (auto& column : paddle::recorded::unbind(rows,
      1)) found.emplace_back(column.contiguous());
  return found;
}

inline Tensor bitwise_and(const Scalar& self, const Tensor& other) {
  return compat_detail::binary("bitwise_and", paddle::experimental::bitwise_and, self, other);
}

inline Tensor bitwise_or(const Scalar& self, const Tensor& other) {
  return compat_detail::binary("bitwise_or", paddle::experimental::bitwise_or, self, other);
}

inline Tensor bitwise_xor(const Scalar& self, const Tensor& other) {
  return compat_detail::binary("bitwise_xor", paddle::experimental::bitwise_xor, self, other);
}

inline Tensor bitwise_left_shift(const Scalar& self, const Tensor& other) {
  return compat_detail::shift(paddle::experimental::bitwise_left_shift, self, other);
}

inline Tensor bitwise_right_shift(const Scalar& self, const Tensor& other) {
  return compat_detail::shift(paddle::experimental::bitwise_right_shift, self, other);
}

inline Tensor __lshift__(const Tensor& self, const Tensor& other) { return self.__lshift__(other); }

inline Tensor __lshift__(const Tensor& self, const Scalar& other) { return self.__lshift__(other); }

inline Tensor __rshift__(const Tensor& self, const Tensor& other) { return self.__rshift__(other); }

inline Tensor __rshift__(const Tensor& self, const Scalar& other) { return self.__rshift__(other); }

inline Tensor& eq_out(Tensor& out, const Tensor& self, const Scalar& other) {
  return compat_detail::write_out(out, self.eq(other));
}

inline Tensor& ne_out(Tensor& out, const Tensor& self, const Scalar& other) {
  return compat_detail::write_out(out, self.ne(other));
}

inline Tensor& lt_out(Tensor& out, const Tensor& self, const Scalar& other) {
  return compat_detail::write_out(out, self.lt(other));
}

inline Tensor& le_out(Tensor& out, const Tensor& self, const Scalar& other) {
  return compat_detail::write_out(out, self.le(other));
}

inline Tensor& gt_out(Tensor& out, const Tensor& self, const Scalar& other) {
  return compat_detail::write_out(out, self.gt(other));
}

inline Tensor& ge_out(Tensor& out, const Tensor& self, const Scalar& other) {
  return compat_detail::write_out(out, self.ge(other));
}

}  // namespace at
