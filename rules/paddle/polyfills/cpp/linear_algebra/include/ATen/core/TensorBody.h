#pragma once

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
    return compat_detail::binary("kron", paddle::experimental::kron, *this, other);
  }

  Tensor addmm(const Tensor& mat1, const Tensor& mat2, const Scalar& beta = 1,
      const Scalar& alpha = 1) const {
    compat_detail::of_dims(mat1, 2);
    return compat_detail::add_product(*this, mat1, compat_detail::of_dims(mat2, 2), beta, alpha);
  }

  Tensor& addmm_(const Tensor& mat1, const Tensor& mat2, const Scalar& beta = 1,
      const Scalar& alpha = 1) const {
    return compat_detail::write(*this, addmm(mat1, mat2, beta, alpha));
  }

  Tensor baddbmm(const Tensor& batch1, const Tensor& batch2, const Scalar& beta = 1,
      const Scalar& alpha = 1) const {
    compat_detail::of_dims(batch1, 3);
    return compat_detail::add_product(*this, batch1, compat_detail::of_dims(batch2, 3), beta,
        alpha);
  }

  Tensor& baddbmm_(const Tensor& batch1, const Tensor& batch2, const Scalar& beta = 1,
      const Scalar& alpha = 1) const {
    return compat_detail::write(*this, baddbmm(batch1, batch2, beta, alpha));
  }

  Tensor addmv(const Tensor& mat, const Tensor& vec, const Scalar& beta = 1,
      const Scalar& alpha = 1) const {
    compat_detail::of_dims(mat, 2);
    return compat_detail::add_product(*this, mat, compat_detail::of_dims(vec, 1), beta, alpha);
  }

  Tensor& addmv_(const Tensor& mat, const Tensor& vec, const Scalar& beta = 1,
      const Scalar& alpha = 1) const {
    return compat_detail::write(*this, addmv(mat, vec, beta, alpha));
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
    return compat_detail::unary("tril", paddle::experimental::tril,
        compat_detail::at_least(*this, 2), scalar_type(), int(diagonal));
  }

  Tensor& tril_(int64_t diagonal = 0) const { return compat_detail::write(*this,
      tril(diagonal)); }

  Tensor triu(int64_t diagonal = 0) const {
    return compat_detail::unary("triu", paddle::experimental::triu,
        compat_detail::at_least(*this, 2), scalar_type(), int(diagonal));
  }

  Tensor& triu_(int64_t diagonal = 0) const { return compat_detail::write(*this,
      triu(diagonal)); }

  Tensor diag(int64_t diagonal = 0) const {
    TORCH_CHECK(dim() == 1 || dim() == 2, "diag: a vector or a matrix");
    return compat_detail::unary("diag", paddle::experimental::diag, *this, scalar_type(),
        int(diagonal), 0.0f);
  }

  Tensor diag_embed(int64_t offset = 0, int64_t dim1 = -2, int64_t dim2 = -1) const {
    return compat_detail::unary("diag_embed", paddle::experimental::diag_embed, *this,
        scalar_type(), int(offset), int(dim1), int(dim2));
  }

  Tensor trace() const { return compat_detail::trace(compat_detail::of_dims(*this, 2)); }

  Tensor inverse() const { return paddle::experimental::inverse(compat_detail::exact(*this)); }

  Tensor det() const { return paddle::experimental::det(compat_detail::exact(*this)); }

  Tensor logdet() const { return det().log(); }

  ::std::tuple<Tensor, Tensor> slogdet() const {
    const auto both = paddle::experimental::slogdet(compat_detail::exact(*this));
    const auto parts = paddle::experimental::unbind(both, 0);
    return {Tensor(parts[0]), Tensor(parts[1])};
  }

  Tensor cholesky(bool upper = false) const {
    return paddle::experimental::cholesky(compat_detail::exact(*this), upper);
  }

  ::std::tuple<Tensor, Tensor, Tensor> svd(bool some = true, bool compute_uv = true) const {
    const auto [u, s, vh] = paddle::experimental::svd(compat_detail::exact(*this), !some);
    if (compute_uv) return {Tensor(u), Tensor(s), compat_detail::transposed(vh)};
    return {paddle::experimental::zeros_like(u), Tensor(s),
        paddle::experimental::zeros_like(compat_detail::transposed(vh))};
  }

  ::std::tuple<Tensor, Tensor> qr(bool some = true) const {
    const auto [q, r] = paddle::experimental::qr(compat_detail::exact(*this),
        some ? "reduced" : "complete");
    return {Tensor(q), Tensor(r)};
  }

  Tensor matrix_power(int64_t n) const {
    return paddle::experimental::matrix_power(compat_detail::exact(*this), int(n));
  }
};

}  // namespace at
