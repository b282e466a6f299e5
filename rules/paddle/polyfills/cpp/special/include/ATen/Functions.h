#pragma once

#include <porter_compat/recorded.h>
#include <ATen/core/Tensor.h>
#include <porter_compat/promotion.h>

namespace at {

inline Tensor special_expit(const Tensor& self) { return self.sigmoid(); }

inline Tensor special_erf(const Tensor& self) { return self.erf(); }

inline Tensor special_erfc(const Tensor& self) { return self.erfc(); }

inline Tensor special_erfinv(const Tensor& self) { return self.erfinv(); }

inline Tensor special_exp2(const Tensor& self) { return self.exp2(); }

inline Tensor special_expm1(const Tensor& self) { return self.expm1(); }

inline Tensor special_log1p(const Tensor& self) { return self.log1p(); }

inline Tensor special_gammaln(const Tensor& self) { return self.lgamma(); }

inline Tensor special_digamma(const Tensor& self) { return self.digamma(); }

inline Tensor special_psi(const Tensor& self) { return self.digamma(); }

inline Tensor special_sinc(const Tensor& self) { return self.sinc(); }

inline Tensor special_i0(const Tensor& self) { return self.i0(); }

inline Tensor special_i0e(const Tensor& self) {
  return compat_detail::real("i0e", paddle::recorded::i0e, self);
}

inline Tensor special_i1(const Tensor& self) {
  return compat_detail::real("i1", paddle::recorded::i1, self);
}

inline Tensor special_i1e(const Tensor& self) {
  return compat_detail::real("i1e", paddle::recorded::i1e, self);
}

inline Tensor special_round(const Tensor& self, int64_t decimals = 0) {
  compat_detail::only_real(self);
  return self.round(decimals);
}

inline Tensor special_logit(const Tensor& self, ::std::optional<double> eps = ::std::nullopt) {
  return self.logit(eps);
}

inline Tensor special_polygamma(int64_t n, const Tensor& self) { return self.polygamma(n); }

inline Tensor special_multigammaln(const Tensor& self, int64_t p) { return self.mvlgamma(p); }

inline Tensor special_gammainc(const Tensor& self, const Tensor& other) {
  return self.igamma(other);
}

inline Tensor special_gammaincc(const Tensor& self, const Tensor& other) {
  return self.igammac(other);
}

inline Tensor special_xlogy(const Tensor& self, const Tensor& other) { return self.xlogy(other); }

inline Tensor special_xlogy(const Tensor& self, const Scalar& other) { return self.xlogy(other); }

inline Tensor special_xlogy(const Scalar& self, const Tensor& other) { return at::xlogy(self, other); }

// 0 where self is, unless other is not a number.
inline Tensor special_xlog1py(const Tensor& self, const Tensor& other) {
  const Tensor all = self.mul(other.log1p());
  return all.where(self.eq(0).logical_and(other.isnan().logical_not()).logical_not(), 0);
}

inline Tensor special_xlog1py(const Scalar& self, const Tensor& other) {
  const auto type = compat_detail::floating(other.scalar_type());
  return special_xlog1py(compat_detail::number_of_double(self).toType(type), other);
}

inline Tensor special_xlog1py(const Tensor& self, const Scalar& other) {
  const auto type = compat_detail::floating(self.scalar_type());
  return special_xlog1py(self, compat_detail::number_of_double(other).toType(type));
}

inline Tensor special_ndtr(const Tensor& self) {
  return self.mul(-0.7071067811865476).erfc().mul(0.5);
}

inline Tensor special_entr(const Tensor& self) { return self.xlogy(self).neg(); }

inline Tensor special_softmax(const Tensor& self, int64_t dim, ::std::optional<ScalarType> dtype = ::std::nullopt) {
  return self.softmax(dim, dtype);
}

inline Tensor special_log_softmax(const Tensor& self, int64_t dim, ::std::optional<ScalarType> dtype = ::std::nullopt) {
  return self.log_softmax(dim, dtype);
}

inline Tensor special_logsumexp(const Tensor& self, IntArrayRef dim, bool keepdim = false) {
  return self.logsumexp(dim, keepdim);
}

inline Tensor special_modified_bessel_i0(const Tensor& self) { return self.i0(); }

inline Tensor special_modified_bessel_i1(const Tensor& self) { return special_i1(self); }

inline Tensor special_spherical_bessel_j0(const Tensor& self) {
  const Tensor x = self.toType(compat_detail::floating(self.scalar_type()));
  return x.sin().div(x).where(x.eq(0).logical_not(), 1).where(x.isinf().logical_not(), 0);
}

}  // namespace at
