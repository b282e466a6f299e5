#pragma once

#include <porter_compat/comparison.h>

namespace at {

// extends
class Tensor {
  Tensor eq(const Tensor& other) const {
    return compat_detail::binary("equal", paddle::experimental::equal, *this, other);
  }

  Tensor& eq_(const Tensor& other) const { return compat_detail::write(*this, compat_detail::before_write(*this, other).eq(other)); }

  Tensor eq(const Scalar& other) const {
    return compat_detail::binary("equal", paddle::experimental::equal, *this, other);
  }

  Tensor& eq_(const Scalar& other) const { return compat_detail::write(*this, compat_detail::before_write(*this, other).eq(other)); }

  Tensor ne(const Tensor& other) const {
    return compat_detail::binary("not_equal", paddle::experimental::not_equal, *this, other);
  }

  Tensor& ne_(const Tensor& other) const { return compat_detail::write(*this, compat_detail::before_write(*this, other).ne(other)); }

  Tensor not_equal(const Tensor& other) const { return ne(other); }

  Tensor& not_equal_(const Tensor& other) const { return ne_(other); }

  Tensor ne(const Scalar& other) const {
    return compat_detail::binary("not_equal", paddle::experimental::not_equal, *this, other);
  }

  Tensor& ne_(const Scalar& other) const { return compat_detail::write(*this, compat_detail::before_write(*this, other).ne(other)); }

  Tensor not_equal(const Scalar& other) const { return ne(other); }

  Tensor& not_equal_(const Scalar& other) const { return ne_(other); }

  Tensor lt(const Tensor& other) const {
    return compat_detail::binary("less_than", paddle::experimental::less_than, *this, other);
  }

  Tensor& lt_(const Tensor& other) const { return compat_detail::write(*this, compat_detail::before_write(*this, other).lt(other)); }

  Tensor less(const Tensor& other) const { return lt(other); }

  Tensor& less_(const Tensor& other) const { return lt_(other); }

  Tensor lt(const Scalar& other) const {
    return compat_detail::binary("less_than", paddle::experimental::less_than, *this, other);
  }

  Tensor& lt_(const Scalar& other) const { return compat_detail::write(*this, compat_detail::before_write(*this, other).lt(other)); }

  Tensor less(const Scalar& other) const { return lt(other); }

  Tensor& less_(const Scalar& other) const { return lt_(other); }

  Tensor le(const Tensor& other) const {
    return compat_detail::binary("less_equal", paddle::experimental::less_equal, *this, other);
  }

  Tensor& le_(const Tensor& other) const { return compat_detail::write(*this, compat_detail::before_write(*this, other).le(other)); }

  Tensor less_equal(const Tensor& other) const { return le(other); }

  Tensor& less_equal_(const Tensor& other) const { return le_(other); }

  Tensor le(const Scalar& other) const {
    return compat_detail::binary("less_equal", paddle::experimental::less_equal, *this, other);
  }

  Tensor& le_(const Scalar& other) const { return compat_detail::write(*this, compat_detail::before_write(*this, other).le(other)); }

  Tensor less_equal(const Scalar& other) const { return le(other); }

  Tensor& less_equal_(const Scalar& other) const { return le_(other); }

  Tensor gt(const Tensor& other) const {
    return compat_detail::binary("greater_than", paddle::experimental::greater_than, *this,
        other);
  }

  Tensor& gt_(const Tensor& other) const { return compat_detail::write(*this, compat_detail::before_write(*this, other).gt(other)); }

  Tensor greater(const Tensor& other) const { return gt(other); }

  Tensor& greater_(const Tensor& other) const { return gt_(other); }

  Tensor gt(const Scalar& other) const {
    return compat_detail::binary("greater_than", paddle::experimental::greater_than, *this,
        other);
  }

  Tensor& gt_(const Scalar& other) const { return compat_detail::write(*this, compat_detail::before_write(*this, other).gt(other)); }

  Tensor greater(const Scalar& other) const { return gt(other); }

  Tensor& greater_(const Scalar& other) const { return gt_(other); }

  Tensor ge(const Tensor& other) const {
    return compat_detail::binary("greater_equal", paddle::experimental::greater_equal, *this,
        other);
  }

  Tensor& ge_(const Tensor& other) const { return compat_detail::write(*this, compat_detail::before_write(*this, other).ge(other)); }

  Tensor greater_equal(const Tensor& other) const { return ge(other); }

  Tensor& greater_equal_(const Tensor& other) const { return ge_(other); }

  Tensor ge(const Scalar& other) const {
    return compat_detail::binary("greater_equal", paddle::experimental::greater_equal, *this,
        other);
  }

  Tensor& ge_(const Scalar& other) const { return compat_detail::write(*this, compat_detail::before_write(*this, other).ge(other)); }

  Tensor greater_equal(const Scalar& other) const { return ge(other); }

  Tensor& greater_equal_(const Scalar& other) const { return ge_(other); }

  Tensor logical_and(const Tensor& other) const {
    return compat_detail::binary("logical_and", paddle::experimental::logical_and, toType(kBool),
        other.toType(kBool));
  }

  Tensor& logical_and_(const Tensor& other) const {
    return compat_detail::write(*this, compat_detail::before_write(*this, other).logical_and(other));
  }

  Tensor logical_or(const Tensor& other) const {
    return compat_detail::binary("logical_or", paddle::experimental::logical_or, toType(kBool),
        other.toType(kBool));
  }

  Tensor& logical_or_(const Tensor& other) const {
    return compat_detail::write(*this, compat_detail::before_write(*this, other).logical_or(other));
  }

  Tensor logical_xor(const Tensor& other) const {
    return compat_detail::binary("logical_xor", paddle::experimental::logical_xor, toType(kBool),
        other.toType(kBool));
  }

  Tensor& logical_xor_(const Tensor& other) const {
    return compat_detail::write(*this, compat_detail::before_write(*this, other).logical_xor(other));
  }

  Tensor logical_not() const {
    return paddle::experimental::logical_not(toType(kBool)._PD_GetInner());
  }

  Tensor& logical_not_() const { return compat_detail::write(*this, compat_detail::before_write(*this).logical_not()); }

  Tensor bitwise_and(const Tensor& other) const {
    return compat_detail::binary("bitwise_and", paddle::experimental::bitwise_and, *this, other);
  }

  Tensor& bitwise_and_(const Tensor& other) const {
    return compat_detail::write(*this, compat_detail::before_write(*this, other).bitwise_and(other));
  }

  Tensor __and__(const Tensor& other) const { return bitwise_and(other); }

  Tensor& __and___(const Tensor& other) const { return bitwise_and_(other); }

  Tensor bitwise_and(const Scalar& other) const {
    return compat_detail::binary("bitwise_and", paddle::experimental::bitwise_and, *this, other);
  }

  Tensor& bitwise_and_(const Scalar& other) const {
    return compat_detail::write(*this, compat_detail::before_write(*this, other).bitwise_and(other));
  }

  Tensor __and__(const Scalar& other) const { return bitwise_and(other); }

  Tensor& __and___(const Scalar& other) const { return bitwise_and_(other); }

  Tensor& operator&=(const Tensor& other) { return bitwise_and_(other); }

  Tensor bitwise_or(const Tensor& other) const {
    return compat_detail::binary("bitwise_or", paddle::experimental::bitwise_or, *this, other);
  }

  Tensor& bitwise_or_(const Tensor& other) const {
    return compat_detail::write(*this, compat_detail::before_write(*this, other).bitwise_or(other));
  }

  Tensor __or__(const Tensor& other) const { return bitwise_or(other); }

  Tensor& __or___(const Tensor& other) const { return bitwise_or_(other); }

  Tensor bitwise_or(const Scalar& other) const {
    return compat_detail::binary("bitwise_or", paddle::experimental::bitwise_or, *this, other);
  }

  Tensor& bitwise_or_(const Scalar& other) const {
    return compat_detail::write(*this, compat_detail::before_write(*this, other).bitwise_or(other));
  }

  Tensor __or__(const Scalar& other) const { return bitwise_or(other); }

  Tensor& __or___(const Scalar& other) const { return bitwise_or_(other); }

  Tensor& operator|=(const Tensor& other) { return bitwise_or_(other); }

  Tensor bitwise_xor(const Tensor& other) const {
    return compat_detail::binary("bitwise_xor", paddle::experimental::bitwise_xor, *this, other);
  }

  Tensor& bitwise_xor_(const Tensor& other) const {
    return compat_detail::write(*this, compat_detail::before_write(*this, other).bitwise_xor(other));
  }

  Tensor __xor__(const Tensor& other) const { return bitwise_xor(other); }

  Tensor& __xor___(const Tensor& other) const { return bitwise_xor_(other); }

  Tensor bitwise_xor(const Scalar& other) const {
    return compat_detail::binary("bitwise_xor", paddle::experimental::bitwise_xor, *this, other);
  }

  Tensor& bitwise_xor_(const Scalar& other) const {
    return compat_detail::write(*this, compat_detail::before_write(*this, other).bitwise_xor(other));
  }

  Tensor __xor__(const Scalar& other) const { return bitwise_xor(other); }

  Tensor& __xor___(const Scalar& other) const { return bitwise_xor_(other); }

  Tensor& operator^=(const Tensor& other) { return bitwise_xor_(other); }

  Tensor bitwise_not() const {
    return compat_detail::unary("bitwise_not", paddle::experimental::bitwise_not, *this,
        scalar_type());
  }

  Tensor& bitwise_not_() const { return compat_detail::write(*this, compat_detail::before_write(*this).bitwise_not()); }

  Tensor operator~() const { return bitwise_not(); }

  Tensor bitwise_left_shift(const Tensor& other) const {
    return compat_detail::shift(paddle::experimental::bitwise_left_shift, *this, other);
  }

  Tensor& bitwise_left_shift_(const Tensor& other) const {
    return compat_detail::write(*this, compat_detail::before_write(*this, other).bitwise_left_shift(other));
  }

  Tensor bitwise_left_shift(const Scalar& other) const {
    return compat_detail::shift(paddle::experimental::bitwise_left_shift, *this, other);
  }

  Tensor& bitwise_left_shift_(const Scalar& other) const {
    return compat_detail::write(*this, compat_detail::before_write(*this, other).bitwise_left_shift(other));
  }

  Tensor bitwise_right_shift(const Tensor& other) const {
    return compat_detail::shift(paddle::experimental::bitwise_right_shift, *this, other);
  }

  Tensor& bitwise_right_shift_(const Tensor& other) const {
    return compat_detail::write(*this, compat_detail::before_write(*this, other).bitwise_right_shift(other));
  }

  // instead of the one with: paddle::experimental::full({}, other, other.dtype())
  Tensor bitwise_right_shift(const Scalar& other) const {
    return compat_detail::shift(paddle::experimental::bitwise_right_shift, *this, other);
  }

  Tensor& bitwise_right_shift_(const Scalar& other) const {
    return compat_detail::write(*this, compat_detail::before_write(*this, other).bitwise_right_shift(other));
  }

  Tensor isnan() const {
    return compat_detail::unary("isnan", paddle::experimental::isnan, *this, scalar_type());
  }

  Tensor isinf() const {
    return compat_detail::unary("isinf", paddle::experimental::isinf, *this, scalar_type());
  }

  Tensor isfinite() const {
    return compat_detail::unary("isfinite", paddle::experimental::isfinite, *this, scalar_type());
  }

  Tensor isclose(const Tensor& other, double rtol = 1e-05, double atol = 1e-08,
      bool equal_nan = false) const {
    TORCH_CHECK(scalar_type() == other.scalar_type(), scalar_type(), " did not match ",
        other.scalar_type());
    return compat_detail::isclose(*this, other, rtol, atol, equal_nan);
  }

  bool allclose(
      const Tensor& other, double rtol = 1e-05, double atol = 1e-08,
      bool equal_nan = false) const {
    return compat_detail::truth(paddle::experimental::all(isclose(other, rtol, atol,
        equal_nan)._PD_GetInner()));
  }

  bool equal(const Tensor& other) const {
    if (sizes() != other.sizes()) return false;
    return compat_detail::truth(paddle::experimental::all(eq(other)._PD_GetInner()));
  }

  bool is_nonzero() const {
    TORCH_CHECK(numel() == 1, "a tensor of ", numel(), " elements is neither true nor false");
    return compat_detail::truth(paddle::experimental::all(toType(kBool)._PD_GetInner()));
  }

  Tensor where(const Tensor& condition, const Tensor& other) const {
    return compat_detail::where(condition, *this, other);
  }

  Tensor where(const Tensor& condition, const Scalar& other) const {
    return compat_detail::where(condition, *this, other);
  }

  Tensor __lshift__(const Scalar& other) const {
    const auto type = compat_detail::not_bool(compat_detail::common_type(*this, other));
    TORCH_CHECK(c10::isIntegralType(type, false), "__lshift__ is for integers");
    return bitwise_left_shift(other);
  }

  Tensor __lshift__(const Tensor& other) const {
    const auto type = compat_detail::not_bool(compat_detail::common_type(*this, other));
    TORCH_CHECK(c10::isIntegralType(type, false), "__lshift__ is for integers");
    return bitwise_left_shift(other);
  }

  Tensor __rshift__(const Scalar& other) const {
    const auto type = compat_detail::not_bool(compat_detail::common_type(*this, other));
    TORCH_CHECK(c10::isIntegralType(type, false), "__rshift__ is for integers");
    return bitwise_right_shift(other);
  }

  Tensor __rshift__(const Tensor& other) const {
    const auto type = compat_detail::not_bool(compat_detail::common_type(*this, other));
    TORCH_CHECK(c10::isIntegralType(type, false), "__rshift__ is for integers");
    return bitwise_right_shift(other);
  }

  Tensor& __ilshift__(const Tensor& other) const { return compat_detail::write(*this, compat_detail::before_write(*this, other).__lshift__(other)); }

  Tensor& __ilshift__(const Scalar& other) const { return compat_detail::write(*this, compat_detail::before_write(*this, other).__lshift__(other)); }

  Tensor& __irshift__(const Tensor& other) const { return compat_detail::write(*this, compat_detail::before_write(*this, other).__rshift__(other)); }

  Tensor& __irshift__(const Scalar& other) const { return compat_detail::write(*this, compat_detail::before_write(*this, other).__rshift__(other)); }

  Tensor& __iand__(const Tensor& other) const { return compat_detail::write(*this, compat_detail::before_write(*this, other).bitwise_and(other)); }

  Tensor& __iand__(const Scalar& other) const { return compat_detail::write(*this, compat_detail::before_write(*this, other).bitwise_and(other)); }

  Tensor& __ior__(const Tensor& other) const { return compat_detail::write(*this, compat_detail::before_write(*this, other).bitwise_or(other)); }

  Tensor& __ior__(const Scalar& other) const { return compat_detail::write(*this, compat_detail::before_write(*this, other).bitwise_or(other)); }

  Tensor& __ixor__(const Tensor& other) const { return compat_detail::write(*this, compat_detail::before_write(*this, other).bitwise_xor(other)); }

  Tensor& __ixor__(const Scalar& other) const { return compat_detail::write(*this, compat_detail::before_write(*this, other).bitwise_xor(other)); }
};

inline Tensor operator==(const Tensor& x, const Tensor& y) { return x.eq(y); }

inline Tensor operator==(const Tensor& x, const Scalar& y) { return x.eq(y); }

inline Tensor operator==(const Scalar& x, const Tensor& y) { return y.eq(x); }

inline Tensor operator!=(const Tensor& x, const Tensor& y) { return x.ne(y); }

inline Tensor operator!=(const Tensor& x, const Scalar& y) { return x.ne(y); }

inline Tensor operator!=(const Scalar& x, const Tensor& y) { return y.ne(x); }

inline Tensor operator<(const Tensor& x, const Tensor& y) { return x.lt(y); }

inline Tensor operator<(const Tensor& x, const Scalar& y) { return x.lt(y); }

inline Tensor operator<(const Scalar& x, const Tensor& y) { return y.gt(x); }

inline Tensor operator<=(const Tensor& x, const Tensor& y) { return x.le(y); }

inline Tensor operator<=(const Tensor& x, const Scalar& y) { return x.le(y); }

inline Tensor operator<=(const Scalar& x, const Tensor& y) { return y.ge(x); }

inline Tensor operator>(const Tensor& x, const Tensor& y) { return x.gt(y); }

inline Tensor operator>(const Tensor& x, const Scalar& y) { return x.gt(y); }

inline Tensor operator>(const Scalar& x, const Tensor& y) { return y.lt(x); }

inline Tensor operator>=(const Tensor& x, const Tensor& y) { return x.ge(y); }

inline Tensor operator>=(const Tensor& x, const Scalar& y) { return x.ge(y); }

inline Tensor operator>=(const Scalar& x, const Tensor& y) { return y.le(x); }

inline Tensor operator&(const Tensor& x, const Tensor& y) { return x.bitwise_and(y); }

inline Tensor operator&(const Tensor& x, const Scalar& y) { return x.bitwise_and(y); }

inline Tensor operator&(const Scalar& x, const Tensor& y) { return y.bitwise_and(x); }

inline Tensor operator|(const Tensor& x, const Tensor& y) { return x.bitwise_or(y); }

inline Tensor operator|(const Tensor& x, const Scalar& y) { return x.bitwise_or(y); }

inline Tensor operator|(const Scalar& x, const Tensor& y) { return y.bitwise_or(x); }

inline Tensor operator^(const Tensor& x, const Tensor& y) { return x.bitwise_xor(y); }

inline Tensor operator^(const Tensor& x, const Scalar& y) { return x.bitwise_xor(y); }

inline Tensor operator^(const Scalar& x, const Tensor& y) { return y.bitwise_xor(x); }

}  // namespace at
