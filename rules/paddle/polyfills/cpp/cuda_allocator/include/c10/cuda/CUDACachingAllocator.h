#pragma once
#include <c10/cuda/CUDAStream.h>
#include "paddle/phi/core/memory/malloc.h"

#include <memory>
#include <mutex>
#include <unordered_map>

namespace c10::cuda::CUDACachingAllocator::compat_detail {

// What raw_alloc gave out and raw_delete did not take back.
struct Given {
  ::std::mutex mutex;
  ::std::unordered_map<void*, ::std::shared_ptr<phi::Allocation>> memory;
};

inline Given& given() {
  static auto& instance = *new Given;
  return instance;
}

}  // namespace c10::cuda::CUDACachingAllocator::compat_detail

namespace c10::cuda::CUDACachingAllocator {

inline void* raw_alloc_with_stream(size_t bytes, cudaStream_t stream) {
  if (bytes == 0) return nullptr;
  const phi::GPUPlace place(phi::backends::gpu::GetCurrentDeviceId());
  const phi::Stream on(reinterpret_cast<phi::StreamId>(stream));
  auto memory = paddle::memory::AllocShared(place, bytes, on);
  void* pointer = memory->ptr();
  auto& given = compat_detail::given();
  const ::std::lock_guard<::std::mutex> lock(given.mutex);
  given.memory[pointer] = ::std::move(memory);
  return pointer;
}

inline void* raw_alloc(size_t bytes) {
  return raw_alloc_with_stream(bytes, getCurrentCUDAStream());
}

inline void raw_delete(void* pointer) {
  auto& given = compat_detail::given();
  const ::std::lock_guard<::std::mutex> lock(given.mutex);
  given.memory.erase(pointer);
}

// The memory is not reused before the work now on the stream is done.
inline void recordStream(void* pointer, CUDAStream stream) {
  auto& given = compat_detail::given();
  const ::std::lock_guard<::std::mutex> lock(given.mutex);
  const auto found = given.memory.find(pointer);
  if (found != given.memory.end()) paddle::memory::RecordStream(found->second, stream.stream());
}

inline void emptyCache() {
  for (int device = 0; device < phi::backends::gpu::GetGPUDeviceCount(); ++device) {
    paddle::memory::Release(phi::Place(phi::GPUPlace(device)));
  }
}

struct CUDAAllocator {
  void* raw_alloc(size_t bytes) { return CUDACachingAllocator::raw_alloc(bytes); }
  void* raw_allocate(size_t bytes) { return CUDACachingAllocator::raw_alloc(bytes); }
  void* raw_alloc_with_stream(size_t bytes, cudaStream_t stream) {
    return CUDACachingAllocator::raw_alloc_with_stream(bytes, stream);
  }
  void raw_delete(void* pointer) { CUDACachingAllocator::raw_delete(pointer); }
  void raw_deallocate(void* pointer) { CUDACachingAllocator::raw_delete(pointer); }
  void emptyCache() { CUDACachingAllocator::emptyCache(); }

  using Memory = ::std::unique_ptr<void, void (*)(void*)>;
  Memory allocate(size_t bytes) {
    return Memory(CUDACachingAllocator::raw_alloc(bytes), &CUDACachingAllocator::raw_delete);
  }
};

inline CUDAAllocator* get() {
  static CUDAAllocator allocator;
  return &allocator;
}

}  // namespace c10::cuda::CUDACachingAllocator

namespace at::cuda {

inline c10::cuda::CUDACachingAllocator::CUDAAllocator* getCUDADeviceAllocator() {
  return c10::cuda::CUDACachingAllocator::get();
}

}  // namespace at::cuda
