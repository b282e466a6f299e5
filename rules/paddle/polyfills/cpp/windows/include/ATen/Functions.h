#pragma once

#include <porter_compat/recorded.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/ones.h>

namespace at::compat_detail {

// The places from 0 to 1 of a window's points, in its dtype; ones where that says nothing.
inline Tensor places(int64_t length, bool periodic, const TensorOptions& options) {
  TORCH_CHECK(length >= 0, "a window has a length, not ", length);
  const auto type = options.dtype_opt().value_or(c10::get_default_dtype());
  TORCH_CHECK(c10::isFloatingType(type), "windows are of floating-point dtypes");
  const double last = static_cast<double>(periodic ? length : length - 1);
  return at::arange(length, options.dtype(kDouble)).div(last > 0 ? last : 1.0);
}

inline Tensor made_window(const Tensor& x, int64_t length, const TensorOptions& options) {
  const auto type = options.dtype_opt().value_or(c10::get_default_dtype());
  return length == 1 ? at::ones({1}, options.dtype(type)) : x.toType(type);
}

// a - b cos(2 pi x) + c cos(4 pi x).
inline Tensor cosine_window(
    int64_t length, bool periodic, double a, double b, double c, const TensorOptions& options) {
  const Tensor turn = places(length, periodic, options).mul(6.283185307179586);
  return made_window(
      turn.cos().mul(-b).add(turn.mul(2).cos().mul(c)).add(a), length, options);
}

}  // namespace at::compat_detail

namespace at {

inline Tensor hann_window(int64_t window_length, bool periodic, TensorOptions options = {}) {
  return compat_detail::cosine_window(window_length, periodic, 0.5, 0.5, 0, options);
}

inline Tensor hann_window(int64_t window_length, TensorOptions options = {}) {
  return hann_window(window_length, true, options);
}

inline Tensor hamming_window(
    int64_t window_length, bool periodic, double alpha, double beta, TensorOptions options = {}) {
  return compat_detail::cosine_window(window_length, periodic, alpha, beta, 0, options);
}

inline Tensor hamming_window(
    int64_t window_length, bool periodic, double alpha, TensorOptions options = {}) {
  return hamming_window(window_length, periodic, alpha, 0.46, options);
}

inline Tensor hamming_window(int64_t window_length, bool periodic, TensorOptions options = {}) {
  return hamming_window(window_length, periodic, 0.54, 0.46, options);
}

inline Tensor hamming_window(int64_t window_length, TensorOptions options = {}) {
  return hamming_window(window_length, true, options);
}

inline Tensor blackman_window(int64_t window_length, bool periodic, TensorOptions options = {}) {
  return compat_detail::cosine_window(window_length, periodic, 0.42, 0.5, 0.08, options);
}

inline Tensor blackman_window(int64_t window_length, TensorOptions options = {}) {
  return blackman_window(window_length, true, options);
}

inline Tensor bartlett_window(int64_t window_length, bool periodic, TensorOptions options = {}) {
  const Tensor x = compat_detail::places(window_length, periodic, options);
  return compat_detail::made_window(
      x.mul(2).sub(1).abs().neg().add(1), window_length, options);
}

inline Tensor bartlett_window(int64_t window_length, TensorOptions options = {}) {
  return bartlett_window(window_length, true, options);
}

inline Tensor kaiser_window(
    int64_t window_length, bool periodic, double beta, TensorOptions options = {}) {
  const Tensor x = compat_detail::places(window_length, periodic, options).mul(2).sub(1);
  const Tensor inner = x.square().neg().add(1).clamp_min(0).sqrt().mul(beta);
  const auto bessel = [](const Tensor& t) {
    return Tensor(paddle::recorded::i0(t._PD_GetInner()));
  };
  const Tensor most = bessel(at::ones({1}, x.options()).mul(beta));
  return compat_detail::made_window(bessel(inner).div(most), window_length, options);
}

inline Tensor kaiser_window(int64_t window_length, bool periodic, TensorOptions options = {}) {
  return kaiser_window(window_length, periodic, 12.0, options);
}

inline Tensor kaiser_window(int64_t window_length, TensorOptions options = {}) {
  return kaiser_window(window_length, true, 12.0, options);
}

}  // namespace at
