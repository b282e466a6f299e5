#pragma once
#include <torch/headeronly/util/shim_utils.h>

#ifndef STABLE_TORCH_ERROR_CODE_CHECK
#define STABLE_TORCH_ERROR_CODE_CHECK(call) TORCH_ERROR_CODE_CHECK(call)
#endif

#ifndef STD_CUDA_CHECK
#define STD_CUDA_CHECK(call)                                                                  \
  do {                                                                                        \
    const cudaError_t porter_error = (call);                                                  \
    if (porter_error != cudaSuccess)                                                          \
      ::torch::headeronly::compat_detail::fail("", __FILE__, __LINE__, "CUDA error: ",        \
                                               cudaGetErrorString(porter_error));             \
  } while (0)
#endif

#ifndef STD_CUDA_KERNEL_LAUNCH_CHECK
#define STD_CUDA_KERNEL_LAUNCH_CHECK() STD_CUDA_CHECK(cudaGetLastError())
#endif
