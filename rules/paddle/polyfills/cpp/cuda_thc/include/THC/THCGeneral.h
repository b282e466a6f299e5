#pragma once
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDACachingAllocator.h>

#include <cstdlib>

// Holds nothing; sources pass one on to the functions below.
struct THCState {};

#ifndef THCudaCheck
#define THCudaCheck(call) C10_CUDA_CHECK(call)
#endif

#ifndef THCudaCheckWarn
#define THCudaCheckWarn(call) C10_CUDA_CHECK_WARN(call)
#endif

#ifndef THCublasCheck
#define THCublasCheck(call) TORCH_CUDABLAS_CHECK(call)
#endif

#ifndef THArgCheck
#define THArgCheck(condition, argument, ...) PD_CHECK(condition, "argument ", argument, ": ", __VA_ARGS__)
#endif

#ifndef THError
#define THError(...) PD_THROW(__VA_ARGS__)
#endif

inline cudaStream_t THCState_getCurrentStream(THCState*) { return at::cuda::getCurrentCUDAStream(); }

inline cublasHandle_t THCState_getCurrentBlasHandle(THCState*) {
  return at::cuda::getCurrentCUDABlasHandle();
}

inline void* THCudaMalloc(THCState*, size_t bytes) {
  return c10::cuda::CUDACachingAllocator::raw_alloc(bytes);
}

inline void THCudaFree(THCState*, void* pointer) {
  c10::cuda::CUDACachingAllocator::raw_delete(pointer);
}
