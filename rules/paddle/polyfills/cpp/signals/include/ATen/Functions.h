#pragma once

#include <porter_compat/recorded.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/zeros.h>

#include <optional>
#include <string_view>

namespace at {

namespace compat_detail {

// As long as a transform, the window in the middle.
inline Tensor centered_window(
    const ::std::optional<Tensor>& window, int64_t win_length, int64_t n_fft, const TensorOptions& options) {
  const bool given = window && window->defined();
  TORCH_CHECK(0 < win_length && win_length <= n_fft, "expected 0 < win_length <= n_fft");
  TORCH_CHECK(!given || (window->dim() == 1 && window->size(0) == win_length), "a window of win_length expected");
  const Tensor own = given ? *window : at::ones({win_length}, options);
  const int64_t left = (n_fft - win_length) / 2;
  if (win_length == n_fft) return own;
  return at::cat({at::zeros({left}, own.options()), own, at::zeros({n_fft - win_length - left}, own.options())}, 0);
}

}  // namespace compat_detail

inline Tensor stft(
    const Tensor& self, int64_t n_fft, ::std::optional<int64_t> hop_length = ::std::nullopt,
    ::std::optional<int64_t> win_length = ::std::nullopt, const ::std::optional<Tensor>& window = {},
    bool center = true, ::std::string_view pad_mode = "reflect",
    bool normalized = false, ::std::optional<bool> onesided = ::std::nullopt,
    ::std::optional<bool> return_complex = ::std::nullopt,
    ::std::optional<bool> align_to_window = ::std::nullopt) {
  const int64_t hop = hop_length.value_or(n_fft / 4);
  const bool complex = self.is_complex() || (window && window->defined() && window->is_complex());
  TORCH_CHECK(return_complex || complex, "stft requires the return_complex parameter be given for real inputs");
  TORCH_CHECK(!align_to_window, "stft: align_to_window is not supported");
  TORCH_CHECK(self.is_floating_point() || self.is_complex(), "stft expected a tensor of floating point or complex values");
  TORCH_CHECK(self.dim() == 1 || self.dim() == 2, "stft expected a 1D or 2D tensor");
  const bool one = onesided.value_or(!complex);
  TORCH_CHECK(!one || !complex, "Cannot have onesided output if window or input is complex");
  Tensor x = self.dim() == 1 ? self.unsqueeze(0) : self;
  if (center) x = at::pad(x.unsqueeze(1), {n_fft / 2, n_fft / 2}, pad_mode).squeeze(1);
  TORCH_CHECK(0 < n_fft && n_fft <= x.size(1), "stft expected 0 < n_fft <= the length of the signal");
  TORCH_CHECK(hop > 0, "stft expected hop_length > 0");
  const auto real = compat_detail::centered_window(window, win_length.value_or(n_fft), n_fft, self.options());
  const Tensor frames = x.contiguous().unfold(1, n_fft, hop).mul(real).contiguous();
  const ::std::string_view norm = normalized ? "ortho" : "backward";
  const Tensor found = (one ? at::fft_rfft(frames, ::std::nullopt, -1, norm)
                            : at::fft_fft(frames, ::std::nullopt, -1, norm)).transpose(1, 2);
  const Tensor one_or_more = self.dim() == 1 ? found.squeeze(0) : found;
  return return_complex.value_or(true) ? one_or_more : at::view_as_real(one_or_more);
}

inline Tensor stft(
    const Tensor& self, int64_t n_fft, ::std::optional<int64_t> hop_length, ::std::optional<int64_t> win_length,
    const ::std::optional<Tensor>& window, bool normalized, ::std::optional<bool> onesided = ::std::nullopt,
    ::std::optional<bool> return_complex = ::std::nullopt,
    ::std::optional<bool> align_to_window = ::std::nullopt) {
  return at::stft(
      self, n_fft, hop_length, win_length, window, false, "constant", normalized, onesided, return_complex,
      align_to_window);
}

// Frames added where they overlap, divided by the sum of the squares of the window.
inline Tensor istft(
    const Tensor& self, int64_t n_fft, ::std::optional<int64_t> hop_length = ::std::nullopt,
    ::std::optional<int64_t> win_length = ::std::nullopt, const ::std::optional<Tensor>& window = {},
    bool center = true, bool normalized = false, ::std::optional<bool> onesided = ::std::nullopt,
    ::std::optional<int64_t> length = ::std::nullopt, bool return_complex = false) {
  namespace pe = paddle::recorded;
  const int64_t hop = hop_length.value_or(n_fft / 4), win = win_length.value_or(n_fft);
  TORCH_CHECK(self.is_complex() && self.numel() > 0, "istft requires a complex-valued input tensor with elements");
  TORCH_CHECK(self.dim() == 2 || self.dim() == 3, "istft expected a tensor with 2 or 3 dimensions");
  TORCH_CHECK(!return_complex, "istft: complex signals are not supported");
  const bool one = onesided.value_or(self.size(-2) != n_fft);
  TORCH_CHECK(self.size(-2) == (one ? n_fft / 2 + 1 : n_fft), "istft: the size of the transform is not n_fft's");
  TORCH_CHECK(0 < hop && hop <= win, "istft expected 0 < hop_length <= win_length");
  const auto type = self.scalar_type() == kComplexDouble ? kDouble : kFloat;
  const auto w = compat_detail::centered_window(window, win, n_fft, self.options().dtype(type));
  const Tensor each = (self.dim() == 2 ? self.unsqueeze(0) : self).transpose(1, 2).contiguous();
  const ::std::string_view norm = normalized ? "ortho" : "backward";
  const Tensor frames = one ? at::fft_irfft(each, n_fft, -1, norm)
                            : at::view_as_real(at::fft_ifft(each, ::std::nullopt, -1, norm)).select(-1, 0);
  const auto summed = [&](const Tensor& x) {
    return Tensor(pe::overlap_add(x.transpose(1, 2).contiguous()._PD_GetInner(), static_cast<int>(hop), -1));
  };
  const Tensor sums = summed(frames.mul(w)), squares = summed(w.square().expand(frames.sizes()));
  const int64_t whole = sums.size(1), start = center ? n_fft / 2 : 0;
  const int64_t end = length ? start + *length : center ? whole - n_fft / 2 : whole;
  const int64_t there = ::std::min(end, whole) - start;
  const Tensor under = squares.narrow(1, start, there);
  TORCH_CHECK(under.abs().min().gt(1e-11).item<bool>(), "window overlap add min: 1");
  Tensor found = sums.narrow(1, start, there).div(under);
  if (end > whole) found = at::constant_pad_nd(found, {0, end - whole}, 0);
  return self.dim() == 2 ? found.squeeze(0) : found;
}

}  // namespace at
