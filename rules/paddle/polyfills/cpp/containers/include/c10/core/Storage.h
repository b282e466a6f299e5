#pragma once
#include <c10/core/Allocator.h>
#include "paddle/phi/core/dense_tensor.h"

namespace c10 {

// The memory of a tensor; its size may be rounded up.
class Storage {
 public:
  Storage() = default;
  explicit Storage(std::shared_ptr<phi::Allocation> memory) : memory_(std::move(memory)) {}
  const void* data() const { return memory_ ? memory_->ptr() : nullptr; }
  void* mutable_data() const { return memory_ ? memory_->ptr() : nullptr; }
  DataPtr data_ptr() const { return DataPtr(mutable_data(), device()); }
  size_t nbytes() const { return memory_ ? memory_->size() : 0; }
  Device device() const { return Device(memory_ ? memory_->place() : phi::Place(phi::CPUPlace())); }
  size_t use_count() const { return memory_.use_count() - 1; }
  bool is_alias_of(const Storage& other) const { return memory_ == other.memory_; }
  explicit operator bool() const { return memory_ != nullptr; }

 private:
  std::shared_ptr<phi::Allocation> memory_;
};

}  // namespace c10

namespace at {
using c10::Storage;
}  // namespace at

namespace torch {
using c10::Storage;
}  // namespace torch
