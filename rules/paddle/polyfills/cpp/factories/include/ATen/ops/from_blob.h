#pragma once
#include <porter_compat/factory.h>

namespace at {

// instead of the one with: strides._PD_ToPaddleIntArray() ... options._PD_GetPlace());
inline Tensor from_blob(void* data, IntArrayRef sizes, IntArrayRef strides,
                        const TensorOptions& options = {}) {
  if (compat_detail::is_nowhere(data, sizes)) {
    return compat_detail::new_strided(sizes.vec(), strides.vec(), options);
  }
  return paddle::from_blob(data, sizes._PD_ToPaddleIntArray(), strides._PD_ToPaddleIntArray(),
                           compat_detail::type_of_options(options), phi::DataLayout::NCHW,
                           options._PD_GetPlace());
}

// instead of the one with: options._PD_GetPlace(), nullptr);
inline Tensor from_blob(void* data, IntArrayRef sizes, const TensorOptions& options = {}) {
  return from_blob(data, sizes, compat_detail::contiguous_strides(sizes.vec()), options);
}

// instead of the one with: strides, const std::function ... device_or_default(target_device)._PD_GetInner()
inline Tensor from_blob(void* data, IntArrayRef sizes, IntArrayRef strides,
                        const std::function<void(void*)>& deleter,
                        const TensorOptions& options = {},
                        const std::optional<Device> target_device = std::nullopt) {
  auto device = target_device.value_or(options.device());
  if (compat_detail::is_nowhere(data, sizes)) {
    deleter(data);
    return compat_detail::new_strided(sizes.vec(), strides.vec(), options.device(device));
  }
  auto place = device._PD_GetInner();
  return paddle::from_blob(data, sizes._PD_ToPaddleIntArray(), strides._PD_ToPaddleIntArray(),
                           compat_detail::type_of_options(options), phi::DataLayout::NCHW, place,
                           deleter);
}

// instead of the one with: "`storage_offset` should be zero."
inline Tensor from_blob(void* data, IntArrayRef sizes, IntArrayRef strides, int64_t storage_offset,
                        const std::function<void(void*)>& deleter,
                        const TensorOptions& options = {},
                        const std::optional<Device> target_device = std::nullopt) {
  auto bytes = storage_offset * c10::elementSize(options.dtype());
  auto freed = [deleter, data](void*) { deleter(data); };
  return from_blob(static_cast<char*>(data) + bytes, sizes, strides, freed, options, target_device);
}

// instead of the one with: sizes, std::function ... device_or_default(target_device)._PD_GetInner()
inline Tensor from_blob(void* data, IntArrayRef sizes, std::function<void(void*)> deleter,
                        const TensorOptions& options = {},
                        const std::optional<Device> target_device = std::nullopt) {
  auto strides = compat_detail::contiguous_strides(sizes.vec());
  return from_blob(data, sizes, strides, deleter, options, target_device);
}

}  // namespace at
