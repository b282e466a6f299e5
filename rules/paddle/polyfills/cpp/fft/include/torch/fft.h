#pragma once
#include <ATen/Functions.h>
#include <ATen/core/Tensor.h>
#include <c10/util/OptionalArrayRef.h>

#include <optional>
#include <string_view>

namespace torch::fft {

using at::Tensor;

inline Tensor fft(const Tensor& self, std::optional<c10::SymInt> n = std::nullopt, int64_t dim = -1,
                 std::optional<std::string_view> norm = std::nullopt) {
  return at::fft_fft(self, n, dim, norm);
}

inline Tensor fft2(const Tensor& self, at::OptionalIntArrayRef s = std::nullopt,
                  at::IntArrayRef dim = {-2, -1}, std::optional<std::string_view> norm = std::nullopt) {
  return at::fft_fft2(self, s, dim, norm);
}

inline Tensor fftn(const Tensor& self, at::OptionalIntArrayRef s = std::nullopt,
                  at::OptionalIntArrayRef dim = std::nullopt,
                  std::optional<std::string_view> norm = std::nullopt) {
  return at::fft_fftn(self, s, dim, norm);
}

inline Tensor ifft(const Tensor& self, std::optional<c10::SymInt> n = std::nullopt, int64_t dim = -1,
                  std::optional<std::string_view> norm = std::nullopt) {
  return at::fft_ifft(self, n, dim, norm);
}

inline Tensor ifft2(const Tensor& self, at::OptionalIntArrayRef s = std::nullopt,
                   at::IntArrayRef dim = {-2, -1}, std::optional<std::string_view> norm = std::nullopt) {
  return at::fft_ifft2(self, s, dim, norm);
}

inline Tensor ifftn(const Tensor& self, at::OptionalIntArrayRef s = std::nullopt,
                   at::OptionalIntArrayRef dim = std::nullopt,
                   std::optional<std::string_view> norm = std::nullopt) {
  return at::fft_ifftn(self, s, dim, norm);
}

inline Tensor rfft(const Tensor& self, std::optional<c10::SymInt> n = std::nullopt, int64_t dim = -1,
                  std::optional<std::string_view> norm = std::nullopt) {
  return at::fft_rfft(self, n, dim, norm);
}

inline Tensor rfft2(const Tensor& self, at::OptionalIntArrayRef s = std::nullopt,
                   at::IntArrayRef dim = {-2, -1}, std::optional<std::string_view> norm = std::nullopt) {
  return at::fft_rfft2(self, s, dim, norm);
}

inline Tensor rfftn(const Tensor& self, at::OptionalIntArrayRef s = std::nullopt,
                   at::OptionalIntArrayRef dim = std::nullopt,
                   std::optional<std::string_view> norm = std::nullopt) {
  return at::fft_rfftn(self, s, dim, norm);
}

inline Tensor irfft(const Tensor& self, std::optional<c10::SymInt> n = std::nullopt, int64_t dim = -1,
                   std::optional<std::string_view> norm = std::nullopt) {
  return at::fft_irfft(self, n, dim, norm);
}

inline Tensor irfft2(const Tensor& self, at::OptionalIntArrayRef s = std::nullopt,
                    at::IntArrayRef dim = {-2, -1}, std::optional<std::string_view> norm = std::nullopt) {
  return at::fft_irfft2(self, s, dim, norm);
}

inline Tensor irfftn(const Tensor& self, at::OptionalIntArrayRef s = std::nullopt,
                    at::OptionalIntArrayRef dim = std::nullopt,
                    std::optional<std::string_view> norm = std::nullopt) {
  return at::fft_irfftn(self, s, dim, norm);
}

inline Tensor hfft(const Tensor& self, std::optional<c10::SymInt> n = std::nullopt, int64_t dim = -1,
                  std::optional<std::string_view> norm = std::nullopt) {
  return at::fft_hfft(self, n, dim, norm);
}

inline Tensor hfft2(const Tensor& self, at::OptionalIntArrayRef s = std::nullopt,
                   at::IntArrayRef dim = {-2, -1}, std::optional<std::string_view> norm = std::nullopt) {
  return at::fft_hfft2(self, s, dim, norm);
}

inline Tensor hfftn(const Tensor& self, at::OptionalIntArrayRef s = std::nullopt,
                   at::IntArrayRef dim = {-2, -1},
                   std::optional<std::string_view> norm = std::nullopt) {
  return at::fft_hfftn(self, s, dim, norm);
}

inline Tensor ihfft(const Tensor& self, std::optional<c10::SymInt> n = std::nullopt, int64_t dim = -1,
                   std::optional<std::string_view> norm = std::nullopt) {
  return at::fft_ihfft(self, n, dim, norm);
}

inline Tensor ihfft2(const Tensor& self, at::OptionalIntArrayRef s = std::nullopt,
                    at::IntArrayRef dim = {-2, -1}, std::optional<std::string_view> norm = std::nullopt) {
  return at::fft_ihfft2(self, s, dim, norm);
}

inline Tensor ihfftn(const Tensor& self, at::OptionalIntArrayRef s = std::nullopt,
                    at::IntArrayRef dim = {-2, -1},
                    std::optional<std::string_view> norm = std::nullopt) {
  return at::fft_ihfftn(self, s, dim, norm);
}

inline Tensor fftfreq(int64_t n, double d, const at::TensorOptions& options = {}) {
  return at::fft_fftfreq(n, d, options);
}

inline Tensor fftfreq(int64_t n, const at::TensorOptions& options = {}) {
  return at::fft_fftfreq(n, 1.0, options);
}

inline Tensor rfftfreq(int64_t n, double d, const at::TensorOptions& options) {
  return at::fft_rfftfreq(n, d, options);
}

inline Tensor rfftfreq(int64_t n, const at::TensorOptions& options) {
  return at::fft_rfftfreq(n, 1.0, options);
}

inline Tensor fftshift(const Tensor& self, at::OptionalIntArrayRef dim = std::nullopt) {
  return at::fft_fftshift(self, dim);
}

inline Tensor ifftshift(const Tensor& self, at::OptionalIntArrayRef dim = std::nullopt) {
  return at::fft_ifftshift(self, dim);
}

}  // namespace torch::fft
