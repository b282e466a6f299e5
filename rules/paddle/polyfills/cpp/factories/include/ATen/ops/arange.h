#pragma once
#include <porter_compat/factory.h>

namespace at {

// instead of the one with: arange(const at::Scalar& end, at::TensorOptions ... end.to<int64_t>()
inline at::Tensor arange(const at::Scalar& end, at::TensorOptions options = {}) {
  return compat_detail::ranged(0, end, 1, options);
}

// instead of the one with: arange(const at::Scalar& end, ::std::optional ... end.to<int64_t>()
inline at::Tensor arange(const at::Scalar& end, ::std::optional<at::ScalarType> dtype,
                         ::std::optional<at::Layout> layout, ::std::optional<at::Device> device,
                         ::std::optional<bool> pin_memory) {
  return compat_detail::ranged(0, end, 1, compat_detail::options_of(dtype, layout, device, pin_memory));
}

// instead of the one with: arange(const at::Scalar& start, const at::Scalar& end, at::TensorOptions ... end.to<int64_t>()
inline at::Tensor arange(const at::Scalar& start, const at::Scalar& end,
                         at::TensorOptions options = {}) {
  return compat_detail::ranged(start, end, 1, options);
}

// instead of the one with: arange(const at::Scalar& start, const at::Scalar& end, ::std::optional ... end.to<int64_t>()
inline at::Tensor arange(const at::Scalar& start, const at::Scalar& end,
                         ::std::optional<at::ScalarType> dtype, ::std::optional<at::Layout> layout,
                         ::std::optional<at::Device> device, ::std::optional<bool> pin_memory) {
  return compat_detail::ranged(start, end, 1, compat_detail::options_of(dtype, layout, device, pin_memory));
}

// instead of the one with: arange(const at::Scalar& start, const at::Scalar& end, const at::Scalar& step, at::TensorOptions ... end.to<int64_t>()
inline at::Tensor arange(const at::Scalar& start, const at::Scalar& end, const at::Scalar& step,
                         at::TensorOptions options = {}) {
  return compat_detail::ranged(start, end, step, options);
}

// instead of the one with: arange(const at::Scalar& start, const at::Scalar& end, const at::Scalar& step, ::std::optional ... end.to<int64_t>()
inline at::Tensor arange(const at::Scalar& start, const at::Scalar& end, const at::Scalar& step,
                         ::std::optional<at::ScalarType> dtype, ::std::optional<at::Layout> layout,
                         ::std::optional<at::Device> device, ::std::optional<bool> pin_memory) {
  return compat_detail::ranged(start, end, step, compat_detail::options_of(dtype, layout, device, pin_memory));
}

}  // namespace at
