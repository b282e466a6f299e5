#pragma once

#include <ATen/core/Tensor.h>
#include <porter_compat/padding.h>

namespace at {

inline Tensor pad(
    const Tensor& self, IntArrayRef pad, ::std::string_view mode = "constant",
    ::std::optional<double> value = ::std::nullopt) {
  if (mode == "constant") return compat_detail::padded(self, pad, value.value_or(0));
  return compat_detail::python(compat_detail::PADDED, self, pad, mode, value);
}

inline Tensor constant_pad_nd(const Tensor& self, IntArrayRef pad, const Scalar& value = 0) {
  return compat_detail::padded(self, pad, value);
}

inline Tensor reflection_pad1d(const Tensor& self, IntArrayRef padding) {
  return compat_detail::edged(1, "reflect", self, padding);
}

inline Tensor reflection_pad1d_backward(
    const Tensor& grad_output, const Tensor& self, IntArrayRef padding) {
  return compat_detail::edged(1, "reflect", self, padding, grad_output);
}

inline Tensor reflection_pad2d(const Tensor& self, IntArrayRef padding) {
  return compat_detail::edged(2, "reflect", self, padding);
}

inline Tensor reflection_pad2d_backward(
    const Tensor& grad_output, const Tensor& self, IntArrayRef padding) {
  return compat_detail::edged(2, "reflect", self, padding, grad_output);
}

inline Tensor reflection_pad3d(const Tensor& self, IntArrayRef padding) {
  return compat_detail::edged(3, "reflect", self, padding);
}

inline Tensor reflection_pad3d_backward(
    const Tensor& grad_output, const Tensor& self, IntArrayRef padding) {
  return compat_detail::edged(3, "reflect", self, padding, grad_output);
}

inline Tensor replication_pad1d(const Tensor& self, IntArrayRef padding) {
  return compat_detail::edged(1, "replicate", self, padding);
}

inline Tensor replication_pad1d_backward(
    const Tensor& grad_output, const Tensor& self, IntArrayRef padding) {
  return compat_detail::edged(1, "replicate", self, padding, grad_output);
}

inline Tensor replication_pad2d(const Tensor& self, IntArrayRef padding) {
  return compat_detail::edged(2, "replicate", self, padding);
}

inline Tensor replication_pad2d_backward(
    const Tensor& grad_output, const Tensor& self, IntArrayRef padding) {
  return compat_detail::edged(2, "replicate", self, padding, grad_output);
}

inline Tensor replication_pad3d(const Tensor& self, IntArrayRef padding) {
  return compat_detail::edged(3, "replicate", self, padding);
}

inline Tensor replication_pad3d_backward(
    const Tensor& grad_output, const Tensor& self, IntArrayRef padding) {
  return compat_detail::edged(3, "replicate", self, padding, grad_output);
}

}  // namespace at
