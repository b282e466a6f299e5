#pragma once

#include <ATen/core/Tensor.h>
#include <porter_compat/interpolation.h>

#include <array>
#include <tuple>

namespace at {

inline Tensor upsample_nearest1d(
    const Tensor& input, OptionalIntArrayRef output_size,
    ::std::optional<ArrayRef<double>> scale_factors) {
  return compat_detail::resized(1, "nearest", input, false, output_size, scale_factors);
}

inline Tensor upsample_nearest1d(
    const Tensor& self, IntArrayRef output_size,
    ::std::optional<double> scales = ::std::nullopt) {
  return compat_detail::resized(1, "nearest", self, false, output_size, {scales});
}

inline Tensor upsample_nearest1d_backward(
    const Tensor& grad_output, IntArrayRef output_size, IntArrayRef input_size,
    ::std::optional<double> scales = ::std::nullopt) {
  return compat_detail::resized_back(
      "nearest", grad_output, false, output_size, input_size, {scales});
}

inline Tensor upsample_nearest2d(
    const Tensor& input, OptionalIntArrayRef output_size,
    ::std::optional<ArrayRef<double>> scale_factors) {
  return compat_detail::resized(2, "nearest", input, false, output_size, scale_factors);
}

inline Tensor upsample_nearest2d(
    const Tensor& self, IntArrayRef output_size,
    ::std::optional<double> scales_h = ::std::nullopt, ::std::optional<double> scales_w = ::std::nullopt) {
  return compat_detail::resized(2, "nearest", self, false, output_size, {scales_h, scales_w});
}

inline Tensor upsample_nearest2d_backward(
    const Tensor& grad_output, IntArrayRef output_size, IntArrayRef input_size,
    ::std::optional<double> scales_h = ::std::nullopt, ::std::optional<double> scales_w = ::std::nullopt) {
  return compat_detail::resized_back(
      "nearest", grad_output, false, output_size, input_size, {scales_h, scales_w});
}

inline Tensor upsample_nearest3d(
    const Tensor& input, OptionalIntArrayRef output_size,
    ::std::optional<ArrayRef<double>> scale_factors) {
  return compat_detail::resized(3, "nearest", input, false, output_size, scale_factors);
}

inline Tensor upsample_nearest3d(
    const Tensor& self, IntArrayRef output_size,
    ::std::optional<double> scales_d = ::std::nullopt, ::std::optional<double> scales_h = ::std::nullopt, ::std::optional<double> scales_w = ::std::nullopt) {
  return compat_detail::resized(3, "nearest", self, false, output_size, {scales_d, scales_h, scales_w});
}

inline Tensor upsample_nearest3d_backward(
    const Tensor& grad_output, IntArrayRef output_size, IntArrayRef input_size,
    ::std::optional<double> scales_d = ::std::nullopt, ::std::optional<double> scales_h = ::std::nullopt, ::std::optional<double> scales_w = ::std::nullopt) {
  return compat_detail::resized_back(
      "nearest", grad_output, false, output_size, input_size, {scales_d, scales_h, scales_w});
}

inline Tensor upsample_linear1d(
    const Tensor& input, OptionalIntArrayRef output_size, bool align_corners,
    ::std::optional<ArrayRef<double>> scale_factors) {
  return compat_detail::resized(1, "linear", input, align_corners, output_size, scale_factors);
}

inline Tensor upsample_linear1d(
    const Tensor& self, IntArrayRef output_size, bool align_corners,
    ::std::optional<double> scales = ::std::nullopt) {
  return compat_detail::resized(1, "linear", self, align_corners, output_size, {scales});
}

inline Tensor upsample_linear1d_backward(
    const Tensor& grad_output, IntArrayRef output_size, IntArrayRef input_size, bool align_corners,
    ::std::optional<double> scales = ::std::nullopt) {
  return compat_detail::resized_back(
      "linear", grad_output, align_corners, output_size, input_size, {scales});
}

inline Tensor upsample_bilinear2d(
    const Tensor& input, OptionalIntArrayRef output_size, bool align_corners,
    ::std::optional<ArrayRef<double>> scale_factors) {
  return compat_detail::resized(2, "linear", input, align_corners, output_size, scale_factors);
}

inline Tensor upsample_bilinear2d(
    const Tensor& self, IntArrayRef output_size, bool align_corners,
    ::std::optional<double> scales_h = ::std::nullopt, ::std::optional<double> scales_w = ::std::nullopt) {
  return compat_detail::resized(2, "linear", self, align_corners, output_size, {scales_h, scales_w});
}

inline Tensor upsample_bilinear2d_backward(
    const Tensor& grad_output, IntArrayRef output_size, IntArrayRef input_size, bool align_corners,
    ::std::optional<double> scales_h = ::std::nullopt, ::std::optional<double> scales_w = ::std::nullopt) {
  return compat_detail::resized_back(
      "linear", grad_output, align_corners, output_size, input_size, {scales_h, scales_w});
}

inline Tensor upsample_trilinear3d(
    const Tensor& input, OptionalIntArrayRef output_size, bool align_corners,
    ::std::optional<ArrayRef<double>> scale_factors) {
  return compat_detail::resized(3, "linear", input, align_corners, output_size, scale_factors);
}

inline Tensor upsample_trilinear3d(
    const Tensor& self, IntArrayRef output_size, bool align_corners,
    ::std::optional<double> scales_d = ::std::nullopt, ::std::optional<double> scales_h = ::std::nullopt, ::std::optional<double> scales_w = ::std::nullopt) {
  return compat_detail::resized(3, "linear", self, align_corners, output_size, {scales_d, scales_h, scales_w});
}

inline Tensor upsample_trilinear3d_backward(
    const Tensor& grad_output, IntArrayRef output_size, IntArrayRef input_size, bool align_corners,
    ::std::optional<double> scales_d = ::std::nullopt, ::std::optional<double> scales_h = ::std::nullopt, ::std::optional<double> scales_w = ::std::nullopt) {
  return compat_detail::resized_back(
      "linear", grad_output, align_corners, output_size, input_size, {scales_d, scales_h, scales_w});
}

inline Tensor upsample_bicubic2d(
    const Tensor& input, OptionalIntArrayRef output_size, bool align_corners,
    ::std::optional<ArrayRef<double>> scale_factors) {
  return compat_detail::resized(2, "cubic", input, align_corners, output_size, scale_factors);
}

inline Tensor upsample_bicubic2d(
    const Tensor& self, IntArrayRef output_size, bool align_corners,
    ::std::optional<double> scales_h = ::std::nullopt, ::std::optional<double> scales_w = ::std::nullopt) {
  return compat_detail::resized(2, "cubic", self, align_corners, output_size, {scales_h, scales_w});
}

inline Tensor upsample_bicubic2d_backward(
    const Tensor& grad_output, IntArrayRef output_size, IntArrayRef input_size, bool align_corners,
    ::std::optional<double> scales_h = ::std::nullopt, ::std::optional<double> scales_w = ::std::nullopt) {
  return compat_detail::resized_back(
      "cubic", grad_output, align_corners, output_size, input_size, {scales_h, scales_w});
}

inline Tensor grid_sampler(
    const Tensor& input, const Tensor& grid, int64_t interpolation_mode, int64_t padding_mode,
    bool align_corners) {
  return compat_detail::python(
      compat_detail::SAMPLED, input, grid, interpolation_mode, padding_mode, align_corners);
}

inline Tensor grid_sampler_2d(
    const Tensor& input, const Tensor& grid, int64_t interpolation_mode, int64_t padding_mode,
    bool align_corners) {
  TORCH_CHECK(input.dim() == 4, "expected an input of 4 dimensions");
  return compat_detail::python(
      compat_detail::SAMPLED, input, grid, interpolation_mode, padding_mode, align_corners);
}

inline ::std::tuple<Tensor, Tensor> grid_sampler_2d_backward(
    const Tensor& grad_output, const Tensor& input, const Tensor& grid, int64_t interpolation_mode,
    int64_t padding_mode, bool align_corners, ::std::array<bool, 2> output_mask) {
  return compat_detail::python_two(
      compat_detail::SAMPLED, input, grid, interpolation_mode, padding_mode, align_corners,
      grad_output, ArrayRef<bool>(output_mask));
}

inline Tensor grid_sampler_3d(
    const Tensor& input, const Tensor& grid, int64_t interpolation_mode, int64_t padding_mode,
    bool align_corners) {
  TORCH_CHECK(input.dim() == 5, "expected an input of 5 dimensions");
  return compat_detail::python(
      compat_detail::SAMPLED, input, grid, interpolation_mode, padding_mode, align_corners);
}

inline ::std::tuple<Tensor, Tensor> grid_sampler_3d_backward(
    const Tensor& grad_output, const Tensor& input, const Tensor& grid, int64_t interpolation_mode,
    int64_t padding_mode, bool align_corners, ::std::array<bool, 2> output_mask) {
  return compat_detail::python_two(
      compat_detail::SAMPLED, input, grid, interpolation_mode, padding_mode, align_corners,
      grad_output, ArrayRef<bool>(output_mask));
}

inline Tensor affine_grid_generator(const Tensor& theta, IntArrayRef size, bool align_corners) {
  return compat_detail::python("F.affine_grid", theta, size, align_corners);
}

// The blocks of an image as columns.
inline Tensor im2col(
    const Tensor& self, IntArrayRef kernel_size, IntArrayRef dilation, IntArrayRef padding,
    IntArrayRef stride) {
  return compat_detail::python(
      "lambda x, k, s, p, d: batched(lambda x: F.unfold(x, k, s, p, d), x, 4)", self, kernel_size,
      stride, padding, dilation);
}

// Columns added up to the image that has them as blocks.
inline Tensor col2im(
    const Tensor& self, IntArrayRef output_size, IntArrayRef kernel_size, IntArrayRef dilation,
    IntArrayRef padding, IntArrayRef stride) {
  return compat_detail::python(
      "lambda x, o, k, s, p, d: batched(lambda x: F.fold(x, o, k, s, p, d), x, 3)", self,
      output_size, kernel_size, stride, padding, dilation);
}

inline Tensor pixel_shuffle(const Tensor& self, int64_t upscale_factor) {
  TORCH_CHECK(self.dim() >= 3 && upscale_factor > 0, "pixel_shuffle: a shape or factor");
  return compat_detail::python(R"py(def shuffled(x, r):
    *batch, c, h, w = x.shape
    n = len(batch)
    x = x.reshape([*batch, c // (r * r), r, r, h, w])
    order = [*range(n), n, n + 3, n + 1, n + 4, n + 2]
    return x.transpose(order).reshape([*batch, c // (r * r), h * r, w * r]).clone()
)py", self, upscale_factor);
}

inline Tensor pixel_unshuffle(const Tensor& self, int64_t downscale_factor) {
  TORCH_CHECK(self.dim() >= 3 && downscale_factor > 0, "pixel_unshuffle: a shape or factor");
  return compat_detail::python(R"py(def unshuffled(x, r):
    *batch, c, h, w = x.shape
    n = len(batch)
    checked(h % r == 0 and w % r == 0, f"a size of {h}, {w}")
    x = x.reshape([*batch, c, h // r, r, w // r, r])
    order = [*range(n), n, n + 2, n + 4, n + 1, n + 3]
    return x.transpose(order).reshape([*batch, c * r * r, h // r, w // r]).clone()
)py", self, downscale_factor);
}

inline Tensor channel_shuffle(const Tensor& self, int64_t groups) {
  TORCH_CHECK(self.dim() >= 3 && groups > 0, "channel_shuffle: a shape or number of groups");
  TORCH_CHECK(self.size(1) % groups == 0, "Number of channels must be divisible by groups.");
  return compat_detail::python(
      "lambda x, g: x.reshape([x.shape[0], g, x.shape[1] // g, -1]).transpose([0, 2, 1, 3])"
      ".reshape(x.shape)", self, groups);
}

}  // namespace at
