#pragma once

#include <porter_compat/recorded.h>
#include <c10/util/ArrayRef.h>
#include <c10/util/OptionalArrayRef.h>
#include <porter_compat/promotion.h>
#include <porter_compat/python_calls.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

namespace at::compat_detail {

inline const TensorBase& of_dims(const TensorBase& x, int64_t dims) {
  TORCH_CHECK(x.dim() == dims, "expected a tensor of ", dims, " dimensions, got ", x.dim());
  return x;
}

inline const TensorBase& at_least(const TensorBase& x, int64_t dims) {
  TORCH_CHECK(x.dim() >= dims, "expected a tensor of ", dims, " dimensions or more");
  return x;
}

// What the decompositions take: float32 and more.
inline const paddle::Tensor& exact(const TensorBase& x) {
  const auto type = only_real(at_least(x, 1));
  TORCH_CHECK(!c10::isReducedFloatingType(type), "not implemented for ", type);
  return x._PD_GetInner();
}

// The matrix product of batches, matrices and vectors, the second transposed on request.
inline paddle::Tensor product(const TensorBase& a, const TensorBase& b, bool turned = false) {
  const auto type = a.scalar_type();
  TORCH_CHECK(type == b.scalar_type(), "expected m1 and m2 to have the same dtype, but got: ", type,
              " != ", b.scalar_type());
  TORCH_CHECK(a.dim() && b.dim(), "both arguments to matmul need to be at least 1D");
  const auto in = computed("matmul", not_bool(type), a._PD_GetInner().place());
  const auto x = as(a._PD_GetInner(), in), y = as(b._PD_GetInner(), in);
  return as(paddle::recorded::matmul(x, y, false, turned), type);
}

// beta * self + alpha * (a @ b), where a beta of 0 leaves self out, whatever it holds.
inline paddle::Tensor add_product(
    const TensorBase& self, const TensorBase& a, const TensorBase& b, const Scalar& beta,
    const Scalar& alpha) {
  namespace pe = paddle::recorded;
  const auto type = not_bool(a.scalar_type());
  TORCH_CHECK(type == b.scalar_type() && type == self.scalar_type(), "expected one dtype");
  const auto in = computed("matmul", type, a._PD_GetInner().place());
  auto out = pe::matmul(as(a._PD_GetInner(), in), as(b._PD_GetInner(), in), false, false);
  const auto shape = out.dims();
  if (alpha.to<double>() != 1) out = pe::scale(out, alpha, 0, true);
  if (beta.to<double>() != 0)
    out = pe::add(out, pe::scale(as(self._PD_GetInner(), in), beta, 0, true));
  TORCH_CHECK(out.dims() == shape, "the tensor to add has not the shape of the product");
  return as(out, type);
}

inline paddle::Tensor outer(const TensorBase& a, const TensorBase& b) {
  namespace pe = paddle::recorded;
  const TensorBase column(pe::unsqueeze(of_dims(a, 1)._PD_GetInner(), {1}));
  return binary("multiply", pe::multiply, column, of_dims(b, 1));
}

// An equation as Paddle's kernel reads it: with letters for "...", and a right side.
template <class Xs>
::std::string spelled(::std::string_view equation, const Xs& xs) {
  ::std::string text, free, shared;
  for (char c : equation)
    if (c != ' ') text += c;
  for (char c = 'a'; c <= 'z'; ++c)
    if (text.find(c) == ::std::string::npos) free += c;
  const auto arrow = text.find("->");
  auto left = text.substr(0, arrow);
  auto right = arrow == ::std::string::npos ? "..." : text.substr(arrow + 2);
  size_t begin = 0;
  for (const auto& x : xs) {
    const auto end = ::std::min(left.find(',', begin), left.size());
    const auto dots = left.find("...", begin);
    if (dots < end) {
      auto labels = free.substr(0, x.dim() - (end - begin - 3));
      ::std::reverse(labels.begin(), labels.end());
      left.replace(dots, 3, labels);
      if (labels.size() > shared.size()) shared = labels;
    }
    begin = left.find(',', begin) + 1;
  }
  const auto dots = right.find("...");
  if (dots != ::std::string::npos) right.replace(dots, 3, shared);
  for (char c = 'A'; arrow == ::std::string::npos && c <= 'z'; ++c)
    if (::std::isalpha(c) && ::std::count(text.begin(), text.end(), c) == 1) right += c;
  return left + "->" + right;
}

template <class Xs>
paddle::Tensor einsum(::std::string_view equation, const Xs& xs) {
  TORCH_CHECK(xs.size(), "einsum: no operands");
  const auto type = xs[0].scalar_type();
  const auto in = computed("einsum", type, xs[0]._PD_GetInner().place());
  ::std::vector<paddle::Tensor> operands;
  for (const auto& x : xs) operands.push_back(as(x._PD_GetInner(), in));
  auto text = spelled(equation, xs);
  while (operands.size() > 2) {  // the kernel takes two
    const auto second = text.find(',', text.find(',') + 1);
    const auto rest = text.substr(second);
    ::std::string kept;
    for (char c : text.substr(0, second))
      if (rest.find(c) != ::std::string::npos && kept.find(c) == ::std::string::npos && c != ',')
        kept += c;
    const auto both = text.substr(0, second) + "->" + kept;
    operands[1] = ::std::get<0>(paddle::recorded::einsum({operands[0], operands[1]}, both));
    operands.erase(operands.begin());
    text = kept + rest;
  }
  return as(::std::get<0>(paddle::recorded::einsum(operands, text)), type);
}

inline paddle::Tensor tensordot(
    const TensorBase& a, const TensorBase& b, ::std::vector<int64_t> from,
    ::std::vector<int64_t> to) {
  namespace pe = paddle::recorded;
  // the dimensions that stay, then those summed over, or the other way round
  const auto matrix = [](const TensorBase& x, ::std::vector<int64_t>& dims, bool last,
                         ::std::vector<int64_t>& sizes) {
    ::std::vector<int> order;
    int64_t rest = 1, summed = 1;
    for (auto& d : dims) summed *= x.size(d += d < 0 ? x.dim() : 0);
    for (int64_t d = 0; d < x.dim(); ++d) {
      if (::std::find(dims.begin(), dims.end(), d) != dims.end()) continue;
      order.push_back(static_cast<int>(d));
      sizes.push_back(x.size(d));
      rest *= x.size(d);
    }
    order.insert(last ? order.end() : order.begin(), dims.begin(), dims.end());
    const auto turned = pe::transpose(x._PD_GetInner(), order);
    return TensorBase(pe::reshape(turned, last ? ::std::vector<int64_t>{rest, summed}
                                               : ::std::vector<int64_t>{summed, rest}));
  };
  ::std::vector<int64_t> sizes;
  const auto x = matrix(a, from, true, sizes), y = matrix(b, to, false, sizes);
  return pe::reshape(product(x, y), sizes);
}

// Without a dimension: the first of size 3.
inline paddle::Tensor cross(
    const TensorBase& a, const TensorBase& b, ::std::optional<int64_t> dim) {
  namespace pe = paddle::recorded;
  TORCH_CHECK(a.dim() == b.dim(), "cross: as many dimensions on both sides");
  const auto type = not_bool(common_type(a, b));
  const auto in = computed("cross", type, place_of(a, b));
  const auto both = pe::broadcast_tensors({as(a._PD_GetInner(), in), as(b._PD_GetInner(), in)});
  int64_t axis = dim ? *dim : 0;
  while (!dim && axis < both[0].dims().size() - 1 && both[0].dims()[axis] != 3) ++axis;
  return as(pe::cross(both[0], both[1], static_cast<int>(axis)), type);
}

// The p-norm over dimensions, all of them if there are none.
inline paddle::Tensor norm(
    const TensorBase& self, double p, ::std::vector<int64_t> dim, bool keepdim) {
  namespace pe = paddle::recorded;
  const auto type = only_real(self);
  const auto in = computed("p_norm", type, self._PD_GetInner().place());
  const auto x = as(self._PD_GetInner(), in), size = pe::abs(x);
  const auto sum = [&](const paddle::Tensor& t) { return pe::sum(t, dim, in, keepdim); };
  if (::std::isinf(p))
    return as(p > 0 ? pe::max(size, dim, keepdim) : pe::min(size, dim, keepdim), type);
  if (p == 0) return as(sum(pe::cast(pe::not_equal(x, pe::zeros_like(x)), in)), type);
  if (p == 1) return as(sum(size), type);
  if (p == 2) return as(pe::sqrt(sum(pe::square(x))), type);
  return as(pe::pow(sum(pe::pow(size, p)), 1 / p), type);
}

inline paddle::Tensor total(const TensorBase& x, int64_t dim) {
  const auto& inner = x._PD_GetInner();
  return paddle::recorded::sum(inner, {dim}, inner.dtype(), false);
}

inline paddle::Tensor trace(const TensorBase& x) {
  const auto own = not_bool(x.scalar_type());
  const auto type = c10::isIntegralType(own, true) ? ScalarType::Long : own;
  return unary("trace", paddle::recorded::trace, x, type, 0, 0, 1);
}

inline paddle::Tensor transposed(const paddle::Tensor& x) {
  ::std::vector<int> order(x.dims().size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int>(i);
  ::std::swap(order.end()[-1], order.end()[-2]);
  return paddle::recorded::transpose(x, order);
}

// B is a vector where it has a dimension less than A.
inline paddle::Tensor solve(const paddle::Tensor& a, const paddle::Tensor& b) {
  namespace pe = paddle::recorded;
  if (b.dims().size() >= a.dims().size()) return pe::solve(a, b);
  return pe::squeeze(pe::solve(a, pe::unsqueeze(b, {-1})), {-1});
}

// What the columns of a matrix are divided by for a determinant of size 1: Paddle takes the logarithm of the determinant,
// which is 0 or infinite for matrices of some hundred rows.
inline paddle::Tensor sizes_of_pivots(const paddle::Tensor& matrix) {
  namespace pe = paddle::recorded;
  const auto factors = ::std::get<0>(pe::lu(matrix));
  const auto sizes = pe::abs(pe::diagonal(factors, 0, -2, -1));
  const auto usable = pe::logical_and(pe::greater_than(sizes, pe::full_like(sizes, 0)), pe::isfinite(sizes));
  return pe::where(usable, sizes, pe::full_like(sizes, 1));
}

// The sign and the logarithm of the determinant.
inline ::std::pair<paddle::Tensor, paddle::Tensor> sign_and_logarithm(const paddle::Tensor& matrix) {
  namespace pe = paddle::recorded;
  if (matrix.numel() == 0) return {pe::det(matrix), pe::log(pe::det(matrix))};
  const auto sizes = sizes_of_pivots(matrix);
  const auto both = pe::unbind(pe::slogdet(pe::divide(matrix, pe::unsqueeze(sizes, {-2}))), 0);
  return {both[0], pe::add(both[1], pe::sum(pe::log(sizes), {-1}, phi::DataType::UNDEFINED, false))};
}

inline const char* const COVARIANCE = R"py(def covariance(x, correction, counts, weights):
    checked(x.ndim <= 2, f"a shape of {x.shape}")
    x = (x if x.is_floating_point() else x.astype("float32")).reshape([-1, x.shape[-1] if x.ndim else 1])
    w = 1 if counts is None else counts.astype(x.dtype)
    w = w if weights is None else w * weights
    w = w if isinstance(w, paddle.Tensor) else paddle.ones([x.shape[1]], x.dtype)
    total = w.sum()
    x = x - (x * w).sum(1, keepdim=True) / total
    shrink = correction if weights is None else correction * (w * weights).sum() / total
    c = (x * w) @ x.T / (total - shrink).clip(0)
    return c.squeeze() if c.shape[0] == 1 else c
)py";

}  // namespace at::compat_detail
