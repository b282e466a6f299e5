#pragma once

namespace at {

// extends
class TensorBase {
  // instead of the one with: T* mutable_data_ptr() const;
  template <typename T>
  T* mutable_data_ptr() const {
    return const_cast<T*>(tensor_.data<T>());
  }

  // instead of the one with: const T* const_data_ptr() const;
  template <typename T, std::enable_if_t<!std::is_const_v<T>, int> = 0>
  const T* const_data_ptr() const {
    return tensor_.data<T>();
  }
};

}  // namespace at
