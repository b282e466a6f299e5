#pragma once
#include <porter_compat/factory.h>

namespace at {

// instead of the one with: paddle::experimental::as_strided(
inline at::Tensor empty_strided(at::IntArrayRef size, at::IntArrayRef stride,
                                at::TensorOptions options = {}) {
  return compat_detail::new_strided(size.vec(), stride.vec(), options);
}

inline at::Tensor empty_strided(at::IntArrayRef size, at::IntArrayRef stride,
                                ::std::optional<at::ScalarType> dtype,
                                ::std::optional<at::Layout> layout,
                                ::std::optional<at::Device> device,
                                ::std::optional<bool> pin_memory) {
  return empty_strided(size, stride, compat_detail::options_of(dtype, layout, device, pin_memory));
}

}  // namespace at

namespace torch {
using at::empty_strided;
}  // namespace torch
