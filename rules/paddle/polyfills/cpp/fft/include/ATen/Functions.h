#pragma once
#include <porter_compat/fft.h>

namespace at {

inline Tensor fft_fft(const Tensor& self, std::optional<c10::SymInt> n = std::nullopt, int64_t dim = -1,
                      std::optional<std::string_view> norm = std::nullopt) {
  return compat_detail::complex_to_complex(self, compat_detail::one(n), dim, norm, true);
}

inline Tensor fft_fft2(const Tensor& self, OptionalIntArrayRef s = std::nullopt, IntArrayRef dim = {-2, -1},
                       std::optional<std::string_view> norm = std::nullopt) {
  return compat_detail::complex_to_complex(self, s, dim, norm, true);
}

inline Tensor fft_fftn(const Tensor& self, OptionalIntArrayRef s = std::nullopt,
                       OptionalIntArrayRef dim = std::nullopt, std::optional<std::string_view> norm = std::nullopt) {
  return compat_detail::complex_to_complex(self, s, dim, norm, true);
}

inline Tensor fft_ifft(const Tensor& self, std::optional<c10::SymInt> n = std::nullopt, int64_t dim = -1,
                       std::optional<std::string_view> norm = std::nullopt) {
  return compat_detail::complex_to_complex(self, compat_detail::one(n), dim, norm, false);
}

inline Tensor fft_ifft2(const Tensor& self, OptionalIntArrayRef s = std::nullopt, IntArrayRef dim = {-2, -1},
                        std::optional<std::string_view> norm = std::nullopt) {
  return compat_detail::complex_to_complex(self, s, dim, norm, false);
}

inline Tensor fft_ifftn(const Tensor& self, OptionalIntArrayRef s = std::nullopt,
                        OptionalIntArrayRef dim = std::nullopt, std::optional<std::string_view> norm = std::nullopt) {
  return compat_detail::complex_to_complex(self, s, dim, norm, false);
}

inline Tensor fft_rfft(const Tensor& self, std::optional<c10::SymInt> n = std::nullopt, int64_t dim = -1,
                       std::optional<std::string_view> norm = std::nullopt) {
  return compat_detail::real_to_complex(self, compat_detail::one(n), dim, norm, true);
}

inline Tensor fft_rfft2(const Tensor& self, OptionalIntArrayRef s = std::nullopt, IntArrayRef dim = {-2, -1},
                        std::optional<std::string_view> norm = std::nullopt) {
  return compat_detail::real_to_complex(self, s, dim, norm, true);
}

inline Tensor fft_rfftn(const Tensor& self, OptionalIntArrayRef s = std::nullopt,
                        OptionalIntArrayRef dim = std::nullopt, std::optional<std::string_view> norm = std::nullopt) {
  return compat_detail::real_to_complex(self, s, dim, norm, true);
}

inline Tensor fft_irfft(const Tensor& self, std::optional<c10::SymInt> n = std::nullopt, int64_t dim = -1,
                        std::optional<std::string_view> norm = std::nullopt) {
  return compat_detail::complex_to_real(self, compat_detail::one(n), dim, norm, false);
}

inline Tensor fft_irfft2(const Tensor& self, OptionalIntArrayRef s = std::nullopt, IntArrayRef dim = {-2, -1},
                         std::optional<std::string_view> norm = std::nullopt) {
  return compat_detail::complex_to_real(self, s, dim, norm, false);
}

inline Tensor fft_irfftn(const Tensor& self, OptionalIntArrayRef s = std::nullopt,
                         OptionalIntArrayRef dim = std::nullopt, std::optional<std::string_view> norm = std::nullopt) {
  return compat_detail::complex_to_real(self, s, dim, norm, false);
}

inline Tensor fft_hfft(const Tensor& self, std::optional<c10::SymInt> n = std::nullopt, int64_t dim = -1,
                       std::optional<std::string_view> norm = std::nullopt) {
  return compat_detail::complex_to_real(self, compat_detail::one(n), dim, norm, true);
}

inline Tensor fft_hfft2(const Tensor& self, OptionalIntArrayRef s = std::nullopt, IntArrayRef dim = {-2, -1},
                        std::optional<std::string_view> norm = std::nullopt) {
  return compat_detail::complex_to_real(self, s, dim, norm, true);
}

inline Tensor fft_hfftn(const Tensor& self, OptionalIntArrayRef s = std::nullopt,
                        OptionalIntArrayRef dim = std::nullopt, std::optional<std::string_view> norm = std::nullopt) {
  return compat_detail::complex_to_real(self, s, dim, norm, true);
}

inline Tensor fft_ihfft(const Tensor& self, std::optional<c10::SymInt> n = std::nullopt, int64_t dim = -1,
                        std::optional<std::string_view> norm = std::nullopt) {
  return compat_detail::real_to_complex(self, compat_detail::one(n), dim, norm, false);
}

inline Tensor fft_ihfft2(const Tensor& self, OptionalIntArrayRef s = std::nullopt, IntArrayRef dim = {-2, -1},
                         std::optional<std::string_view> norm = std::nullopt) {
  return compat_detail::real_to_complex(self, s, dim, norm, false);
}

inline Tensor fft_ihfftn(const Tensor& self, OptionalIntArrayRef s = std::nullopt,
                         OptionalIntArrayRef dim = std::nullopt, std::optional<std::string_view> norm = std::nullopt) {
  return compat_detail::real_to_complex(self, s, dim, norm, false);
}

// 0, 1, ... and the negative ones, by the number of points and their distance.
inline Tensor fft_fftfreq(int64_t n, double d = 1.0, const TensorOptions& options = {}) {
  auto found = at::arange(static_cast<double>(n), options);
  if (n > 1) found.narrow(0, (n + 1) / 2, n / 2).sub_(n);
  return found.mul_(1.0 / (n * d));
}

inline Tensor fft_rfftfreq(int64_t n, double d = 1.0, const TensorOptions& options = {}) {
  return at::arange(n / 2 + 1.0, options).mul_(1.0 / (n * d));
}

// Half of each dimension rolled, so that zero is in the middle.
inline Tensor fft_fftshift(const Tensor& self, OptionalIntArrayRef dim = std::nullopt) {
  const auto dims = compat_detail::transformed(self, std::nullopt, dim);
  std::vector<int64_t> shifts;
  for (int64_t each : dims) shifts.push_back(self.size(each) / 2);
  return self.roll(shifts, dims);
}

inline Tensor fft_ifftshift(const Tensor& self, OptionalIntArrayRef dim = std::nullopt) {
  const auto dims = compat_detail::transformed(self, std::nullopt, dim);
  std::vector<int64_t> shifts;
  for (int64_t each : dims) shifts.push_back((self.size(each) + 1) / 2);
  return self.roll(shifts, dims);
}

}  // namespace at
