#pragma once
#include <porter_compat/factory.h>

namespace at {

// instead of the one with: PD_CHECK(!layout.has_value()
inline at::Tensor ones(at::IntArrayRef size, ::std::optional<at::ScalarType> dtype,
                       ::std::optional<at::Layout> layout, ::std::optional<at::Device> device,
                       ::std::optional<bool> pin_memory) {
  return compat_detail::fill(compat_detail::new_tensor(size.vec(), compat_detail::options_of(dtype, layout, device, pin_memory)), 1);
}

// Until torch 2.12 the names of the dimensions stood second.
inline at::Tensor ones(at::IntArrayRef size, ::std::nullopt_t, ::std::optional<at::ScalarType> dtype,
                       ::std::optional<at::Layout> layout, ::std::optional<at::Device> device,
                       ::std::optional<bool> pin_memory) {
  return ones(size, dtype, layout, device, pin_memory);
}

}  // namespace at
