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
  for (const auto& x : matrices) compat_detail::of_dims(x, 2);
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

namespace compat_detail {

inline Tensor tolerance(const Tensor& A, double value) {
  return paddle::experimental::full({}, value, phi::DataType::FLOAT64, A._PD_GetInner().place());
}

// Below which singular values count as 0: a number, or a part of the largest one.
inline Tensor least_value(
    const Tensor& A, const Tensor& sizes, const ::std::optional<Tensor>& atol,
    const ::std::optional<Tensor>& rtol) {
  const double eps = A.scalar_type() == kDouble || A.scalar_type() == kComplexDouble ? 0x1p-52 : 0x1p-23;
  const Tensor least = atol && atol->defined() ? *atol : tolerance(A, 0);
  Tensor part = tolerance(A, eps * ::std::max(A.size(-1), A.size(-2)));
  if (rtol && rtol->defined())
    part = *rtol;
  else if (atol && atol->defined())
    part = part.where(least.le(0), 0);
  return least.toType(kDouble).maximum(part.toType(kDouble).mul(sizes.amax(-1).toType(kDouble)))
      .unsqueeze(-1);
}

inline ::std::optional<Tensor> tolerance(const Tensor& A, ::std::optional<double> value) {
  return value ? ::std::make_optional(tolerance(A, *value)) : ::std::nullopt;
}

}  // namespace compat_detail

inline Tensor linalg_matrix_rank(
    const Tensor& input, const ::std::optional<Tensor>& atol = {},
    const ::std::optional<Tensor>& rtol = {}, bool hermitian = false) {
  compat_detail::exact(compat_detail::at_least(input, 2));
  if (input.numel() == 0) return input.new_zeros(input.sizes().slice(0, input.dim() - 2), kLong);
  const Tensor sizes = hermitian ? linalg_eigvalsh(input).abs() : linalg_svdvals(input);
  return sizes.toType(kDouble).gt(compat_detail::least_value(input, sizes, atol, rtol)).sum(-1);
}

inline Tensor linalg_matrix_rank(
    const Tensor& self, ::std::optional<double> atol, ::std::optional<double> rtol,
    bool hermitian = false) {
  return linalg_matrix_rank(
      self, compat_detail::tolerance(self, atol), compat_detail::tolerance(self, rtol), hermitian);
}

inline Tensor linalg_matrix_rank(const Tensor& self, double tol, bool hermitian = false) {
  return linalg_matrix_rank(
      self, compat_detail::tolerance(self, tol), compat_detail::tolerance(self, 0), hermitian);
}

inline Tensor linalg_matrix_rank(const Tensor& input, const Tensor& tol, bool hermitian = false) {
  return linalg_matrix_rank(input, tol, compat_detail::tolerance(input, 0), hermitian);
}

// By singular values, without those that count as 0.
inline Tensor linalg_pinv(
    const Tensor& self, const ::std::optional<Tensor>& atol = {},
    const ::std::optional<Tensor>& rtol = {}, bool hermitian = false) {
  compat_detail::exact(compat_detail::at_least(self, 2));
  if (self.numel() == 0) return at::empty_like(self.mT());
  Tensor left, values, right;
  if (hermitian) {
    ::std::tie(values, left) = linalg_eigh(self);
    right = left.mT().conj();
  } else {
    ::std::tie(left, values, right) = linalg_svd(self, false);
  }
  const Tensor sizes = values.abs();
  const Tensor kept = sizes.toType(kDouble).gt(compat_detail::least_value(self, sizes, atol, rtol));
  const Tensor inverse = values.reciprocal().where(kept, 0).unsqueeze(-2).toType(self.scalar_type());
  return right.mT().conj().mul(inverse).matmul(left.mT().conj());
}

inline Tensor linalg_pinv(
    const Tensor& self, ::std::optional<double> atol, ::std::optional<double> rtol,
    bool hermitian = false) {
  return linalg_pinv(
      self, compat_detail::tolerance(self, atol), compat_detail::tolerance(self, rtol), hermitian);
}

inline Tensor linalg_pinv(const Tensor& self, double rcond, bool hermitian = false) {
  return linalg_pinv(
      self, compat_detail::tolerance(self, 0), compat_detail::tolerance(self, rcond), hermitian);
}

inline Tensor linalg_pinv(const Tensor& self, const Tensor& rcond, bool hermitian = false) {
  return linalg_pinv(self, compat_detail::tolerance(self, 0), rcond, hermitian);
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

// Of a matrix if it has an order and two dimensions, else of a vector.
inline Tensor linalg_norm(
    const Tensor& self, const ::std::optional<Scalar>& ord = ::std::nullopt,
    OptionalIntArrayRef dim = ::std::nullopt, bool keepdim = false,
    ::std::optional<ScalarType> dtype = ::std::nullopt) {
  const int64_t count = dim ? dim->size() : self.dim();
  TORCH_CHECK(!ord || count == 1 || count == 2, "linalg.norm: an order is for vectors and matrices");
  if (!ord || count == 1) return linalg_vector_norm(self, ord.value_or(2), dim, keepdim, dtype);
  return linalg_matrix_norm(self, *ord, dim ? *dim : IntArrayRef({0, 1}), keepdim, dtype);
}

inline Tensor linalg_norm(
    const Tensor& self, ::std::string_view ord, OptionalIntArrayRef dim = ::std::nullopt,
    bool keepdim = false, ::std::optional<ScalarType> dtype = ::std::nullopt) {
  TORCH_CHECK((dim ? dim->size() : self.dim()) == 2, "linalg.norm: an order in words is for matrices");
  return linalg_matrix_norm(self, ord, dim ? *dim : IntArrayRef({0, 1}), keepdim, dtype);
}

// Of a literal, which Paddle's Scalar would take as well.
inline Tensor linalg_norm(
    const Tensor& self, const char* ord, OptionalIntArrayRef dim = ::std::nullopt,
    bool keepdim = false, ::std::optional<ScalarType> dtype = ::std::nullopt) {
  return linalg_norm(self, ::std::string_view(ord), dim, keepdim, dtype);
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

// Paddle's writes into its input. Slow: through Python
inline Tensor linalg_householder_product(const Tensor& input, const Tensor& tau) {
  return compat_detail::python("lambda x, t: paddle.linalg.householder_product(x.clone(), t)", input, tau);
}

inline Tensor orgqr(const Tensor& self, const Tensor& input2) {
  return linalg_householder_product(self, input2);
}

inline Tensor linalg_tensorinv(const Tensor& self, int64_t ind = 2) {
  TORCH_CHECK(ind > 0 && ind < self.dim(), "Expected a strictly positive integer for 'ind' below the dimensions");
  auto shape = self.sizes().slice(ind).vec();
  int64_t rows = 1, columns = 1;
  for (int64_t size : shape) columns *= size;
  for (int64_t d = 0; d < ind; ++d) {
    shape.push_back(self.size(d));
    rows *= self.size(d);
  }
  TORCH_CHECK(rows == columns, "Expected self to satisfy the requirement prod(self.shape[ind:]) == prod(self.shape[:ind])");
  return self.reshape({rows, columns}).inverse().reshape(shape);
}

inline Tensor linalg_tensorsolve(
    const Tensor& self, const Tensor& other, OptionalIntArrayRef dims = ::std::nullopt) {
  Tensor a = self;
  if (dims) {
    ::std::vector<int64_t> last(dims->size());
    for (size_t i = 0; i < last.size(); ++i) last[i] = static_cast<int64_t>(i) - static_cast<int64_t>(last.size());
    a = self.movedim(*dims, last);
  }
  const auto shape = a.sizes().slice(other.dim()).vec();
  int64_t size = 1;
  for (int64_t each : shape) size *= each;
  TORCH_CHECK(size == other.numel(), "Expected self to satisfy the requirement prod(self.shape[other.ndim:]) == prod(self.shape[:other.ndim])");
  return linalg_solve(a.reshape({size, size}), other.reshape({size})).reshape(shape);
}

}  // namespace at
