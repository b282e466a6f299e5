#pragma once
#include <c10/core/SymIntArrayRef.h>
#include <porter_compat/factory.h>

#ifdef empty_symint  // a macro
#undef empty_symint
#endif

namespace at {

// instead of the one with: PD_CHECK(!(memory_format.has_value() &&
inline at::Tensor empty(at::IntArrayRef size, at::TensorOptions options = {},
                        ::std::optional<at::MemoryFormat> memory_format = ::std::nullopt) {
  return compat_detail::new_tensor(size.vec(), options, memory_format);
}

// instead of the one with: PD_CHECK(!layout.has_value()
inline at::Tensor empty(at::IntArrayRef size, ::std::optional<at::ScalarType> dtype,
                        ::std::optional<at::Layout> layout, ::std::optional<at::Device> device,
                        ::std::optional<bool> pin_memory,
                        ::std::optional<at::MemoryFormat> memory_format) {
  return compat_detail::new_tensor(size.vec(), compat_detail::options_of(dtype, layout, device, pin_memory), memory_format);
}

inline at::Tensor empty_symint(c10::SymIntArrayRef size, at::TensorOptions options = {},
                               ::std::optional<at::MemoryFormat> memory_format = ::std::nullopt) {
  return at::empty(size, options, memory_format);
}

}  // namespace at
