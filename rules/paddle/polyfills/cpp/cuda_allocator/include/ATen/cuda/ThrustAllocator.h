#pragma once
#include <c10/cuda/CUDACachingAllocator.h>

#include <cstddef>

namespace at::cuda {

// Temporary memory for Thrust.
class ThrustAllocator {
 public:
  using value_type = char;

  char* allocate(::std::ptrdiff_t bytes) {
    return static_cast<char*>(c10::cuda::CUDACachingAllocator::raw_alloc(bytes));
  }

  void deallocate(char* pointer, size_t) { c10::cuda::CUDACachingAllocator::raw_delete(pointer); }
};

}  // namespace at::cuda
