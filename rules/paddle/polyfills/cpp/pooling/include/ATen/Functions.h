#pragma once

#include <ATen/core/Tensor.h>
#include <porter_compat/pooling.h>

#include <tuple>

namespace at {

inline ::std::tuple<Tensor, Tensor> max_pool1d_with_indices(
    const Tensor& self, IntArrayRef kernel_size, IntArrayRef stride = {},
    IntArrayRef padding = 0, IntArrayRef dilation = 1, bool ceil_mode = false) {
  return compat_detail::python_two(
      compat_detail::LARGEST, int64_t(1), self, kernel_size, stride, padding, dilation, ceil_mode);
}

inline Tensor max_pool1d(
    const Tensor& self, IntArrayRef kernel_size, IntArrayRef stride = {},
    IntArrayRef padding = 0, IntArrayRef dilation = 1, bool ceil_mode = false) {
  return ::std::get<0>(
      max_pool1d_with_indices(self, kernel_size, stride, padding, dilation, ceil_mode));
}

inline Tensor avg_pool1d(
    const Tensor& self, IntArrayRef kernel_size, IntArrayRef stride = {}, IntArrayRef padding = 0,
    bool ceil_mode = false, bool count_include_pad = true) {
  return compat_detail::python(
      compat_detail::AVERAGE, int64_t(1), self, kernel_size, stride, padding, ceil_mode,
      count_include_pad, ::std::optional<int64_t>());
}

inline Tensor adaptive_avg_pool1d(const Tensor& self, IntArrayRef output_size) {
  return compat_detail::python(compat_detail::ADAPTED, int64_t(1), self, output_size);
}

inline ::std::tuple<Tensor, Tensor> adaptive_max_pool1d(
    const Tensor& self, IntArrayRef output_size) {
  return compat_detail::python_two(
      compat_detail::ADAPTED_LARGEST, int64_t(1), self, output_size);
}

inline ::std::tuple<Tensor, Tensor> max_pool2d_with_indices(
    const Tensor& self, IntArrayRef kernel_size, IntArrayRef stride = {},
    IntArrayRef padding = 0, IntArrayRef dilation = 1, bool ceil_mode = false) {
  return compat_detail::python_two(
      compat_detail::LARGEST, int64_t(2), self, kernel_size, stride, padding, dilation, ceil_mode);
}

inline Tensor max_pool2d(
    const Tensor& self, IntArrayRef kernel_size, IntArrayRef stride = {},
    IntArrayRef padding = 0, IntArrayRef dilation = 1, bool ceil_mode = false) {
  return ::std::get<0>(
      max_pool2d_with_indices(self, kernel_size, stride, padding, dilation, ceil_mode));
}

inline Tensor avg_pool2d(
    const Tensor& self, IntArrayRef kernel_size, IntArrayRef stride = {}, IntArrayRef padding = 0,
    bool ceil_mode = false, bool count_include_pad = true,
    ::std::optional<int64_t> divisor_override = ::std::nullopt) {
  return compat_detail::python(
      compat_detail::AVERAGE, int64_t(2), self, kernel_size, stride, padding, ceil_mode,
      count_include_pad, divisor_override);
}

inline Tensor avg_pool2d_backward(
    const Tensor& grad_output, const Tensor& self, IntArrayRef kernel_size, IntArrayRef stride,
    IntArrayRef padding, bool ceil_mode, bool count_include_pad,
    ::std::optional<int64_t> divisor_override) {
  return compat_detail::python(
      compat_detail::AVERAGE, int64_t(2), self, kernel_size, stride, padding, ceil_mode,
      count_include_pad, divisor_override, grad_output);
}

inline Tensor max_pool2d_with_indices_backward(
    const Tensor& grad_output, const Tensor& self, IntArrayRef, IntArrayRef, IntArrayRef,
    IntArrayRef, bool, const Tensor& indices) {
  return compat_detail::placed(2, grad_output, indices, self.sizes(), "add");
}

inline Tensor adaptive_max_pool2d_backward(
    const Tensor& grad_output, const Tensor& self, const Tensor& indices) {
  return compat_detail::placed(2, grad_output, indices, self.sizes(), "add");
}

inline Tensor _adaptive_avg_pool2d(const Tensor& self, IntArrayRef output_size) {
  return compat_detail::python(compat_detail::ADAPTED, int64_t(2), self, output_size);
}

inline Tensor _adaptive_avg_pool2d_backward(const Tensor& grad_output, const Tensor& self) {
  return compat_detail::python(
      compat_detail::ADAPTED, int64_t(2), self,
      grad_output.sizes().slice(grad_output.dim() - 2), grad_output);
}

inline Tensor adaptive_avg_pool2d(const Tensor& self, IntArrayRef output_size) {
  return compat_detail::python(compat_detail::ADAPTED, int64_t(2), self, output_size);
}

inline ::std::tuple<Tensor, Tensor> adaptive_max_pool2d(
    const Tensor& self, IntArrayRef output_size) {
  return compat_detail::python_two(
      compat_detail::ADAPTED_LARGEST, int64_t(2), self, output_size);
}

inline ::std::tuple<Tensor, Tensor> max_pool3d_with_indices(
    const Tensor& self, IntArrayRef kernel_size, IntArrayRef stride = {},
    IntArrayRef padding = 0, IntArrayRef dilation = 1, bool ceil_mode = false) {
  return compat_detail::python_two(
      compat_detail::LARGEST, int64_t(3), self, kernel_size, stride, padding, dilation, ceil_mode);
}

inline Tensor max_pool3d(
    const Tensor& self, IntArrayRef kernel_size, IntArrayRef stride = {},
    IntArrayRef padding = 0, IntArrayRef dilation = 1, bool ceil_mode = false) {
  return ::std::get<0>(
      max_pool3d_with_indices(self, kernel_size, stride, padding, dilation, ceil_mode));
}

inline Tensor avg_pool3d(
    const Tensor& self, IntArrayRef kernel_size, IntArrayRef stride = {}, IntArrayRef padding = 0,
    bool ceil_mode = false, bool count_include_pad = true,
    ::std::optional<int64_t> divisor_override = ::std::nullopt) {
  return compat_detail::python(
      compat_detail::AVERAGE, int64_t(3), self, kernel_size, stride, padding, ceil_mode,
      count_include_pad, divisor_override);
}

inline Tensor avg_pool3d_backward(
    const Tensor& grad_output, const Tensor& self, IntArrayRef kernel_size, IntArrayRef stride,
    IntArrayRef padding, bool ceil_mode, bool count_include_pad,
    ::std::optional<int64_t> divisor_override) {
  return compat_detail::python(
      compat_detail::AVERAGE, int64_t(3), self, kernel_size, stride, padding, ceil_mode,
      count_include_pad, divisor_override, grad_output);
}

inline Tensor max_pool3d_with_indices_backward(
    const Tensor& grad_output, const Tensor& self, IntArrayRef, IntArrayRef, IntArrayRef,
    IntArrayRef, bool, const Tensor& indices) {
  return compat_detail::placed(3, grad_output, indices, self.sizes(), "add");
}

inline Tensor adaptive_max_pool3d_backward(
    const Tensor& grad_output, const Tensor& self, const Tensor& indices) {
  return compat_detail::placed(3, grad_output, indices, self.sizes(), "add");
}

inline Tensor _adaptive_avg_pool3d(const Tensor& self, IntArrayRef output_size) {
  return compat_detail::python(compat_detail::ADAPTED, int64_t(3), self, output_size);
}

inline Tensor _adaptive_avg_pool3d_backward(const Tensor& grad_output, const Tensor& self) {
  return compat_detail::python(
      compat_detail::ADAPTED, int64_t(3), self,
      grad_output.sizes().slice(grad_output.dim() - 3), grad_output);
}

inline Tensor adaptive_avg_pool3d(const Tensor& self, IntArrayRef output_size) {
  return compat_detail::python(compat_detail::ADAPTED, int64_t(3), self, output_size);
}

inline ::std::tuple<Tensor, Tensor> adaptive_max_pool3d(
    const Tensor& self, IntArrayRef output_size) {
  return compat_detail::python_two(
      compat_detail::ADAPTED_LARGEST, int64_t(3), self, output_size);
}

inline Tensor max_unpool2d(const Tensor& self, const Tensor& indices, IntArrayRef output_size) {
  return compat_detail::placed(2, self, indices, output_size, "assign");
}

inline Tensor max_unpool3d(
    const Tensor& self, const Tensor& indices, IntArrayRef output_size, IntArrayRef, IntArrayRef) {
  return compat_detail::placed(3, self, indices, output_size, "assign");
}

}  // namespace at
