#pragma once

#include <porter_compat/recorded.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <porter_compat/drawing.h>
#include <porter_compat/promotion.h>

#include <tuple>

namespace at {

inline Tensor rand(IntArrayRef size, const ::std::optional<Generator>& generator, TensorOptions options = {}) {
  const compat_detail::Drawing drawing(generator, options.device());
  return at::rand(size, options);
}

inline Tensor randn(IntArrayRef size, const ::std::optional<Generator>& generator, TensorOptions options = {}) {
  const compat_detail::Drawing drawing(generator, options.device());
  return at::randn(size, options);
}

inline Tensor randint(
    int64_t low, int64_t high, IntArrayRef size, const ::std::optional<Generator>& generator,
    TensorOptions options = {}) {
  const compat_detail::Drawing drawing(generator, options.device());
  return at::randint(low, high, size, options);
}

inline Tensor randint(
    int64_t high, IntArrayRef size, const ::std::optional<Generator>& generator, TensorOptions options = {}) {
  return at::randint(0, high, size, generator, options);
}

inline Tensor randperm(int64_t n, const ::std::optional<Generator>& generator, TensorOptions options = {}) {
  const compat_detail::Drawing drawing(generator, options.device());
  return at::randperm(n, options);
}

inline Tensor normal(
    double mean, double std, IntArrayRef size, const ::std::optional<Generator>& generator,
    TensorOptions options = {}) {
  const compat_detail::Drawing drawing(generator, options.device());
  return at::normal(mean, std, size, options);
}

inline Tensor rand_like(
    const Tensor& self, const ::std::optional<Generator>& generator, TensorOptions options = {},
    ::std::optional<MemoryFormat> memory_format = ::std::nullopt) {
  const compat_detail::Drawing drawing(generator, options.device_opt().value_or(self.device()));
  return at::rand_like(self, options, memory_format);
}

inline Tensor randn_like(
    const Tensor& self, const ::std::optional<Generator>& generator, TensorOptions options = {},
    ::std::optional<MemoryFormat> memory_format = ::std::nullopt) {
  const compat_detail::Drawing drawing(generator, options.device_opt().value_or(self.device()));
  return at::randn_like(self, options, memory_format);
}

inline Tensor randint_like(
    const Tensor& self, int64_t low, int64_t high, const ::std::optional<Generator>& generator,
    TensorOptions options = {}, ::std::optional<MemoryFormat> memory_format = ::std::nullopt) {
  const compat_detail::Drawing drawing(generator, options.device_opt().value_or(self.device()));
  return at::randint_like(self, low, high, options, memory_format);
}

inline Tensor randint_like(
    const Tensor& self, int64_t high, const ::std::optional<Generator>& generator,
    TensorOptions options = {}, ::std::optional<MemoryFormat> memory_format = ::std::nullopt) {
  return at::randint_like(self, 0, high, generator, options, memory_format);
}

inline Tensor randint_like(
    const Tensor& self, const Tensor& high, const ::std::optional<Generator>& generator,
    TensorOptions options = {}, ::std::optional<MemoryFormat> memory_format = ::std::nullopt) {
  TORCH_CHECK(high.dim() == 0 && high.is_cpu(), "high must be a scalar tensor and on CPU");
  return at::randint_like(self, 0, high.item<int64_t>(), generator, options, memory_format);
}

inline Tensor randint_like(
    const Tensor& self, const Tensor& high, TensorOptions options = {},
    ::std::optional<MemoryFormat> memory_format = ::std::nullopt) {
  return at::randint_like(self, high, ::std::optional<Generator>(), options, memory_format);
}

inline Tensor bernoulli(const Tensor& self, const ::std::optional<Generator>& generator) {
  return self.bernoulli(generator);
}

inline Tensor bernoulli(const Tensor& self, double p, const ::std::optional<Generator>& generator) {
  return self.bernoulli(p, generator);
}

inline Tensor multinomial(
    const Tensor& self, int64_t num_samples, bool replacement, const ::std::optional<Generator>& generator) {
  return self.multinomial(num_samples, replacement, generator);
}

inline Tensor poisson(const Tensor& self, const ::std::optional<Generator>& generator) {
  const compat_detail::Drawing drawing(generator, self.device());
  return at::poisson(self);
}

inline Tensor binomial(
    const Tensor& count, const Tensor& prob, const ::std::optional<Generator>& generator = ::std::nullopt) {
  const auto type = compat_detail::only_real(count);
  TORCH_CHECK(type == prob.scalar_type(), "binomial: expected one dtype");
  if (count.numel() == 0) return count.clone();
  const compat_detail::Drawing drawing(generator, count.device());
  const Tensor chances = prob.expand(count.sizes()).contiguous();
  return Tensor(paddle::recorded::binomial(count._PD_GetInner(), chances._PD_GetInner())).toType(type);
}

inline Tensor normal(const Tensor& mean, double std, const ::std::optional<Generator>& generator) {
  TORCH_CHECK(std >= 0, "normal expects std >= 0.0");
  return at::randn_like(mean, generator).mul_(std).add_(mean.detach());
}

inline Tensor normal(
    double mean, const Tensor& std, const ::std::optional<Generator>& generator = ::std::nullopt) {
  TORCH_CHECK(std.numel() == 0 || std.min().ge(0).item<bool>(), "normal expects all elements of std >= 0.0");
  return at::randn_like(std, generator).mul_(std.detach()).add_(mean);
}

inline Tensor normal(
    const Tensor& mean, const Tensor& std, const ::std::optional<Generator>& generator = ::std::nullopt) {
  TORCH_CHECK(std.numel() == 0 || std.min().ge(0).item<bool>(), "normal expects all elements of std >= 0.0");
  const Tensor numbers = mean.mul(0).add(std.mul(0));
  return at::randn(numbers.sizes(), generator, mean.options()).mul_(std.detach()).add_(mean.detach());
}

inline Tensor normal_functional(
    const Tensor& self, double mean = 0, double std = 1,
    const ::std::optional<Generator>& generator = ::std::nullopt) {
  return at::empty_like(self).normal_(mean, std, generator);
}

// What is negative is multiplied by random numbers, which are kept in noise.
inline Tensor rrelu_with_noise(
    const Tensor& self, Tensor& noise, const Scalar& lower = 0.125, const Scalar& upper = 0.3333333333333333,
    bool training = false, const ::std::optional<Generator>& generator = ::std::nullopt) {
  compat_detail::only_real(self);
  const double from = lower.to<double>(), to = upper.to<double>();
  TORCH_CHECK(from <= to, "Lower bound should be less than or equal to the upper bound");
  if (!training) return self.where(self.gt(0), self.mul((from + to) / 2));
  const Tensor slope = at::empty_like(self).uniform_(from, to, generator).where(self.le(0), 1);
  compat_detail::write_out(noise, slope);
  return self.mul(slope);
}

inline Tensor& rrelu_with_noise_(
    Tensor& self, Tensor& noise, const Scalar& lower = 0.125, const Scalar& upper = 0.3333333333333333,
    bool training = false, const ::std::optional<Generator>& generator = ::std::nullopt) {
  return compat_detail::write(self, at::rrelu_with_noise(compat_detail::before_write(self), noise, lower, upper, training, generator));
}

inline Tensor rrelu(
    const Tensor& self, const Scalar& lower = 0.125, const Scalar& upper = 0.3333333333333333,
    bool training = false, const ::std::optional<Generator>& generator = ::std::nullopt) {
  Tensor noise = at::empty_like(self);
  return at::rrelu_with_noise(self, noise, lower, upper, training, generator);
}

inline Tensor& rrelu_(
    Tensor& self, const Scalar& lower = 0.125, const Scalar& upper = 0.3333333333333333,
    bool training = false, const ::std::optional<Generator>& generator = ::std::nullopt) {
  return compat_detail::write(self, at::rrelu(compat_detail::before_write(self), lower, upper, training, generator));
}

inline Tensor& rand_out(Tensor& out, IntArrayRef size, const ::std::optional<Generator>& generator) {
  return compat_detail::write_out(out, at::rand(size, generator, out.options()));
}

inline Tensor& randn_out(Tensor& out, IntArrayRef size, const ::std::optional<Generator>& generator) {
  return compat_detail::write_out(out, at::randn(size, generator, out.options()));
}

inline Tensor& randint_out(
    Tensor& out, int64_t low, int64_t high, IntArrayRef size, const ::std::optional<Generator>& generator) {
  return compat_detail::write_out(out, at::randint(low, high, size, generator, out.options()));
}

inline Tensor& randint_out(
    Tensor& out, int64_t high, IntArrayRef size, const ::std::optional<Generator>& generator) {
  return compat_detail::write_out(out, at::randint(high, size, generator, out.options()));
}

inline Tensor& randperm_out(Tensor& out, int64_t n, const ::std::optional<Generator>& generator) {
  return compat_detail::write_out(out, at::randperm(n, generator, out.options()));
}

inline Tensor& multinomial_out(
    Tensor& out, const Tensor& self, int64_t num_samples, bool replacement = false,
    const ::std::optional<Generator>& generator = ::std::nullopt) {
  TORCH_CHECK(out.scalar_type() == kLong, "multinomial expects Long tensor out");
  return compat_detail::write_out(out, self.multinomial(num_samples, replacement, generator));
}

inline Tensor& bernoulli_out(
    Tensor& out, const Tensor& self, const ::std::optional<Generator>& generator = ::std::nullopt) {
  return compat_detail::write_out(out, self.bernoulli(generator));
}

inline Tensor& normal_out(
    Tensor& out, const Tensor& mean, double std = 1,
    const ::std::optional<Generator>& generator = ::std::nullopt) {
  return compat_detail::write_out(out, at::normal(mean, std, generator));
}

inline Tensor& normal_out(
    Tensor& out, double mean, const Tensor& std,
    const ::std::optional<Generator>& generator = ::std::nullopt) {
  return compat_detail::write_out(out, at::normal(mean, std, generator));
}

inline Tensor& normal_out(
    Tensor& out, const Tensor& mean, const Tensor& std,
    const ::std::optional<Generator>& generator = ::std::nullopt) {
  return compat_detail::write_out(out, at::normal(mean, std, generator));
}

inline Tensor& normal_out(
    Tensor& out, double mean, double std, IntArrayRef size,
    const ::std::optional<Generator>& generator = ::std::nullopt) {
  return compat_detail::write_out(out, at::normal(mean, std, size, generator, out.options()));
}

}  // namespace at
