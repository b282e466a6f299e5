#pragma once

#include <porter_compat/recorded.h>
#include <ATen/core/Tensor.h>
#include <porter_compat/linear_algebra.h>
#include <porter_compat/promotion.h>

namespace at {

inline Tensor matmul(const Tensor& self, const Tensor& other) { return self.matmul(other); }

inline Tensor& matmul_out(Tensor& out, const Tensor& self, const Tensor& other) {
  return compat_detail::write_out(out, self.matmul(other));
}

inline Tensor mm(const Tensor& self, const Tensor& mat2) { return self.mm(mat2); }

inline Tensor& mm_out(Tensor& out, const Tensor& self, const Tensor& mat2) {
  return compat_detail::write_out(out, self.mm(mat2));
}

inline Tensor bmm(const Tensor& self, const Tensor& mat2) { return self.bmm(mat2); }

inline Tensor& bmm_out(Tensor& out, const Tensor& self, const Tensor& mat2) {
  return compat_detail::write_out(out, self.bmm(mat2));
}

inline Tensor& addmv_(Tensor& self, const Tensor& mat, const Tensor& vec, const Scalar& beta = 1,
    const Scalar& alpha = 1) {
  return self.addmv_(mat, vec, beta, alpha);
}

inline Tensor mv(const Tensor& self, const Tensor& vec) { return self.mv(vec); }

inline Tensor dot(const Tensor& self, const Tensor& tensor) { return self.dot(tensor); }

inline Tensor outer(const Tensor& self, const Tensor& vec2) { return self.outer(vec2); }

inline Tensor ger(const Tensor& self, const Tensor& vec2) { return self.outer(vec2); }

inline Tensor kron(const Tensor& self, const Tensor& other) { return self.kron(other); }

inline Tensor addmm(const Tensor& self, const Tensor& mat1, const Tensor& mat2,
    const Scalar& beta = 1, const Scalar& alpha = 1) {
  return self.addmm(mat1, mat2, beta, alpha);
}

inline Tensor& addmm_out(Tensor& out, const Tensor& self, const Tensor& mat1,
    const Tensor& mat2, const Scalar& beta = 1, const Scalar& alpha = 1) {
  return compat_detail::write_out(out, self.addmm(mat1, mat2, beta, alpha));
}

inline Tensor baddbmm(const Tensor& self, const Tensor& batch1, const Tensor& batch2,
    const Scalar& beta = 1, const Scalar& alpha = 1) {
  return self.baddbmm(batch1, batch2, beta, alpha);
}

inline Tensor& baddbmm_out(Tensor& out, const Tensor& self, const Tensor& batch1,
    const Tensor& batch2, const Scalar& beta = 1, const Scalar& alpha = 1) {
  return compat_detail::write_out(out, self.baddbmm(batch1, batch2, beta, alpha));
}

inline Tensor addmv(const Tensor& self, const Tensor& mat, const Tensor& vec,
    const Scalar& beta = 1, const Scalar& alpha = 1) {
  return self.addmv(mat, vec, beta, alpha);
}

inline Tensor linear(const Tensor& input, const Tensor& weight,
    const ::std::optional<Tensor>& bias = {}) {
  const Tensor out(compat_detail::product(input, weight, weight.dim() == 2));
  return bias && bias->defined() ? out.add(*bias) : out;
}

// The order of the products is Paddle's.
inline Tensor einsum(::std::string_view equation, ArrayRef<Tensor> tensors,
    OptionalIntArrayRef path = ::std::nullopt) {
  const size_t steps = tensors.size() == 1 ? 1 : (tensors.size() - 1) * 2;
  TORCH_CHECK(!path || path->size() == steps, "einsum(): a path of ", steps, " places expected");
  return compat_detail::einsum(equation, tensors);
}

inline Tensor tensordot(const Tensor& self, const Tensor& other, IntArrayRef dims_self,
    IntArrayRef dims_other) {
  return compat_detail::tensordot(self, other, dims_self.vec(), dims_other.vec());
}

inline Tensor cross(const Tensor& self, const Tensor& other,
    ::std::optional<int64_t> dim = ::std::nullopt) {
  return self.cross(other, dim);
}

inline Tensor linalg_cross(const Tensor& self, const Tensor& other, int64_t dim = -1) {
  return self.cross(other, dim);
}

inline Tensor norm(const Tensor& self, const Scalar& p = 2) { return self.norm(p); }

inline Tensor norm(const Tensor& self, const ::std::optional<Scalar>& p, IntArrayRef dim,
    bool keepdim = false) {
  return self.norm(p, dim, keepdim);
}

inline Tensor norm(const Tensor& self, const ::std::optional<Scalar>& p, IntArrayRef dim,
    bool keepdim, ScalarType dtype) {
  return self.norm(p, dim, keepdim, dtype);
}

inline Tensor norm(const Tensor& self, const ::std::optional<Scalar>& p, ScalarType dtype) {
  return self.norm(p, IntArrayRef(), false, dtype);
}

inline Tensor linalg_vector_norm(
    const Tensor& self, const Scalar& ord = 2, OptionalIntArrayRef dim = ::std::nullopt,
        bool keepdim = false,
    ::std::optional<ScalarType> dtype = ::std::nullopt) {
  const Tensor x = dtype ? self.toType(*dtype) : self;
  return x.norm(ord, dim ? *dim : IntArrayRef(), keepdim);
}

inline Tensor frobenius_norm(const Tensor& self, IntArrayRef dim, bool keepdim = false) {
  return self.norm(2, dim, keepdim);
}

inline Tensor dist(const Tensor& self, const Tensor& other, const Scalar& p = 2) {
  return self.dist(other, p);
}

inline Tensor cdist(const Tensor& x1, const Tensor& x2, double p = 2,
    ::std::optional<int64_t> = ::std::nullopt) {
  return x1.unsqueeze(-2).sub(x2.unsqueeze(-3)).norm(p, IntArrayRef(-1));
}

inline Tensor pairwise_distance(
    const Tensor& x1, const Tensor& x2, double p = 2, double eps = 1e-06,
        bool keepdim = false) {
  return x1.sub(x2).add(eps).norm(p, IntArrayRef(-1), keepdim);
}

inline Tensor cosine_similarity(const Tensor& x1, const Tensor& x2, int64_t dim = 1,
    double eps = 1e-08) {
  const auto length = [&](const Tensor& x) {
    return x.norm(2, IntArrayRef(dim), true).clamp_min(eps);
  };
  return compat_detail::total(x1.div(length(x1)).mul(x2.div(length(x2))), dim);
}

inline Tensor tril(const Tensor& self, int64_t diagonal = 0) { return self.tril(diagonal); }

inline Tensor triu(const Tensor& self, int64_t diagonal = 0) { return self.triu(diagonal); }

inline Tensor diag(const Tensor& self, int64_t diagonal = 0) { return self.diag(diagonal); }

inline Tensor diag_embed(
    const Tensor& self, int64_t offset = 0, int64_t dim1 = -2,
    int64_t dim2 = -1) {
  return self.diag_embed(offset, dim1, dim2);
}

inline Tensor trace(const Tensor& self) { return self.trace(); }

inline Tensor inverse(const Tensor& self) { return self.inverse(); }

inline Tensor linalg_inv(const Tensor& A) { return A.inverse(); }

inline Tensor det(const Tensor& self) { return self.det(); }

inline Tensor linalg_det(const Tensor& A) { return A.det(); }

inline Tensor logdet(const Tensor& self) { return self.logdet(); }

inline ::std::tuple<Tensor, Tensor> slogdet(const Tensor& self) { return self.slogdet(); }

inline ::std::tuple<Tensor, Tensor> linalg_slogdet(const Tensor& A) { return A.slogdet(); }

inline Tensor cholesky(const Tensor& self, bool upper = false) { return self.cholesky(upper); }

inline Tensor linalg_cholesky(const Tensor& self, bool upper = false) {
  return self.cholesky(upper);
}

inline Tensor cholesky_solve(const Tensor& self, const Tensor& input2, bool upper = false) {
  return paddle::recorded::cholesky_solve(compat_detail::exact(self),
      compat_detail::exact(input2), upper);
}

inline ::std::tuple<Tensor, Tensor, Tensor> linalg_svd(
    const Tensor& A, bool full_matrices = true,
        ::std::optional<::std::string_view> = ::std::nullopt) {
  const auto [u, s, vh] = paddle::recorded::svd(compat_detail::exact(A), full_matrices);
  return {Tensor(u), Tensor(s), Tensor(vh)};
}

inline Tensor linalg_svdvals(
    const Tensor& A, ::std::optional<::std::string_view> driver = ::std::nullopt) {
  return ::std::get<1>(linalg_svd(A, false, driver));
}

inline ::std::tuple<Tensor, Tensor, Tensor> svd(const Tensor& self, bool some = true,
    bool compute_uv = true) {
  return self.svd(some, compute_uv);
}

inline ::std::tuple<Tensor, Tensor> linalg_qr(const Tensor& A,
    ::std::string_view mode = "reduced") {
  const auto [q, r] = paddle::recorded::qr(compat_detail::exact(A), ::std::string(mode));
  return {Tensor(q), Tensor(r)};
}

inline ::std::tuple<Tensor, Tensor> qr(const Tensor& self, bool some = true) {
  return self.qr(some);
}

inline ::std::tuple<Tensor, Tensor> linalg_eigh(const Tensor& self,
    ::std::string_view UPLO = "L") {
  const auto [values, vectors] = paddle::recorded::eigh(compat_detail::exact(self),
      ::std::string(UPLO));
  return {Tensor(values), Tensor(vectors)};
}

inline Tensor linalg_eigvalsh(const Tensor& self, ::std::string_view UPLO = "L") {
  return ::std::get<0>(linalg_eigh(self, UPLO));
}

inline Tensor linalg_solve(const Tensor& A, const Tensor& B, bool left = true) {
  TORCH_CHECK(left, "linalg_solve from the right");
  return compat_detail::solve(compat_detail::exact(A), compat_detail::exact(B));
}

inline Tensor linalg_solve_triangular(
    const Tensor& self, const Tensor& B, bool upper, bool left = true,
        bool unitriangular = false) {
  TORCH_CHECK(left, "linalg_solve_triangular from the right");
  return paddle::recorded::triangular_solve(compat_detail::exact(self),
      compat_detail::exact(B), upper, false, unitriangular);
}

inline Tensor matrix_power(const Tensor& self, int64_t n) { return self.matrix_power(n); }

inline Tensor linalg_matrix_power(const Tensor& self,
    int64_t n) { return self.matrix_power(n); }

inline Tensor vdot(const Tensor& self, const Tensor& other) {
  return self.vdot(other);
}

inline Tensor inner(const Tensor& self, const Tensor& other) {
  return self.inner(other);
}

inline Tensor addr(const Tensor& self, const Tensor& vec1, const Tensor& vec2, const Scalar& beta = 1,
    const Scalar& alpha = 1) {
  return self.addr(vec1, vec2, beta, alpha);
}

inline Tensor addbmm(const Tensor& self, const Tensor& batch1, const Tensor& batch2, const Scalar& beta = 1,
    const Scalar& alpha = 1) {
  return self.addbmm(batch1, batch2, beta, alpha);
}

inline Tensor cholesky_inverse(const Tensor& self, bool upper = false) {
  return self.cholesky_inverse(upper);
}

inline Tensor lu_solve(const Tensor& self, const Tensor& LU_data, const Tensor& LU_pivots) {
  return self.lu_solve(LU_data, LU_pivots);
}

inline Tensor matrix_exp(const Tensor& self) {
  return self.matrix_exp();
}

inline Tensor pinverse(const Tensor& self, double rcond = 1e-15) {
  return self.pinverse(rcond);
}

inline Tensor cov(const Tensor& self, int64_t correction = 1, const ::std::optional<Tensor>& fweights = {},
    const ::std::optional<Tensor>& aweights = {}) {
  return self.cov(correction, fweights, aweights);
}

inline Tensor corrcoef(const Tensor& self) {
  return self.corrcoef();
}

inline Tensor diagflat(const Tensor& self, int64_t offset = 0) {
  return self.diagflat(offset);
}

inline ::std::tuple<Tensor, Tensor> triangular_solve(const Tensor& self, const Tensor& A,
    bool upper = true, bool transpose = false, bool unitriangular = false) {
  return self.triangular_solve(A, upper, transpose, unitriangular);
}

}  // namespace at
