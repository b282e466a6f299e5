#pragma once

#include <porter_compat/recorded.h>
#include <porter_compat/elementwise.h>

namespace at {

// extends
class Tensor {
  Tensor angle() const {
    return compat_detail::real("angle", paddle::recorded::angle, *this);
  }

  // Of complex tensors a new one, where torch shows the same storage.
  Tensor conj() const {
    return is_complex() ? Tensor(paddle::recorded::conj(tensor_)) : *this;
  }

  Tensor conj_physical() const {
    return conj();
  }

  Tensor& conj_physical_() const { return compat_detail::write(*this, compat_detail::before_write(*this).conj_physical()); }

  Tensor resolve_conj() const {
    return *this;
  }

  Tensor resolve_neg() const {
    return *this;
  }

  bool is_conj() const {
    return false;
  }

  bool is_neg() const {
    return false;
  }

  Tensor positive() const {
    compat_detail::not_bool(scalar_type());
    return *this;
  }

  Tensor signbit() const {
    return is_floating_point() ? Tensor(paddle::experimental::ones_like(tensor_)).copysign(*this).lt(0) : lt(0);
  }

  Tensor sinc() const {
    const Tensor x = mul(3.141592653589793);
    return x.sin().div(x).where(x.ne(0), 1);
  }

  Tensor& sinc_() const { return compat_detail::write(*this, compat_detail::before_write(*this).sinc()); }

  Tensor nan_to_num(::std::optional<double> nan = ::std::nullopt, ::std::optional<double> posinf = ::std::nullopt, ::std::optional<double> neginf = ::std::nullopt) const {
    if (c10::isIntegralType(scalar_type(), true)) return clone();
    const auto kind = scalar_type();
    const double most = kind == kDouble ? 1.7976931348623157e308 : kind == kHalf ? 65504
        : kind == kBFloat16 ? 3.3895313892515355e38 : 3.4028234663852886e38;
    const Tensor numbers = where(isnan().logical_not(), nan.value_or(0)), infinite = isinf();
    const Tensor high = infinite.logical_and(gt(0)), low = infinite.logical_and(lt(0));
    const Tensor below = numbers.where(high.logical_not(), posinf.value_or(most));
    return below.where(low.logical_not(), neginf.value_or(-most));
  }

  Tensor& nan_to_num_(::std::optional<double> nan = ::std::nullopt, ::std::optional<double> posinf = ::std::nullopt, ::std::optional<double> neginf = ::std::nullopt) const { return compat_detail::write(*this, compat_detail::before_write(*this, nan, posinf, neginf).nan_to_num(nan, posinf, neginf)); }

  // log(exp(self) + exp(other)), from the larger of the two.
  Tensor logaddexp(const Tensor& other) const {
    const Tensor most = maximum(other);
    compat_detail::only_real(most);
    return most.where(most.isinf(), most.add(sub(other).abs().neg().exp().log1p()));
  }

  Tensor logaddexp2(const Tensor& other) const {
    const Tensor most = maximum(other);
    compat_detail::only_real(most);
    return most.where(most.isinf(), most.add(sub(other).abs().neg().exp2().log1p().mul(1.4426950408889634)));
  }

  Tensor float_power(const Scalar& exponent) const {
    return toType(kDouble).pow(exponent);
  }

  Tensor& float_power_(const Scalar& exponent) const {
    TORCH_CHECK(scalar_type() == kDouble, "float_power_ is for tensors of double");
    return compat_detail::write(*this, compat_detail::before_write(*this, exponent).float_power(exponent));
  }

  Tensor float_power(const Tensor& exponent) const {
    return toType(kDouble).pow(exponent.toType(kDouble));
  }

  Tensor& float_power_(const Tensor& exponent) const {
    TORCH_CHECK(scalar_type() == kDouble, "float_power_ is for tensors of double");
    return compat_detail::write(*this, compat_detail::before_write(*this, exponent).float_power(exponent));
  }

  Tensor hypot(const Tensor& other) const {
    const Tensor a = abs(), b = other.abs(), most = a.maximum(b);
    compat_detail::only_real(most);
    const Tensor length = most.mul(a.minimum(b).div(most).square().add(1).sqrt());
    return most.where(most.eq(0).logical_or(most.isinf()), length);
  }

  Tensor& hypot_(const Tensor& other) const { return compat_detail::write(*this, compat_detail::before_write(*this, other).hypot(other)); }

  Tensor xlogy(const Tensor& other) const {
    const Tensor all = mul(other.log());
    return all.where(eq(0).logical_and(other.isnan().logical_not()).logical_not(), 0);
  }

  Tensor& xlogy_(const Tensor& other) const { return compat_detail::write(*this, compat_detail::before_write(*this, other).xlogy(other)); }

  Tensor xlogy(const Scalar& other) const {
    return xlogy(Tensor(paddle::experimental::full({}, other, phi::DataType::FLOAT64)).toType(compat_detail::floating(scalar_type())));
  }

  Tensor& xlogy_(const Scalar& other) const { return compat_detail::write(*this, compat_detail::before_write(*this, other).xlogy(other)); }

  // slow: through Python
  Tensor gcd(const Tensor& other) const {
    return compat_detail::whole("paddle.gcd", *this, other);
  }

  Tensor& gcd_(const Tensor& other) const { return compat_detail::write(*this, compat_detail::before_write(*this, other).gcd(other)); }

  // slow: through Python
  Tensor lcm(const Tensor& other) const {
    return compat_detail::whole("lambda x, y: paddle.lcm(x, y).abs()", *this, other);
  }

  Tensor& lcm_(const Tensor& other) const { return compat_detail::write(*this, compat_detail::before_write(*this, other).lcm(other)); }

  Tensor heaviside(const Tensor& values) const {
    TORCH_CHECK(scalar_type() == values.scalar_type(), "heaviside: expected one dtype");
    return gt(0).toType(scalar_type()).where(ne(0), values);
  }

  Tensor& heaviside_(const Tensor& values) const { return compat_detail::write(*this, compat_detail::before_write(*this, values).heaviside(values)); }

  Tensor ldexp(const Tensor& other) const {
    return mul(other.exp2());
  }

  Tensor& ldexp_(const Tensor& other) const { return compat_detail::write(*this, compat_detail::before_write(*this, other).ldexp(other)); }

  Tensor nextafter(const Tensor& other) const {
    compat_detail::only_real(*this);
    return compat_detail::binary("nextafter", paddle::experimental::nextafter, *this, other);
  }

  Tensor& nextafter_(const Tensor& other) const { return compat_detail::write(*this, compat_detail::before_write(*this, other).nextafter(other)); }

  Tensor deg2rad() const {
    return mul(0.017453292519943295);
  }

  Tensor& deg2rad_() const { return compat_detail::write(*this, compat_detail::before_write(*this).deg2rad()); }

  Tensor rad2deg() const {
    return mul(57.29577951308232);
  }

  Tensor& rad2deg_() const { return compat_detail::write(*this, compat_detail::before_write(*this).rad2deg()); }

  Tensor logit(::std::optional<double> eps = ::std::nullopt) const {
    const Tensor x = eps ? clamp(Scalar(*eps), Scalar(1 - *eps)) : toType(compat_detail::floating(scalar_type()));
    return x.div(x.neg().add(1)).log();
  }

  Tensor& logit_(::std::optional<double> eps = ::std::nullopt) const { return compat_detail::write(*this, compat_detail::before_write(*this, eps).logit(eps)); }

  Tensor i0() const {
    return compat_detail::real("i0", paddle::recorded::i0, *this);
  }

  Tensor& i0_() const { return compat_detail::write(*this, compat_detail::before_write(*this).i0()); }

  Tensor igammac(const Tensor& other) const {
    return compat_detail::binary("gammaincc", paddle::recorded::gammaincc, *this, other);
  }

  Tensor& igammac_(const Tensor& other) const { return compat_detail::write(*this, compat_detail::before_write(*this, other).igammac(other)); }

  // 1 less igammac, or a series where that loses digits.
  Tensor igamma(const Tensor& other) const {
    const Tensor most = igammac(other).neg().add(1), small = most.lt(0.1).logical_and(other.gt(0)).logical_and(gt(0));
    if (!small.any().item<bool>()) return most;
    const Tensor a = toType(kDouble), x = other.toType(kDouble).where(small, 0);
    Tensor term = a.reciprocal().where(small, 1), sum = term;
    for (int64_t k = 1; k < 2000 && term.gt(sum.mul(1e-17)).any().item<bool>(); ++k) {
      term = term.mul(x.div(a.add(k))).where(small, 0);
      sum = sum.add(term);
    }
    const Tensor found = a.mul(x.log()).sub(x).sub(a.lgamma()).exp().mul(sum);
    return most.where(small.logical_not(), found.toType(most.scalar_type()));
  }

  Tensor& igamma_(const Tensor& other) const { return compat_detail::write(*this, compat_detail::before_write(*this, other).igamma(other)); }

  Tensor polygamma(int64_t n) const {
    TORCH_CHECK(n >= 0, "polygamma(n, x) does not support negative n.");
    const auto type = compat_detail::floating(scalar_type());
    return n == 0 ? digamma() : compat_detail::unary("polygamma", paddle::recorded::polygamma, *this, type, int(n));
  }

  Tensor& polygamma_(int64_t n) const { return compat_detail::write(*this, compat_detail::before_write(*this, n).polygamma(n)); }

  Tensor mvlgamma(int64_t p) const {
    Tensor sum = lgamma();
    for (int64_t i = 1; i < p; ++i) sum = sum.add(sub(i * 0.5).lgamma());
    return sum.add(p * (p - 1) * 0.28618247146235004);
  }

  Tensor& mvlgamma_(int64_t p) const { return compat_detail::write(*this, compat_detail::before_write(*this, p).mvlgamma(p)); }

  Tensor isposinf() const {
    return isinf().logical_and(gt(0));
  }

  Tensor isneginf() const {
    return isinf().logical_and(lt(0));
  }

  Tensor isreal() const {
    return is_complex() ? Tensor(paddle::recorded::imag(tensor_)).eq(0) : eq(*this).logical_or(ne(*this));
  }

  Tensor hardshrink(const Scalar& lambd = 0.5) const {
    compat_detail::only_real(*this);
    return where(abs().le(lambd).logical_not(), 0);
  }

  Tensor prelu(const Tensor& weight) const {
    compat_detail::only_real(*this);
    Tensor slope = weight;
    if (weight.numel() > 1) {
      TORCH_CHECK(dim() > 1 && size(1) == weight.numel(), "prelu: one weight for each channel");
      auto shape = ::std::vector<int64_t>(dim(), 1);
      shape[1] = -1;
      slope = weight.reshape(shape);
    }
    return where(gt(0), mul(slope));
  }

  Tensor logcumsumexp(int64_t dim) const {
    return compat_detail::unary("logcumsumexp", paddle::recorded::logcumsumexp, *this, compat_detail::only_real(*this), compat_detail::axis(*this, dim), false, false, false);
  }

  // Slices along a dimension, each at most as long as maxnorm.
  Tensor renorm(const Scalar& p, int64_t dim, const Scalar& maxnorm) const {
    compat_detail::only_real(*this);
    ::std::vector<int64_t> others;
    for (int64_t d = 0; d < this->dim(); ++d)
      if (d != compat_detail::axis(*this, dim)) others.push_back(d);
    TORCH_CHECK(!others.empty(), "renorm: input needs at least 2 dimensions");
    const Tensor length = norm(p, others, true);
    const Tensor scale = length.add(1e-7).reciprocal().mul(maxnorm);
    return mul(scale.where(length.gt(maxnorm), 1));
  }

  Tensor& renorm_(const Scalar& p, int64_t dim, const Scalar& maxnorm) const { return compat_detail::write(*this, compat_detail::before_write(*this, p, dim, maxnorm).renorm(p, dim, maxnorm)); }

  // slow: through Python
  ::std::tuple<Tensor, Tensor> frexp() const {
    compat_detail::only_real(*this);
    return compat_detail::python_two(
        "lambda x: (lambda m, e: (m, e.astype('int32')))(*paddle.frexp(x))", *this);
  }

  Tensor& sgn_() const { return sign_(); }

  Tensor& absolute_() const { return abs_(); }
};

}  // namespace at
