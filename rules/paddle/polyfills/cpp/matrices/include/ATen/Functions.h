#pragma once

#include <ATen/core/Tensor.h>
#include <porter_compat/linear_algebra.h>
#include <porter_compat/python_calls.h>

#include <string_view>
#include <tuple>

namespace at {

inline ::std::tuple<Tensor, Tensor> linalg_eig(const Tensor& self) {
  return compat_detail::python_two("paddle.linalg.eig", self);
}

inline Tensor linalg_eigvals(const Tensor& self) {
  return compat_detail::python("paddle.linalg.eigvals", self);
}

inline Tensor linalg_matmul(const Tensor& self, const Tensor& other) { return self.matmul(other); }

inline Tensor linalg_matrix_exp(const Tensor& self) { return self.matrix_exp(); }

inline Tensor linalg_diagonal(
    const Tensor& A, int64_t offset = 0, int64_t dim1 = -2, int64_t dim2 = -1) {
  return A.diagonal(offset, dim1, dim2);
}

inline Tensor linalg_vecdot(const Tensor& x, const Tensor& y, int64_t dim = -1) {
  return compat_detail::total(x.mul(y), dim);
}

inline Tensor linalg_multi_dot(ArrayRef<Tensor> tensors) {
  TORCH_CHECK(tensors.size() > 1, "multi_dot: expected at least 2 tensors");
  Tensor product = tensors[0];
  for (const auto& x : tensors.slice(1)) product = product.matmul(x);
  return product;
}

inline Tensor chain_matmul(ArrayRef<Tensor> matrices) {
  TORCH_CHECK(!matrices.empty(), "chain_matmul: Expected one or more matrices");
  return matrices.size() > 1 ? linalg_multi_dot(matrices) : matrices[0];
}

inline ::std::tuple<Tensor, Tensor> linalg_lu_factor(const Tensor& A, bool pivot = true) {
  TORCH_CHECK(pivot, "linalg_lu_factor without pivoting");
  return compat_detail::python_two("paddle.linalg.lu", A);
}

inline ::std::tuple<Tensor, Tensor, Tensor> lu_unpack(
    const Tensor& LU_data, const Tensor& LU_pivots, bool unpack_data = true,
    bool unpack_pivots = true) {
  return compat_detail::python_three(
      "lambda x, p, data, pivots: (lambda none, y: [y[0] if pivots else none, *(y[1:] if data else"
      " [none] * 2)])(paddle.zeros([0], x.dtype), paddle.linalg.lu_unpack(x, p))",
      LU_data, LU_pivots, unpack_data, unpack_pivots);
}

inline ::std::tuple<Tensor, Tensor, Tensor> linalg_lu(const Tensor& A, bool pivot = true) {
  const auto factors = linalg_lu_factor(A, pivot);
  return lu_unpack(::std::get<0>(factors), ::std::get<1>(factors));
}

inline Tensor linalg_lu_solve(
    const Tensor& LU, const Tensor& pivots, const Tensor& B, bool left = true,
    bool adjoint = false) {
  TORCH_CHECK(left && !adjoint, "linalg_lu_solve from the right, or of the adjoint");
  return B.lu_solve(LU, pivots);
}

inline ::std::tuple<Tensor, Tensor, Tensor, Tensor> linalg_lstsq(
    const Tensor& self, const Tensor& b, ::std::optional<double> rcond = ::std::nullopt,
    ::std::optional<::std::string_view> driver = ::std::nullopt) {
  const auto found = compat_detail::python_all(
      "lambda x, b, r, d: [y if y.size else paddle.zeros([0], y.dtype) for y in"
      " paddle.linalg.lstsq(x, b, r, d or ('gelsy' if x.place.is_cpu_place() else 'gels'))]",
      self, b, rcond, driver);
  return {found[0], found[1], found[2], found[3]};
}

inline Tensor linalg_matrix_rank(const Tensor& self, double tol, bool hermitian = false) {
  return compat_detail::python("paddle.linalg.matrix_rank", self, tol, hermitian);
}

inline Tensor linalg_matrix_rank(
    const Tensor& self, ::std::optional<double> atol, ::std::optional<double> rtol,
    bool hermitian = false) {
  return compat_detail::python(
      "lambda x, a, r, h: paddle.linalg.matrix_rank(x, None, h, a, r)", self, atol, rtol, hermitian);
}

inline Tensor linalg_pinv(const Tensor& self, double rcond, bool hermitian = false) {
  return compat_detail::python("paddle.linalg.pinv", self, rcond, hermitian);
}

inline Tensor linalg_matrix_norm(
    const Tensor& self, ::std::string_view ord = "fro", IntArrayRef dim = {-2, -1},
    bool keepdim = false, ::std::optional<ScalarType> dtype = ::std::nullopt) {
  const Tensor x = dtype ? self.toType(*dtype) : self;
  return compat_detail::python("paddle.linalg.matrix_norm", x, ord, dim, keepdim);
}

inline Tensor linalg_matrix_norm(
    const Tensor& self, const Scalar& ord, IntArrayRef dim = {-2, -1}, bool keepdim = false,
    ::std::optional<ScalarType> dtype = ::std::nullopt) {
  const Tensor x = dtype ? self.toType(*dtype) : self;
  return compat_detail::python("paddle.linalg.matrix_norm", x, ord, dim, keepdim);
}

// Of a literal, which Paddle's Scalar would take as well.
inline Tensor linalg_matrix_norm(
    const Tensor& self, const char* ord, IntArrayRef dim = {-2, -1}, bool keepdim = false,
    ::std::optional<ScalarType> dtype = ::std::nullopt) {
  return linalg_matrix_norm(self, ::std::string_view(ord), dim, keepdim, dtype);
}

inline Tensor linalg_cond(
    const Tensor& self, const ::std::optional<Scalar>& p = ::std::nullopt) {
  return compat_detail::python("paddle.linalg.cond", self, p);
}

inline Tensor linalg_cond(const Tensor& self, ::std::string_view p) {
  return compat_detail::python("paddle.linalg.cond", self, p);
}

inline Tensor linalg_cond(const Tensor& self, const char* p) {
  return linalg_cond(self, ::std::string_view(p));
}

}  // namespace at
