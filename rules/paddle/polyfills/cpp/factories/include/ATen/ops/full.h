#pragma once
#include <porter_compat/factory.h>

namespace at {

// instead of the one with: _PD_AtenScalarTypeToPhiDataType(options.dtype())
inline at::Tensor full(at::IntArrayRef size, const at::Scalar& fill_value,
                       at::TensorOptions options = {}) {
  return compat_detail::fill(compat_detail::new_tensor(size.vec(), compat_detail::typed_by(options, fill_value)), fill_value);
}

// instead of the one with: PD_CHECK(!layout.has_value()
inline at::Tensor full(at::IntArrayRef size, const at::Scalar& fill_value,
                       ::std::optional<at::ScalarType> dtype, ::std::optional<at::Layout> layout,
                       ::std::optional<at::Device> device, ::std::optional<bool> pin_memory) {
  return full(size, fill_value, compat_detail::options_of(dtype, layout, device, pin_memory));
}

}  // namespace at
