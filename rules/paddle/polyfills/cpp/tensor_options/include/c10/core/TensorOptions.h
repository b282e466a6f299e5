#pragma once

namespace c10 {

// extends
struct TensorOptions {
  // A device or a layout stands for options without a cast.
  TensorOptions(const Device& device) : TensorOptions() { set_device(device); }
  TensorOptions(DeviceType type) : TensorOptions() { set_device(Device(type)); }
  template <class T, std::enable_if_t<std::is_same_v<T, Layout>, int> = 0>
  TensorOptions(T layout) : TensorOptions() {
    set_layout(layout);
  }
  TensorOptions device(DeviceType type, DeviceIndex index) const {
    return device(Device(type, index < 0 ? 0 : index));
  }
  TensorOptions device(const char* name) const { return device(Device(std::string(name))); }
  // instead of the one with: has_dtype_ = true; return *this;
  template <typename T>
  TensorOptions& dtype() {
    set_dtype(CppTypeToScalarType<T>::value);
    return *this;
  }
  TensorOptions merge_in(const TensorOptions& other) const noexcept {
    TensorOptions r = *this;
    if (other.has_device()) r.set_device(other.device_opt());
    if (other.has_dtype()) r.set_dtype(other.dtype_opt());
    if (other.has_layout()) r.set_layout(other.layout_opt());
    if (other.has_requires_grad()) r.set_requires_grad(other.requires_grad_opt());
    if (other.has_pinned_memory()) r.set_pinned_memory(other.pinned_memory_opt());
    if (other.has_memory_format()) r.set_memory_format(other.memory_format_opt());
    return r;
  }
  bool type_equal(const TensorOptions& other) const {
    return dtype() == other.dtype() && layout() == other.layout() &&
           device().type() == other.device().type();
  }
};

template <typename T>
TensorOptions dtype() {
  return TensorOptions().dtype(CppTypeToScalarType<T>::value);
}

inline TensorOptions pinned_memory(bool pinned = true) {
  return TensorOptions().pinned_memory(pinned);
}

}  // namespace c10
