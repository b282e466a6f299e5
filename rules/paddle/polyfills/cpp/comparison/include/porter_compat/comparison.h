#pragma once

#include <porter_compat/recorded.h>
#include <porter_compat/promotion.h>

namespace at::compat_detail {

// What a tensor of one bool holds.
inline bool truth(const paddle::Tensor& x) {
  return paddle::experimental::copy_to(x, phi::CPUPlace(), true).data<bool>()[0];
}

// The shape of a result of operands whose shapes are broadcast.
inline ::std::vector<int64_t> broadcast(::std::initializer_list<paddle::Tensor> xs) {
  ::std::vector<int64_t> shape;
  for (const auto& x : xs) {
    const auto own = x.shape();
    if (own.size() > shape.size()) shape.insert(shape.begin(), own.size() - shape.size(), 1);
    auto size = shape.end() - own.size();
    for (auto n : own) {
      TORCH_CHECK(n == *size || n == 1 || *size == 1, "sizes ", n, " and ", *size, " do not match");
      *size = *size == 1 ? n : *size;
      ++size;
    }
  }
  return shape;
}

inline paddle::Tensor isclose(
    const TensorBase& a, const TensorBase& b, double rtol, double atol, bool equal_nan) {
  namespace pe = paddle::recorded;
  const auto place = place_of(a, b);
  const auto in = computed("isclose", a.scalar_type(), place);
  const auto x = operand(a, in, place), y = operand(b, in, place);
  const auto shape = broadcast({x, y});
  return pe::isclose(pe::expand(x, shape), pe::expand(y, shape), rtol, atol, equal_nan);
}

template <class F, class A, class B>
paddle::Tensor shift(F f, const A& a, const B& b) {
  const auto type = common_type(a, b);
  const auto place = place_of(a, b);
  const auto in = computed("bitwise_left_shift", type, place);
  return as(f(operand(a, in, place), operand(b, in, place), true, paddle::none), type);
}

template <class A, class B>
paddle::Tensor where(const TensorBase& condition, const A& a, const B& b) {
  namespace pe = paddle::recorded;
  TORCH_CHECK(condition.scalar_type() == ScalarType::Bool, "where expects a bool condition");
  const auto type = common_type(a, b);
  const auto place = condition._PD_GetInner().place();
  const auto in = computed("where", type, place);
  const auto x = operand(a, in, place), y = operand(b, in, place);
  const auto shape = broadcast({condition._PD_GetInner(), x, y});
  const auto which = pe::expand(condition._PD_GetInner(), shape);
  return as(pe::where(which, pe::expand(x, shape), pe::expand(y, shape)), type);
}

}  // namespace at::compat_detail
