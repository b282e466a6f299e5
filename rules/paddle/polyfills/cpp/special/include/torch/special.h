#pragma once

#include <ATen/Functions.h>

#include <optional>

namespace torch::special {

using at::Tensor;

inline Tensor expit(const Tensor& self) { return at::special_expit(self); }

inline Tensor erf(const Tensor& self) { return at::special_erf(self); }

inline Tensor erfc(const Tensor& self) { return at::special_erfc(self); }

inline Tensor erfinv(const Tensor& self) { return at::special_erfinv(self); }

inline Tensor exp2(const Tensor& self) { return at::special_exp2(self); }

inline Tensor expm1(const Tensor& self) { return at::special_expm1(self); }

inline Tensor log1p(const Tensor& self) { return at::special_log1p(self); }

inline Tensor gammaln(const Tensor& self) { return at::special_gammaln(self); }

inline Tensor digamma(const Tensor& self) { return at::special_digamma(self); }

inline Tensor psi(const Tensor& self) { return at::special_psi(self); }

inline Tensor sinc(const Tensor& self) { return at::special_sinc(self); }

inline Tensor i0(const Tensor& self) { return at::special_i0(self); }

inline Tensor i0e(const Tensor& self) { return at::special_i0e(self); }

inline Tensor i1(const Tensor& self) { return at::special_i1(self); }

inline Tensor i1e(const Tensor& self) { return at::special_i1e(self); }

inline Tensor round(const Tensor& self, int64_t decimals = 0) {
  return at::special_round(self, decimals);
}

inline Tensor logit(const Tensor& self, ::std::optional<double> eps = ::std::nullopt) {
  return at::special_logit(self, eps);
}

inline Tensor polygamma(int64_t n, const Tensor& self) { return at::special_polygamma(n, self); }

inline Tensor multigammaln(const Tensor& self, int64_t p) {
  return at::special_multigammaln(self, p);
}

inline Tensor gammainc(const Tensor& self, const Tensor& other) {
  return at::special_gammainc(self, other);
}

inline Tensor gammaincc(const Tensor& self, const Tensor& other) {
  return at::special_gammaincc(self, other);
}

inline Tensor xlogy(const Tensor& self, const Tensor& other) {
  return at::special_xlogy(self, other);
}

inline Tensor xlogy(const Tensor& self, const at::Scalar& other) {
  return at::special_xlogy(self, other);
}

inline Tensor xlogy(const at::Scalar& self, const Tensor& other) {
  return at::special_xlogy(self, other);
}

inline Tensor xlog1py(const Tensor& self, const Tensor& other) {
  return at::special_xlog1py(self, other);
}

inline Tensor xlog1py(const at::Scalar& self, const Tensor& other) {
  return at::special_xlog1py(self, other);
}

inline Tensor xlog1py(const Tensor& self, const at::Scalar& other) {
  return at::special_xlog1py(self, other);
}

inline Tensor ndtr(const Tensor& self) { return at::special_ndtr(self); }

inline Tensor entr(const Tensor& self) { return at::special_entr(self); }

inline Tensor softmax(const Tensor& self, int64_t dim, ::std::optional<at::ScalarType> dtype = ::std::nullopt) {
  return at::special_softmax(self, dim, dtype);
}

inline Tensor log_softmax(const Tensor& self, int64_t dim, ::std::optional<at::ScalarType> dtype = ::std::nullopt) {
  return at::special_log_softmax(self, dim, dtype);
}

inline Tensor logsumexp(const Tensor& self, at::IntArrayRef dim, bool keepdim = false) {
  return at::special_logsumexp(self, dim, keepdim);
}

}  // namespace torch::special
