#pragma once
#include <cstdio>

#ifdef PADDLE_WITH_CUDA
#include <cuda_runtime_api.h>
#endif

#ifndef C10_CUDA_KERNEL_LAUNCH_CHECK
#define C10_CUDA_KERNEL_LAUNCH_CHECK() C10_CUDA_CHECK(cudaGetLastError())
#endif

#ifndef C10_CUDA_CHECK_WARN
#define C10_CUDA_CHECK_WARN(call)                                                     \
  do {                                                                                \
    const cudaError_t porter_error = (call);                                          \
    if (porter_error != cudaSuccess) {                                                \
      (void)cudaGetLastError();                                                       \
      std::fprintf(stderr, "CUDA warning: %s\n", cudaGetErrorString(porter_error));   \
    }                                                                                 \
  } while (0)
#endif

#ifndef C10_CUDA_ERROR_HANDLED
#define C10_CUDA_ERROR_HANDLED(call) (call)
#endif

#ifndef C10_CUDA_IGNORE_ERROR
#define C10_CUDA_IGNORE_ERROR(call)                            \
  do {                                                         \
    if ((call) != cudaSuccess) (void)cudaGetLastError();       \
  } while (0)
#endif

#ifndef C10_CUDA_CLEAR_ERROR
#define C10_CUDA_CLEAR_ERROR() (void)cudaGetLastError()
#endif

// A launch and its check; device-side assertions that report to the host are not collected.
#ifndef TORCH_DSA_KERNEL_LAUNCH
#define TORCH_DSA_KERNEL_LAUNCH(kernel, blocks, threads, shared_mem, stream, ...)   \
  do {                                                                              \
    kernel<<<blocks, threads, shared_mem, stream>>>(__VA_ARGS__, nullptr, 0);       \
    C10_CUDA_CHECK(cudaGetLastError());                                             \
  } while (0)
#endif

namespace c10 {

// What a failing check throws.
using CUDAError = ::CompatException;

}  // namespace c10
