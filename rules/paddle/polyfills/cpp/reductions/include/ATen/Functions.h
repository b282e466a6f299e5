#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/ops/sum.h>
#include <porter_compat/promotion.h>

namespace at {

inline Tensor nansum(const Tensor& self, OptionalArrayRef<int64_t> dim = ::std::nullopt,
                     bool keepdim = false, ::std::optional<ScalarType> dtype = ::std::nullopt) {
  return self.nansum(dim, keepdim, dtype);
}

inline Tensor nanmean(const Tensor& self, OptionalArrayRef<int64_t> dim = ::std::nullopt,
                      bool keepdim = false,
                      ::std::optional<ScalarType> dtype = ::std::nullopt) {
  return self.nanmean(dim, keepdim, dtype);
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

inline Tensor& mean_out(Tensor& out, const Tensor& self, OptionalArrayRef<int64_t> dim,
                        bool keepdim = false, ::std::optional<ScalarType> dtype = ::std::nullopt) {
  return compat_detail::write_out(out, self.mean(dim, keepdim, dtype));
}

inline Tensor& prod_out(Tensor& out, const Tensor& self, int64_t dim, bool keepdim = false,
                        ::std::optional<ScalarType> dtype = ::std::nullopt) {
  return compat_detail::write_out(out, self.prod(dim, keepdim, dtype.value_or(out.scalar_type())));
}

inline Tensor& cumsum_out(Tensor& out, const Tensor& self, int64_t dim,
                          ::std::optional<ScalarType> dtype = ::std::nullopt) {
  return compat_detail::write_out(out, self.cumsum(dim, dtype.value_or(out.scalar_type())));
}

inline Tensor& cumprod_out(Tensor& out, const Tensor& self, int64_t dim,
                           ::std::optional<ScalarType> dtype = ::std::nullopt) {
  return compat_detail::write_out(out, self.cumprod(dim, dtype.value_or(out.scalar_type())));
}

inline Tensor& max_out(Tensor& out, const Tensor& self, const Tensor& other) {
  return compat_detail::write_out(out, self.max(other));
}

inline Tensor& max_out(Tensor& out, const Tensor& self) {
  return compat_detail::write_out(out, self.max());
}

inline ::std::tuple<Tensor&, Tensor&> max_out(Tensor& max, Tensor& indices, const Tensor& self,
                                              int64_t dim, bool keepdim = false) {
  const auto found = self.max(dim, keepdim);
  return {compat_detail::write_out(max, ::std::get<0>(found)),
          compat_detail::write_out(indices, ::std::get<1>(found))};
}

inline Tensor& min_out(Tensor& out, const Tensor& self, const Tensor& other) {
  return compat_detail::write_out(out, self.min(other));
}

inline Tensor& min_out(Tensor& out, const Tensor& self) {
  return compat_detail::write_out(out, self.min());
}

inline ::std::tuple<Tensor&, Tensor&> min_out(Tensor& min, Tensor& indices, const Tensor& self,
                                              int64_t dim, bool keepdim = false) {
  const auto found = self.min(dim, keepdim);
  return {compat_detail::write_out(min, ::std::get<0>(found)),
          compat_detail::write_out(indices, ::std::get<1>(found))};
}

inline Tensor& amax_out(Tensor& out, const Tensor& self, IntArrayRef dim = {},
                        bool keepdim = false) {
  return compat_detail::write_out(out, self.amax(dim, keepdim));
}

inline Tensor& amin_out(Tensor& out, const Tensor& self, IntArrayRef dim = {},
                        bool keepdim = false) {
  return compat_detail::write_out(out, self.amin(dim, keepdim));
}

inline Tensor& argmax_out(Tensor& out, const Tensor& self,
                          ::std::optional<int64_t> dim = ::std::nullopt, bool keepdim = false) {
  return compat_detail::write_out(out, self.argmax(dim, keepdim));
}

inline Tensor& argmin_out(Tensor& out, const Tensor& self,
                          ::std::optional<int64_t> dim = ::std::nullopt, bool keepdim = false) {
  return compat_detail::write_out(out, self.argmin(dim, keepdim));
}

inline Tensor& any_out(Tensor& out, const Tensor& self) {
  return compat_detail::write_out(out, self.any());
}

inline Tensor& any_out(Tensor& out, const Tensor& self, int64_t dim, bool keepdim = false) {
  return compat_detail::write_out(out, self.any(dim, keepdim));
}

inline Tensor& all_out(Tensor& out, const Tensor& self) {
  return compat_detail::write_out(out, self.all());
}

inline Tensor& all_out(Tensor& out, const Tensor& self, int64_t dim, bool keepdim = false) {
  return compat_detail::write_out(out, self.all(dim, keepdim));
}

inline Tensor cumulative_trapezoid(const Tensor& y, const Scalar& dx = 1, int64_t dim = -1) {
  TORCH_CHECK(y.dim() > 0, "cumulative_trapezoid: a tensor without dimensions");
  const int64_t size = y.size(compat_detail::wrapped(dim, y.dim()));
  return y.narrow(dim, 0, size - 1).add(y.narrow(dim, 1, size - 1)).mul(dx).cumsum(dim).div(2.);
}

inline Tensor cumulative_trapezoid(const Tensor& y, const Tensor& x, int64_t dim = -1) {
  TORCH_CHECK(y.dim() > 0 && x.dim() > 0, "cumulative_trapezoid: a tensor without dimensions");
  const int64_t axis = compat_detail::wrapped(dim, y.dim()), size = y.size(axis);
  Tensor at = x;
  if (x.dim() == 1) {
    TORCH_CHECK(x.size(0) == size, "cumulative_trapezoid: as many places as values");
    auto wide = ::std::vector<int64_t>(y.dim(), 1);
    wide[axis] = size;
    at = x.view(wide);
  }
  const int64_t there = axis + at.dim() - y.dim(), count = at.size(there);
  const Tensor steps = at.narrow(there, 1, count - 1).sub(at.narrow(there, 0, count - 1));
  const Tensor sums = y.narrow(axis, 0, size - 1).add(y.narrow(axis, 1, size - 1));
  return steps.div(2.).mul(sums).cumsum(axis - y.dim());
}

// The area below y, at a distance or at places x.
inline Tensor trapezoid(const Tensor& y, const Scalar& dx = 1, int64_t dim = -1) {
  TORCH_CHECK(y.dim() > 0, "trapezoid: a tensor without dimensions");
  const int64_t size = y.size(compat_detail::wrapped(dim, y.dim()));
  if (size == 0) return y.sum(IntArrayRef(dim), false, y.scalar_type());
  return y.narrow(dim, 0, size - 1).add(y.narrow(dim, 1, size - 1)).sum(dim).mul(dx).div(2.);
}

inline Tensor trapezoid(const Tensor& y, const Tensor& x, int64_t dim = -1) {
  TORCH_CHECK(y.dim() > 0 && x.dim() > 0, "trapezoid: a tensor without dimensions");
  const int64_t axis = compat_detail::wrapped(dim, y.dim()), size = y.size(axis);
  if (size == 0) return y.sum(IntArrayRef(dim), false, y.scalar_type());
  Tensor at = x;
  if (x.dim() == 1) {
    TORCH_CHECK(x.size(0) == size, "trapezoid: as many places as values");
    auto wide = ::std::vector<int64_t>(y.dim(), 1);
    wide[axis] = size;
    at = x.view(wide);
  }
  const int64_t there = axis + at.dim() - y.dim(), count = at.size(there);
  const Tensor steps = at.narrow(there, 1, count - 1).sub(at.narrow(there, 0, count - 1));
  const Tensor sums = y.narrow(axis, 0, size - 1).add(y.narrow(axis, 1, size - 1));
  return sums.mul(steps).sum(axis).div(2.);
}

inline Tensor trapz(const Tensor& y, double dx = 1, int64_t dim = -1) {
  return trapezoid(y, Scalar(dx), dim);
}

inline Tensor trapz(const Tensor& y, const Tensor& x, int64_t dim = -1) {
  return trapezoid(y, x, dim);
}

inline Tensor& mean_out(
    Tensor& out, const Tensor& self, ::std::optional<ScalarType> dtype = ::std::nullopt) {
  return compat_detail::write_out(out, self.mean(dtype));
}

inline Tensor& any_out(
    Tensor& out, const Tensor& self, OptionalArrayRef<int64_t> dim, bool keepdim = false) {
  return compat_detail::write_out(out, self.any(dim, keepdim));
}

inline Tensor& all_out(
    Tensor& out, const Tensor& self, OptionalArrayRef<int64_t> dim, bool keepdim = false) {
  return compat_detail::write_out(out, self.all(dim, keepdim));
}

}  // namespace at
