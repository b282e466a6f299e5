#pragma once

#include <porter_compat/recorded.h>
#include <porter_compat/promotion.h>

#include <string_view>

namespace at::compat_detail {

// f(a, alpha * b) of a kernel that adds or subtracts.
template <class F, class A, class B>
paddle::Tensor add_scaled(const char* kernel, F f, const A& a, const B& b, const Scalar& alpha) {
  const auto type = common_type(a, b);
  const bool bools = category(type_of(a)) == 0 || category(type_of(b)) == 0;
  check(std::is_same_v<F, ::std::decay_t<decltype(paddle::recorded::add)>> || !bools, "bool tensors cannot be subtracted");
  check(category(type) > 1 || category(type_of(alpha)) < 2, "alpha is no integer");
  const auto place = place_of(a, b);
  const auto in = computed(kernel, type, place);
  auto right = operand(b, in, place);
  if (alpha.to<double>() != 1)
    right = paddle::recorded::scale(right, alpha, 0, true);
  return as(f(operand(a, in, place), right, paddle::none), type);
}

template <class A, class B>
paddle::Tensor quotient(const A& a, const B& b) {
  const auto type = floating(common_type(a, b));
  return binary("divide", paddle::recorded::divide, a, b, type);
}

template <class A, class B>
paddle::Tensor quotient(const A& a, const B& b, ::std::optional<::std::string_view> rounding_mode) {
  if (!rounding_mode) return quotient(a, b);
  check(*rounding_mode == "floor" || *rounding_mode == "trunc", "div: unknown rounding_mode");
  const auto type = common_type(a, b);
  if (*rounding_mode == "floor")
    return binary("floor_divide", paddle::experimental::floor_divide, a, b, type);
  const auto out = binary("divide", paddle::recorded::divide, a, b, type);
  return category(type) == 2 ? unary("trunc", paddle::recorded::trunc, out, type) : out;
}

template <class F, class A, class B>
paddle::Tensor modulo(const char* kernel, F f, const A& a, const B& b) {
  const auto type = not_bool(common_type(a, b));
  return binary(kernel, f, a, b, type);
}

// The remainder with the sign of a.
template <class B>
paddle::Tensor fmod(const TensorBase& a, const B& b) {
  namespace pe = paddle::recorded;
  const auto type = not_bool(common_type(a, b));
  const auto place = place_of(a, b);
  const auto in = computed("abs", type, place);
  const auto left = operand(a, in, place);
  const auto rest = pe::remainder(pe::abs(left), pe::abs(operand(b, in, place)));
  return as(pe::multiply(pe::sign(left), rest), type);
}

inline paddle::Tensor power(const TensorBase& base, const Scalar& exponent) {
  const auto type = common_type(base, exponent);
  check(category(type) != 1 || exponent.to<double>() >= 0,
        "integers to negative integer powers are not allowed");
  return binary("elementwise_pow", paddle::recorded::elementwise_pow, base, exponent, type);
}

// A number as a tensor of the dtype and device of another, which it operates on.
inline paddle::Tensor number(const Scalar& x, const TensorBase& like) {
  const auto& inner = like._PD_GetInner();
  return paddle::experimental::full({}, x, inner.dtype(), inner.place());
}

// A number over a tensor, which has to be floating for the operator in C++.
inline paddle::Tensor over(const Scalar& x, const TensorBase& y) {
  return binary("divide", paddle::recorded::divide, x, y, only_real(y));
}

template <class W>
paddle::Tensor lerp(const TensorBase& start, const TensorBase& end, const W& weight) {
  namespace pe = paddle::recorded;
  const auto type = start.scalar_type();
  check(end.scalar_type() == type && category(type) >= 2, "lerp: unexpected dtypes");
  const auto place = place_of(start, end);
  const auto in = computed("lerp", type, place);
  const auto from = operand(start, in, place);
  const auto way = pe::subtract(operand(end, in, place), from);
  return as(pe::add(from, pe::multiply(way, operand(weight, in, place))), type);
}

}  // namespace at::compat_detail
