#pragma once

#include <porter_compat/recorded.h>
#include <porter_compat/linear_algebra.h>

namespace at {

// extends
class Tensor {
  Tensor matmul(const Tensor& other) const { return compat_detail::product(*this, other); }

  Tensor mm(const Tensor& mat2) const {
    return compat_detail::product(compat_detail::of_dims(*this, 2), compat_detail::of_dims(mat2,
        2));
  }

  Tensor bmm(const Tensor& mat2) const {
    TORCH_CHECK(dim() == 3 && mat2.dim() == 3 && size(0) == mat2.size(0),
        "bmm: batches of matrices");
    return compat_detail::product(*this, mat2);
  }

  Tensor mv(const Tensor& vec) const {
    return compat_detail::product(compat_detail::of_dims(*this, 2), compat_detail::of_dims(vec,
        1));
  }

  Tensor dot(const Tensor& tensor) const {
    return compat_detail::product(compat_detail::of_dims(*this, 1),
        compat_detail::of_dims(tensor, 1));
  }

  Tensor outer(const Tensor& vec2) const { return compat_detail::outer(*this, vec2); }

  Tensor ger(const Tensor& vec2) const { return outer(vec2); }

  Tensor kron(const Tensor& other) const {
    return compat_detail::binary("kron", paddle::recorded::kron, *this, other);
  }

  Tensor addmm(const Tensor& mat1, const Tensor& mat2, const Scalar& beta = 1,
      const Scalar& alpha = 1) const {
    compat_detail::of_dims(mat1, 2);
    return compat_detail::add_product(*this, mat1, compat_detail::of_dims(mat2, 2), beta, alpha);
  }

  Tensor& addmm_(const Tensor& mat1, const Tensor& mat2, const Scalar& beta = 1,
      const Scalar& alpha = 1) const {
    return compat_detail::write(*this, compat_detail::before_write(*this, mat1, mat2, beta, alpha).addmm(mat1, mat2, beta, alpha));
  }

  Tensor baddbmm(const Tensor& batch1, const Tensor& batch2, const Scalar& beta = 1,
      const Scalar& alpha = 1) const {
    compat_detail::of_dims(batch1, 3);
    return compat_detail::add_product(*this, batch1, compat_detail::of_dims(batch2, 3), beta,
        alpha);
  }

  Tensor& baddbmm_(const Tensor& batch1, const Tensor& batch2, const Scalar& beta = 1,
      const Scalar& alpha = 1) const {
    return compat_detail::write(*this, compat_detail::before_write(*this, batch1, batch2, beta, alpha).baddbmm(batch1, batch2, beta, alpha));
  }

  Tensor addmv(const Tensor& mat, const Tensor& vec, const Scalar& beta = 1,
      const Scalar& alpha = 1) const {
    compat_detail::of_dims(mat, 2);
    return compat_detail::add_product(*this, mat, compat_detail::of_dims(vec, 1), beta, alpha);
  }

  Tensor& addmv_(const Tensor& mat, const Tensor& vec, const Scalar& beta = 1,
      const Scalar& alpha = 1) const {
    return compat_detail::write(*this, compat_detail::before_write(*this, mat, vec, beta, alpha).addmv(mat, vec, beta, alpha));
  }

  Tensor cross(const Tensor& other, ::std::optional<int64_t> dim = ::std::nullopt) const {
    return compat_detail::cross(*this, other, dim);
  }

  Tensor norm(const Scalar& p = 2) const {
    return compat_detail::norm(*this, p.to<double>(), {}, false);
  }

  Tensor norm(const ::std::optional<Scalar>& p, IntArrayRef dim, bool keepdim = false) const {
    return compat_detail::norm(*this, p ? p->to<double>() : 2, dim.vec(), keepdim);
  }

  Tensor norm(const ::std::optional<Scalar>& p, IntArrayRef dim, bool keepdim,
      ScalarType dtype) const {
    compat_detail::only_real(*this);
    return toType(dtype).norm(p, dim, keepdim);
  }

  Tensor norm(const ::std::optional<Scalar>& p, ScalarType dtype) const {
    return norm(p, IntArrayRef(), false, dtype);
  }

  Tensor dist(const Tensor& other, const Scalar& p = 2) const { return sub(other).norm(p); }

  Tensor tril(int64_t diagonal = 0) const {
    return compat_detail::unary("tril", paddle::recorded::tril,
        compat_detail::at_least(*this, 2), scalar_type(), int(diagonal));
  }

  Tensor& tril_(int64_t diagonal = 0) const { return compat_detail::write(*this, compat_detail::before_write(*this, diagonal).tril(diagonal)); }

  Tensor triu(int64_t diagonal = 0) const {
    return compat_detail::unary("triu", paddle::recorded::triu,
        compat_detail::at_least(*this, 2), scalar_type(), int(diagonal));
  }

  Tensor& triu_(int64_t diagonal = 0) const { return compat_detail::write(*this, compat_detail::before_write(*this, diagonal).triu(diagonal)); }

  Tensor diag(int64_t diagonal = 0) const {
    TORCH_CHECK(dim() == 1 || dim() == 2, "diag: a vector or a matrix");
    return compat_detail::unary("diag", paddle::recorded::diag, *this, scalar_type(),
        int(diagonal), 0.0f);
  }

  Tensor diag_embed(int64_t offset = 0, int64_t dim1 = -2, int64_t dim2 = -1) const {
    const Tensor result = compat_detail::unary("diag_embed", paddle::recorded::diag_embed, *this,
        scalar_type(), int(offset), int(dim1), int(dim2));
    if (!compat_detail::is_recorded(tensor_)) return result;
    result.diagonal(offset, dim1, dim2).copy_(*this);  // as Paddle's function is not recorded
    return result;
  }

  Tensor trace() const { return compat_detail::trace(compat_detail::of_dims(*this, 2)); }

  Tensor inverse() const { return paddle::recorded::inverse(compat_detail::exact(*this)); }

  Tensor det() const { return paddle::recorded::det(compat_detail::exact(*this)); }

  // NaN where the sign is negative.
  Tensor logdet() const {
    const auto [sign, logarithm] = slogdet();
    return logarithm.add(sign.sqrt().mul(0));
  }

  ::std::tuple<Tensor, Tensor> slogdet() const {
    const auto [sign, logarithm] = compat_detail::sign_and_logarithm(compat_detail::exact(*this));
    return {Tensor(sign), Tensor(logarithm)};
  }

  Tensor cholesky(bool upper = false) const {
    return paddle::recorded::cholesky(compat_detail::exact(*this), upper);
  }

  ::std::tuple<Tensor, Tensor, Tensor> svd(bool some = true, bool compute_uv = true) const {
    const auto [u, s, vh] = paddle::recorded::svd(compat_detail::exact(*this), !some);
    if (compute_uv) return {Tensor(u), Tensor(s), compat_detail::transposed(vh)};
    return {paddle::experimental::zeros_like(u), Tensor(s),
        paddle::experimental::zeros_like(compat_detail::transposed(vh))};
  }

  ::std::tuple<Tensor, Tensor> qr(bool some = true) const {
    const auto [q, r] = paddle::recorded::qr(compat_detail::exact(*this),
        some ? "reduced" : "complete");
    return {Tensor(q), Tensor(r)};
  }

  Tensor matrix_power(int64_t n) const {
    return paddle::recorded::matrix_power(compat_detail::exact(*this), int(n));
  }

  Tensor vdot(const Tensor& other) const { return dot(other); }

  Tensor inner(const Tensor& other) const {
    if (dim() == 0 || other.dim() == 0) return mul(other);
    TORCH_CHECK(size(-1) == other.size(-1), "inner() the last dimension must match");
    return compat_detail::tensordot(*this, other, {-1}, {-1});
  }

  Tensor addr(const Tensor& vec1, const Tensor& vec2, const Scalar& beta = 1,
      const Scalar& alpha = 1) const {
    const Tensor product = vec1.outer(vec2).mul(alpha);
    return beta.to<double>() == 0 ? product : mul(beta).add(product);
  }

  Tensor& addr_(const Tensor& vec1, const Tensor& vec2, const Scalar& beta = 1,
      const Scalar& alpha = 1) const {
    return compat_detail::write(*this, compat_detail::before_write(*this, vec1, vec2, beta, alpha).addr(vec1, vec2, beta, alpha));
  }

  Tensor addbmm(const Tensor& batch1, const Tensor& batch2, const Scalar& beta = 1,
      const Scalar& alpha = 1) const {
    const Tensor product = compat_detail::total(batch1.bmm(batch2), 0);
    return beta.to<double>() == 0 ? product.mul(alpha) : mul(beta).add(product.mul(alpha));
  }

  Tensor& addbmm_(const Tensor& batch1, const Tensor& batch2, const Scalar& beta = 1,
      const Scalar& alpha = 1) const {
    return compat_detail::write(*this, compat_detail::before_write(*this, batch1, batch2, beta, alpha).addbmm(batch1, batch2, beta, alpha));
  }

  Tensor cholesky_solve(const Tensor& input2, bool upper = false) const {
    return paddle::recorded::cholesky_solve(compat_detail::exact(*this),
        compat_detail::exact(input2), upper);
  }

  Tensor cholesky_inverse(bool upper = false) const {
    const Tensor own = upper ? mT().matmul(*this) : matmul(mT());
    return own.inverse();
  }

  ::std::tuple<Tensor, Tensor> triangular_solve(const Tensor& A, bool upper = true,
      bool transpose = false, bool unitriangular = false) const {
    return {paddle::recorded::triangular_solve(compat_detail::exact(A),
        compat_detail::exact(*this), upper, transpose, unitriangular), A.clone()};
  }

  // slow: through Python
  Tensor lu_solve(const Tensor& LU_data, const Tensor& LU_pivots) const {
    return compat_detail::python("lambda b, lu, p: paddle.linalg.lu_solve(b, lu, p)", *this,
        LU_data, LU_pivots);
  }

  // slow: through Python
  Tensor matrix_exp() const {
    compat_detail::exact(*this);
    return compat_detail::python("paddle.linalg.matrix_exp", *this);
  }

  Tensor pinverse(double rcond = 1e-15) const {
    compat_detail::exact(*this);
    return compat_detail::python("lambda x, r: paddle.linalg.pinv(x, r)", *this, rcond);
  }

  // slow: through Python
  Tensor cov(int64_t correction = 1, const ::std::optional<Tensor>& fweights = {},
      const ::std::optional<Tensor>& aweights = {}) const {
    return compat_detail::python(compat_detail::COVARIANCE, *this, correction, fweights, aweights);
  }

  Tensor corrcoef() const {
    const Tensor c = cov(), d = c.dim() ? c.diag().sqrt() : c.sqrt();
    return c.dim() ? c.div(d.unsqueeze(-1)).div(d.unsqueeze(0)).clamp(Scalar(-1), Scalar(1)) : c.div(c);
  }

  Tensor diagflat(int64_t offset = 0) const { return reshape({-1}).diag(offset); }
};

}  // namespace at
