#pragma once
#include <ATen/core/ivalue.h>

namespace c10 {

template <typename T>
using intrusive_ptr = ::torch::intrusive_ptr<T>;

using intrusive_ptr_target = ::torch::CustomClassHolder;

template <typename T, typename... Args>
intrusive_ptr<T> make_intrusive(Args&&... args) {
  return ::torch::make_intrusive<T>(std::forward<Args>(args)...);
}

}  // namespace c10
