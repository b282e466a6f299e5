#pragma once
#include <porter_compat/recorded.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/empty_like.h>
#include <porter_compat/factory.h>
#include <porter_compat/numbers.h>

namespace at {

namespace compat_detail {

inline Scalar only_number(const Tensor& x) {
  check(x.dim() == 0, "only supports 0-dimensional start and end tensors");
  return x.item();
}

}  // namespace compat_detail

inline Tensor ones_like(const Tensor& self, TensorOptions options = {},
                        ::std::optional<MemoryFormat> memory_format = ::std::nullopt) {
  return compat_detail::fill(compat_detail::new_like(self, options, memory_format), 1);
}

inline Tensor ones_like(const Tensor& self, ::std::optional<ScalarType> dtype,
                        ::std::optional<Layout> layout, ::std::optional<Device> device,
                        ::std::optional<bool> pin_memory,
                        ::std::optional<MemoryFormat> memory_format) {
  return ones_like(self, compat_detail::options_of(dtype, layout, device, pin_memory), memory_format);
}

inline Tensor full_like(const Tensor& self, const Scalar& fill_value, TensorOptions options = {},
                        ::std::optional<MemoryFormat> memory_format = ::std::nullopt) {
  return compat_detail::fill(compat_detail::new_like(self, options, memory_format), fill_value);
}

inline Tensor full_like(const Tensor& self, const Scalar& fill_value,
                        ::std::optional<ScalarType> dtype, ::std::optional<Layout> layout,
                        ::std::optional<Device> device, ::std::optional<bool> pin_memory,
                        ::std::optional<MemoryFormat> memory_format) {
  return full_like(self, fill_value, compat_detail::options_of(dtype, layout, device, pin_memory), memory_format);
}

inline Tensor rand_like(const Tensor& self, TensorOptions options = {},
                        ::std::optional<MemoryFormat> memory_format = ::std::nullopt) {
  return Tensor(compat_detail::new_like(self, options, memory_format)).uniform_();
}

inline Tensor rand_like(const Tensor& self, ::std::optional<ScalarType> dtype,
                        ::std::optional<Layout> layout, ::std::optional<Device> device,
                        ::std::optional<bool> pin_memory,
                        ::std::optional<MemoryFormat> memory_format) {
  return rand_like(self, compat_detail::options_of(dtype, layout, device, pin_memory), memory_format);
}

inline Tensor randn_like(const Tensor& self, TensorOptions options = {},
                         ::std::optional<MemoryFormat> memory_format = ::std::nullopt) {
  return Tensor(compat_detail::new_like(self, options, memory_format)).normal_();
}

inline Tensor randn_like(const Tensor& self, ::std::optional<ScalarType> dtype,
                         ::std::optional<Layout> layout, ::std::optional<Device> device,
                         ::std::optional<bool> pin_memory,
                         ::std::optional<MemoryFormat> memory_format) {
  return randn_like(self, compat_detail::options_of(dtype, layout, device, pin_memory), memory_format);
}

inline Tensor randint_like(const Tensor& self, int64_t low, int64_t high,
                           TensorOptions options = {},
                           ::std::optional<MemoryFormat> memory_format = ::std::nullopt) {
  return Tensor(compat_detail::new_like(self, options, memory_format)).random_(low, high);
}

inline Tensor randint_like(const Tensor& self, int64_t low, int64_t high,
                           ::std::optional<ScalarType> dtype, ::std::optional<Layout> layout,
                           ::std::optional<Device> device, ::std::optional<bool> pin_memory,
                           ::std::optional<MemoryFormat> memory_format) {
  return randint_like(self, low, high, compat_detail::options_of(dtype, layout, device, pin_memory), memory_format);
}

inline Tensor randint_like(const Tensor& self, int64_t high, TensorOptions options = {},
                           ::std::optional<MemoryFormat> memory_format = ::std::nullopt) {
  return Tensor(compat_detail::new_like(self, options, memory_format)).random_(0, high);
}

inline Tensor randint_like(const Tensor& self, int64_t high, ::std::optional<ScalarType> dtype,
                           ::std::optional<Layout> layout, ::std::optional<Device> device,
                           ::std::optional<bool> pin_memory,
                           ::std::optional<MemoryFormat> memory_format) {
  return randint_like(self, high, compat_detail::options_of(dtype, layout, device, pin_memory), memory_format);
}

inline Tensor rand(IntArrayRef size, TensorOptions options = {}) {
  return compat_detail::uniform(size.vec(), 0, 1, options);
}

inline Tensor rand(IntArrayRef size, ::std::optional<ScalarType> dtype,
                   ::std::optional<Layout> layout, ::std::optional<Device> device,
                   ::std::optional<bool> pin_memory) {
  return rand(size, compat_detail::options_of(dtype, layout, device, pin_memory));
}

inline Tensor randn(IntArrayRef size, TensorOptions options = {}) {
  return compat_detail::gaussian(size.vec(), 0, 1, options);
}

inline Tensor randn(IntArrayRef size, ::std::optional<ScalarType> dtype,
                    ::std::optional<Layout> layout, ::std::optional<Device> device,
                    ::std::optional<bool> pin_memory) {
  return randn(size, compat_detail::options_of(dtype, layout, device, pin_memory));
}

inline Tensor randint(int64_t low, int64_t high, IntArrayRef size, TensorOptions options = {}) {
  return compat_detail::random_whole(size.vec(), low, high, options.dtype(options.dtype_opt().value_or(kLong)));
}

inline Tensor randint(int64_t low, int64_t high, IntArrayRef size,
                      ::std::optional<ScalarType> dtype, ::std::optional<Layout> layout,
                      ::std::optional<Device> device, ::std::optional<bool> pin_memory) {
  return randint(low, high, size, compat_detail::options_of(dtype, layout, device, pin_memory));
}

inline Tensor randint(int64_t high, IntArrayRef size, TensorOptions options = {}) {
  return randint(0, high, size, options);
}

inline Tensor randint(int64_t high, IntArrayRef size, ::std::optional<ScalarType> dtype,
                      ::std::optional<Layout> layout, ::std::optional<Device> device,
                      ::std::optional<bool> pin_memory) {
  return randint(high, size, compat_detail::options_of(dtype, layout, device, pin_memory));
}

inline Tensor normal(double mean, double std, IntArrayRef size, TensorOptions options = {}) {
  return compat_detail::gaussian(size.vec(), mean, std, options);
}

inline Tensor normal(double mean, double std, IntArrayRef size, ::std::optional<ScalarType> dtype,
                     ::std::optional<Layout> layout, ::std::optional<Device> device,
                     ::std::optional<bool> pin_memory) {
  return normal(mean, std, size, compat_detail::options_of(dtype, layout, device, pin_memory));
}

inline Tensor randperm(int64_t n, TensorOptions options = {}) {
  return Tensor(paddle::experimental::randperm(n, phi::DataType::INT64, options._PD_GetPlace())).toType(options.dtype_opt().value_or(kLong));
}

inline Tensor randperm(int64_t n, ::std::optional<ScalarType> dtype, ::std::optional<Layout> layout,
                       ::std::optional<Device> device, ::std::optional<bool> pin_memory) {
  return randperm(n, compat_detail::options_of(dtype, layout, device, pin_memory));
}

inline Tensor scalar_tensor(const Scalar& s, TensorOptions options = {}) {
  return compat_detail::fill(compat_detail::new_tensor({}, options), s);
}

inline Tensor scalar_tensor(const Scalar& s, ::std::optional<ScalarType> dtype,
                            ::std::optional<Layout> layout, ::std::optional<Device> device,
                            ::std::optional<bool> pin_memory) {
  return scalar_tensor(s, compat_detail::options_of(dtype, layout, device, pin_memory));
}

inline Tensor eye(int64_t n, int64_t m, TensorOptions options = {}) {
  return Tensor(paddle::experimental::eye(n, m, phi::DataType::FLOAT32, options._PD_GetPlace())).toType(options.dtype());
}

inline Tensor eye(int64_t n, int64_t m, ::std::optional<ScalarType> dtype,
                  ::std::optional<Layout> layout, ::std::optional<Device> device,
                  ::std::optional<bool> pin_memory) {
  return eye(n, m, compat_detail::options_of(dtype, layout, device, pin_memory));
}

inline Tensor eye(int64_t n, TensorOptions options = {}) {
  return eye(n, n, options);
}

inline Tensor eye(int64_t n, ::std::optional<ScalarType> dtype, ::std::optional<Layout> layout,
                  ::std::optional<Device> device, ::std::optional<bool> pin_memory) {
  return eye(n, compat_detail::options_of(dtype, layout, device, pin_memory));
}

inline Tensor linspace(const Scalar& start, const Scalar& end, int64_t steps,
                       TensorOptions options = {}) {
  return compat_detail::spaced(start, end, steps, options);
}

inline Tensor linspace(const Scalar& start, const Scalar& end, int64_t steps,
                       ::std::optional<ScalarType> dtype, ::std::optional<Layout> layout,
                       ::std::optional<Device> device, ::std::optional<bool> pin_memory) {
  return linspace(start, end, steps, compat_detail::options_of(dtype, layout, device, pin_memory));
}

inline Tensor logspace(const Scalar& start, const Scalar& end, int64_t steps, double base = 10.0,
                       TensorOptions options = {}) {
  return compat_detail::powers(base, start, end, steps, options);
}

inline Tensor logspace(const Scalar& start, const Scalar& end, int64_t steps, double base,
                       ::std::optional<ScalarType> dtype, ::std::optional<Layout> layout,
                       ::std::optional<Device> device, ::std::optional<bool> pin_memory) {
  return logspace(start, end, steps, base, compat_detail::options_of(dtype, layout, device, pin_memory));
}

inline Tensor linspace(const Tensor& start, const Tensor& end, int64_t steps, TensorOptions options = {}) {
  return linspace(compat_detail::only_number(start), compat_detail::only_number(end), steps, options);
}

inline Tensor linspace(const Tensor& start, const Scalar& end, int64_t steps, TensorOptions options = {}) {
  return linspace(compat_detail::only_number(start), end, steps, options);
}

inline Tensor linspace(const Scalar& start, const Tensor& end, int64_t steps, TensorOptions options = {}) {
  return linspace(start, compat_detail::only_number(end), steps, options);
}

inline Tensor logspace(const Tensor& start, const Tensor& end, int64_t steps, double base = 10.0,
                       TensorOptions options = {}) {
  return logspace(compat_detail::only_number(start), compat_detail::only_number(end), steps, base, options);
}

inline Tensor logspace(const Tensor& start, const Scalar& end, int64_t steps, double base = 10.0,
                       TensorOptions options = {}) {
  return logspace(compat_detail::only_number(start), end, steps, base, options);
}

inline Tensor logspace(const Scalar& start, const Tensor& end, int64_t steps, double base = 10.0,
                       TensorOptions options = {}) {
  return logspace(start, compat_detail::only_number(end), steps, base, options);
}

inline Tensor normal(const Tensor& mean, double std = 1) {
  compat_detail::check(std >= 0, "normal expects std >= 0.0");
  auto made = randn_like(mean)._PD_GetInner();
  return Tensor(paddle::recorded::add(
      paddle::recorded::scale(made, std, 0, true), mean._PD_GetInner()));
}

inline Tensor bernoulli(const Tensor& self) { return self.bernoulli(); }

inline Tensor bernoulli(const Tensor& self, double p) { return self.bernoulli(p); }

inline Tensor bernoulli(const Tensor& self, const Tensor& p) { return self.clone().bernoulli_(p); }

inline Tensor multinomial(const Tensor& self, int64_t num_samples, bool replacement = false) {
  return self.multinomial(num_samples, replacement);
}

inline Tensor poisson(const Tensor& self) {
  compat_detail::check(c10::isFloatingType(self.scalar_type()), "poisson is for floating numbers");
  return paddle::experimental::poisson(self._PD_GetInner());
}

// Real and imaginary part from length and angle.
inline Tensor polar(const Tensor& abs, const Tensor& angle) {
  namespace pe = paddle::recorded;
  compat_detail::check(abs.scalar_type() == angle.scalar_type(), "polar: expected one dtype");
  compat_detail::check(abs.scalar_type() == kFloat || abs.scalar_type() == kDouble,
                       "polar: expected float or double");
  const auto &length = abs._PD_GetInner(), &turn = angle._PD_GetInner();
  return pe::complex(pe::multiply(length, pe::cos(turn)), pe::multiply(length, pe::sin(turn)));
}

// The two real numbers of each complex one, as a last dimension.
inline Tensor view_as_real(const Tensor& self) {
  compat_detail::check(self.is_complex(), "view_as_real is only supported for complex tensors");
  auto real = self.scalar_type() == kComplexDouble ? kDouble : kFloat;
  return self.unsqueeze(-1).view(real);
}

inline Tensor view_as_complex(const Tensor& self) {
  bool wide = self.scalar_type() == kDouble;
  compat_detail::check((wide || self.scalar_type() == kFloat) && self.dim() > 0 && self.size(-1) == 2,
                       "view_as_complex wants floats with a last dimension of size 2");
  return self.view(wide ? kComplexDouble : kComplexFloat).squeeze(-1);
}

inline Tensor real(const Tensor& self) {
  return self.is_complex() ? view_as_real(self).select(-1, 0) : self;
}

inline Tensor imag(const Tensor& self) {
  compat_detail::check(self.is_complex(), "imag is only supported for complex tensors");
  return view_as_real(self).select(-1, 1);
}

}  // namespace at

namespace at {

template <class T>
Tensor tensor(ArrayRef<T> values, TensorOptions options = {}) {
  compat_detail::Numbers numbers(values);
  return numbers.tensor(options.dtype(options.dtype_opt().value_or(numbers.type())));
}

template <class T>
Tensor tensor(std::initializer_list<T> values, TensorOptions options = {}) {
  return tensor(ArrayRef<T>(values), options);
}

template <class T>
Tensor tensor(const std::vector<T>& values, TensorOptions options = {}) {
  return tensor(ArrayRef<T>(values), options);
}

template <class T, class = decltype(c10::CppTypeToScalarType<T>::value)>
Tensor tensor(T value, TensorOptions options = {}) {
  return tensor(ArrayRef<T>(value), options);
}

}  // namespace at

namespace torch {

inline at::Tensor tensor(const at::compat_detail::Numbers& numbers,
                         const at::TensorOptions& options = {}) {
  auto type = options.dtype_opt().value_or(numbers.python_type());
  return numbers.tensor(options.dtype(type));
}

}  // namespace torch
