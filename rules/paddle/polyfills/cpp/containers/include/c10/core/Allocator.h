#pragma once
#include <c10/core/Device.h>

#include <memory>

namespace c10 {

using DeleterFnPtr = void (*)(void*);

// Memory and how to give it back.
class DataPtr {
 public:
  DataPtr() : DataPtr(nullptr, Device(kCPU)) {}
  DataPtr(void* data, Device device) : data_(data), held_(nullptr, [](void*) {}), device_(device) {}
  DataPtr(void* data, void* context, DeleterFnPtr deleter, Device device)
      : data_(data), held_(context, deleter ? deleter : [](void*) {}), device_(device) {}
  void* get() const { return data_; }
  void* mutable_get() { return data_; }
  void* get_context() const { return held_.get(); }
  DeleterFnPtr get_deleter() const { return held_.get_deleter(); }
  void* operator->() const { return data_; }
  explicit operator bool() const { return data_ != nullptr; }
  Device device() const { return device_; }
  void clear() { held_.reset(), data_ = nullptr; }

 private:
  void* data_;
  std::unique_ptr<void, DeleterFnPtr> held_;
  Device device_;
};

}  // namespace c10

namespace at {
using c10::DataPtr;
}  // namespace at
