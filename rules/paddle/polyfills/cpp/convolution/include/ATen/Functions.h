#pragma once

#include <ATen/core/Tensor.h>
#include <porter_compat/convolution.h>

#include <array>
#include <tuple>

namespace at {

inline Tensor conv1d(
    const Tensor& input, const Tensor& weight, const ::std::optional<Tensor>& bias = {},
    IntArrayRef stride = 1, IntArrayRef padding = 0, IntArrayRef dilation = 1, int64_t groups = 1) {
  return compat_detail::convolved(
      compat_detail::CONVOLVED, 1, input, weight, bias, stride, padding, dilation, groups);
}

inline Tensor conv1d(
    const Tensor& input, const Tensor& weight, const ::std::optional<Tensor>& bias,
    IntArrayRef stride, ::std::string_view padding, IntArrayRef dilation = 1, int64_t groups = 1) {
  return compat_detail::convolved(
      compat_detail::NAMED_PADDING, 1, input, weight, bias, stride, padding, dilation, groups);
}

inline Tensor conv2d(
    const Tensor& input, const Tensor& weight, const ::std::optional<Tensor>& bias = {},
    IntArrayRef stride = 1, IntArrayRef padding = 0, IntArrayRef dilation = 1, int64_t groups = 1) {
  return compat_detail::convolved(
      compat_detail::CONVOLVED, 2, input, weight, bias, stride, padding, dilation, groups);
}

inline Tensor conv2d(
    const Tensor& input, const Tensor& weight, const ::std::optional<Tensor>& bias,
    IntArrayRef stride, ::std::string_view padding, IntArrayRef dilation = 1, int64_t groups = 1) {
  return compat_detail::convolved(
      compat_detail::NAMED_PADDING, 2, input, weight, bias, stride, padding, dilation, groups);
}

inline Tensor conv3d(
    const Tensor& input, const Tensor& weight, const ::std::optional<Tensor>& bias = {},
    IntArrayRef stride = 1, IntArrayRef padding = 0, IntArrayRef dilation = 1, int64_t groups = 1) {
  return compat_detail::convolved(
      compat_detail::CONVOLVED, 3, input, weight, bias, stride, padding, dilation, groups);
}

inline Tensor conv3d(
    const Tensor& input, const Tensor& weight, const ::std::optional<Tensor>& bias,
    IntArrayRef stride, ::std::string_view padding, IntArrayRef dilation = 1, int64_t groups = 1) {
  return compat_detail::convolved(
      compat_detail::NAMED_PADDING, 3, input, weight, bias, stride, padding, dilation, groups);
}

inline Tensor conv_transpose1d(
    const Tensor& input, const Tensor& weight, const ::std::optional<Tensor>& bias = {},
    IntArrayRef stride = 1, IntArrayRef padding = 0, IntArrayRef output_padding = 0,
    int64_t groups = 1, IntArrayRef dilation = 1) {
  TORCH_CHECK(weight.dim() == 1 + 2, "expected a weight of 3 dimensions");
  return compat_detail::python(
      compat_detail::TURNED, input, weight, bias, stride, padding, output_padding, groups, dilation);
}

inline Tensor conv_transpose2d(
    const Tensor& input, const Tensor& weight, const ::std::optional<Tensor>& bias = {},
    IntArrayRef stride = 1, IntArrayRef padding = 0, IntArrayRef output_padding = 0,
    int64_t groups = 1, IntArrayRef dilation = 1) {
  TORCH_CHECK(weight.dim() == 2 + 2, "expected a weight of 4 dimensions");
  return compat_detail::python(
      compat_detail::TURNED, input, weight, bias, stride, padding, output_padding, groups, dilation);
}

inline Tensor conv_transpose3d(
    const Tensor& input, const Tensor& weight, const ::std::optional<Tensor>& bias = {},
    IntArrayRef stride = 1, IntArrayRef padding = 0, IntArrayRef output_padding = 0,
    int64_t groups = 1, IntArrayRef dilation = 1) {
  TORCH_CHECK(weight.dim() == 3 + 2, "expected a weight of 5 dimensions");
  return compat_detail::python(
      compat_detail::TURNED, input, weight, bias, stride, padding, output_padding, groups, dilation);
}

inline Tensor convolution(
    const Tensor& input, const Tensor& weight, const ::std::optional<Tensor>& bias,
    IntArrayRef stride, IntArrayRef padding, IntArrayRef dilation, bool transposed,
    IntArrayRef output_padding, int64_t groups) {
  using namespace compat_detail;
  TORCH_CHECK(input.dim() == weight.dim(), "as many dimensions as the weight");
  if (!transposed) return python(CONVOLVED, input, weight, bias, stride, padding, dilation, groups);
  return python(TURNED, input, weight, bias, stride, padding, output_padding, groups, dilation);
}

inline ::std::tuple<Tensor, Tensor, Tensor> convolution_backward(
    const Tensor& grad_output, const Tensor& input, const Tensor& weight,
    OptionalIntArrayRef bias_sizes, IntArrayRef stride, IntArrayRef padding, IntArrayRef dilation,
    bool transposed, IntArrayRef output_padding, int64_t groups,
    ::std::array<bool, 3> output_mask) {
  return compat_detail::python_three(
      compat_detail::CONVOLVED_BACK, grad_output, input, weight, stride, padding, dilation,
      transposed, output_padding, groups, ArrayRef<bool>(output_mask));
}

inline Tensor bilinear(
    const Tensor& input1, const Tensor& input2, const Tensor& weight,
    const ::std::optional<Tensor>& bias = {}) {
  return compat_detail::python(
      "lambda x, y, w, b: paddle.einsum('ni,oij,nj->no', x.flatten(0, -2), w, y.flatten(0, -2))"
      ".reshape([*x.shape[:-1], -1]) + (0 if b is None else b)",
      input1, input2, weight, bias);
}

// Of times, batches and channels.
inline Tensor conv_tbc(const Tensor& self, const Tensor& weight, const Tensor& bias, int64_t pad = 0) {
  TORCH_CHECK(self.dim() == 3 && weight.dim() == 3 && bias.dim() == 1, "conv_tbc: 3D input and weight, 1D bias");
  const Tensor found = at::conv1d(self.permute({1, 2, 0}), weight.permute({2, 1, 0}), bias, 1, pad);
  return found.permute({2, 0, 1}).contiguous();
}

namespace compat_detail {

inline void check_kernel(const Tensor& weight, IntArrayRef kernel_size) {
  const int64_t rank = weight.dim() - 2;
  TORCH_CHECK(rank > 0 && (kernel_size.size() == 1 || static_cast<int64_t>(kernel_size.size()) == rank),
              "a size of the kernel for each dimension expected");
  for (int64_t d = 0; d < rank; ++d)
    TORCH_CHECK(weight.size(d + 2) == kernel_size[kernel_size.size() == 1 ? 0 : d], "weight has not the size of the kernel");
}

}  // namespace compat_detail

inline Tensor thnn_conv2d(
    const Tensor& self, const Tensor& weight, IntArrayRef kernel_size, const ::std::optional<Tensor>& bias = {},
    IntArrayRef stride = 1, IntArrayRef padding = 0) {
  TORCH_CHECK(self.dim() == 4, "Expected 4D input tensor, but got: ", self.sizes());
  compat_detail::check_kernel(weight, kernel_size);
  return at::conv2d(self, weight, bias, stride, padding);
}

inline Tensor slow_conv3d(
    const Tensor& self, const Tensor& weight, IntArrayRef kernel_size, const ::std::optional<Tensor>& bias = {},
    IntArrayRef stride = 1, IntArrayRef padding = 0) {
  TORCH_CHECK(self.dim() == 5, "Expected 5D input tensor, but got: ", self.sizes());
  compat_detail::check_kernel(weight, kernel_size);
  return at::conv3d(self, weight, bias, stride, padding);
}

inline Tensor slow_conv_dilated2d(
    const Tensor& self, const Tensor& weight, IntArrayRef kernel_size, const ::std::optional<Tensor>& bias = {},
    IntArrayRef stride = 1, IntArrayRef padding = 0, IntArrayRef dilation = 1) {
  compat_detail::check_kernel(weight, kernel_size);
  return at::conv2d(self, weight, bias, stride, padding, dilation);
}

inline Tensor slow_conv_dilated3d(
    const Tensor& self, const Tensor& weight, IntArrayRef kernel_size, const ::std::optional<Tensor>& bias = {},
    IntArrayRef stride = 1, IntArrayRef padding = 0, IntArrayRef dilation = 1) {
  compat_detail::check_kernel(weight, kernel_size);
  return at::conv3d(self, weight, bias, stride, padding, dilation);
}

inline Tensor slow_conv_transpose2d(
    const Tensor& self, const Tensor& weight, IntArrayRef kernel_size, const ::std::optional<Tensor>& bias = {},
    IntArrayRef stride = 1, IntArrayRef padding = 0, IntArrayRef output_padding = 0, IntArrayRef dilation = 1) {
  compat_detail::check_kernel(weight, kernel_size);
  return at::conv_transpose2d(self, weight, bias, stride, padding, output_padding, 1, dilation);
}

inline Tensor slow_conv_transpose3d(
    const Tensor& self, const Tensor& weight, IntArrayRef kernel_size, const ::std::optional<Tensor>& bias = {},
    IntArrayRef stride = 1, IntArrayRef padding = 0, IntArrayRef output_padding = 0, IntArrayRef dilation = 1) {
  compat_detail::check_kernel(weight, kernel_size);
  return at::conv_transpose3d(self, weight, bias, stride, padding, output_padding, 1, dilation);
}

}  // namespace at
