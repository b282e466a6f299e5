#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/ops/sum.h>

namespace at {

inline Tensor nansum(const Tensor& self, OptionalArrayRef<int64_t> dim = ::std::nullopt,
                     bool keepdim = false, ::std::optional<ScalarType> dtype = ::std::nullopt) {
  return self.nansum(dim, keepdim, dtype);
}

inline Tensor mean(const Tensor& self, ::std::optional<ScalarType> dtype = ::std::nullopt) {
  return self.mean(dtype);
}

inline Tensor mean(const Tensor& self, OptionalArrayRef<int64_t> dim, bool keepdim = false,
                   ::std::optional<ScalarType> dtype = ::std::nullopt) {
  return self.mean(dim, keepdim, dtype);
}

inline Tensor prod(const Tensor& self, ::std::optional<ScalarType> dtype = ::std::nullopt) {
  return self.prod(dtype);
}

inline Tensor prod(const Tensor& self, int64_t dim, bool keepdim = false,
                   ::std::optional<ScalarType> dtype = ::std::nullopt) {
  return self.prod(dim, keepdim, dtype);
}

inline Tensor max(const Tensor& self) { return self.max(); }

inline ::std::tuple<Tensor, Tensor> max(const Tensor& self, int64_t dim, bool keepdim = false) {
  return self.max(dim, keepdim);
}

inline Tensor max(const Tensor& self, const Tensor& other) { return self.max(other); }

inline Tensor min(const Tensor& self) { return self.min(); }

inline ::std::tuple<Tensor, Tensor> min(const Tensor& self, int64_t dim, bool keepdim = false) {
  return self.min(dim, keepdim);
}

inline Tensor min(const Tensor& self, const Tensor& other) { return self.min(other); }

inline Tensor amax(const Tensor& self, IntArrayRef dim = {}, bool keepdim = false) {
  return self.amax(dim, keepdim);
}

inline Tensor amin(const Tensor& self, IntArrayRef dim = {}, bool keepdim = false) {
  return self.amin(dim, keepdim);
}

inline ::std::tuple<Tensor, Tensor> aminmax(const Tensor& self,
                                            ::std::optional<int64_t> dim = ::std::nullopt,
                                            bool keepdim = false) {
  return self.aminmax(dim, keepdim);
}

inline Tensor argmax(const Tensor& self, ::std::optional<int64_t> dim = ::std::nullopt,
                     bool keepdim = false) {
  return self.argmax(dim, keepdim);
}

inline Tensor argmin(const Tensor& self, ::std::optional<int64_t> dim = ::std::nullopt,
                     bool keepdim = false) {
  return self.argmin(dim, keepdim);
}

inline Tensor any(const Tensor& self) { return self.any(); }

inline Tensor any(const Tensor& self, int64_t dim, bool keepdim = false) {
  return self.any(dim, keepdim);
}

inline Tensor any(const Tensor& self, OptionalArrayRef<int64_t> dim, bool keepdim = false) {
  return self.any(dim, keepdim);
}

inline Tensor all(const Tensor& self) { return self.all(); }

inline Tensor all(const Tensor& self, int64_t dim, bool keepdim = false) {
  return self.all(dim, keepdim);
}

inline Tensor all(const Tensor& self, OptionalArrayRef<int64_t> dim, bool keepdim = false) {
  return self.all(dim, keepdim);
}

inline Tensor var(const Tensor& self, bool unbiased) { return self.var(unbiased); }

inline Tensor var(const Tensor& self, OptionalArrayRef<int64_t> dim, bool unbiased,
                  bool keepdim = false) {
  return self.var(dim, unbiased, keepdim);
}

inline Tensor var(const Tensor& self, OptionalArrayRef<int64_t> dim = ::std::nullopt,
                  const ::std::optional<Scalar>& correction = ::std::nullopt,
                  bool keepdim = false) {
  return self.var(dim, correction, keepdim);
}

inline Tensor std(const Tensor& self, bool unbiased) { return self.std(unbiased); }

inline Tensor std(const Tensor& self, OptionalArrayRef<int64_t> dim, bool unbiased,
                  bool keepdim = false) {
  return self.std(dim, unbiased, keepdim);
}

inline Tensor std(const Tensor& self, OptionalArrayRef<int64_t> dim = ::std::nullopt,
                  const ::std::optional<Scalar>& correction = ::std::nullopt,
                  bool keepdim = false) {
  return self.std(dim, correction, keepdim);
}

inline Tensor logsumexp(const Tensor& self, IntArrayRef dim, bool keepdim = false) {
  return self.logsumexp(dim, keepdim);
}

inline Tensor count_nonzero(const Tensor& self, IntArrayRef dim) { return self.count_nonzero(dim); }

inline Tensor count_nonzero(const Tensor& self, ::std::optional<int64_t> dim = ::std::nullopt) {
  return self.count_nonzero(dim);
}

inline Tensor median(const Tensor& self) { return self.median(); }

inline ::std::tuple<Tensor, Tensor> median(const Tensor& self, int64_t dim, bool keepdim = false) {
  return self.median(dim, keepdim);
}

inline Tensor nanmedian(const Tensor& self) { return self.nanmedian(); }

inline ::std::tuple<Tensor, Tensor> nanmedian(const Tensor& self, int64_t dim,
                                              bool keepdim = false) {
  return self.nanmedian(dim, keepdim);
}

inline ::std::tuple<Tensor, Tensor> mode(const Tensor& self, int64_t dim = -1,
                                         bool keepdim = false) {
  return self.mode(dim, keepdim);
}

inline Tensor cumsum(const Tensor& self, int64_t dim,
                     ::std::optional<ScalarType> dtype = ::std::nullopt) {
  return self.cumsum(dim, dtype);
}

inline Tensor cumprod(const Tensor& self, int64_t dim,
                      ::std::optional<ScalarType> dtype = ::std::nullopt) {
  return self.cumprod(dim, dtype);
}

inline ::std::tuple<Tensor, Tensor> cummax(const Tensor& self, int64_t dim) {
  return self.cummax(dim);
}

inline ::std::tuple<Tensor, Tensor> cummin(const Tensor& self, int64_t dim) {
  return self.cummin(dim);
}

inline ::std::tuple<Tensor, Tensor> var_mean(
    const Tensor& self, OptionalArrayRef<int64_t> dim = ::std::nullopt,
    const ::std::optional<Scalar>& correction = ::std::nullopt, bool keepdim = false) {
  return {self.var(dim, correction, keepdim), self.mean(dim, keepdim)};
}

inline ::std::tuple<Tensor, Tensor> std_mean(
    const Tensor& self, OptionalArrayRef<int64_t> dim = ::std::nullopt,
    const ::std::optional<Scalar>& correction = ::std::nullopt, bool keepdim = false) {
  return {self.std(dim, correction, keepdim), self.mean(dim, keepdim)};
}

}  // namespace at
