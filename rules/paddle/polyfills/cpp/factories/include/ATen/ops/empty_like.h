#pragma once
#include <porter_compat/factory.h>

namespace at {

// instead of the one with: PD_CHECK(!(memory_format.has_value() &&
inline at::Tensor empty_like(const at::Tensor& self, at::TensorOptions options = {},
                             ::std::optional<at::MemoryFormat> memory_format = ::std::nullopt) {
  return compat_detail::new_like(self, options, memory_format);
}

// instead of the one with: PD_CHECK(!layout.has_value()
inline at::Tensor empty_like(const at::Tensor& self, ::std::optional<at::ScalarType> dtype,
                             ::std::optional<at::Layout> layout, ::std::optional<at::Device> device,
                             ::std::optional<bool> pin_memory,
                             ::std::optional<at::MemoryFormat> memory_format) {
  return compat_detail::new_like(self, compat_detail::options_of(dtype, layout, device, pin_memory), memory_format);
}

}  // namespace at
