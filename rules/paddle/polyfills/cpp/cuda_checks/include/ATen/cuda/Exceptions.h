#pragma once
#include <c10/cuda/CUDAException.h>

#include <string>

#ifdef PADDLE_WITH_CUDA
#include <cublas_v2.h>
#include <cusolverDn.h>
#include <cusparse.h>
#endif

#ifndef AT_CUDA_CHECK
#define AT_CUDA_CHECK(call) C10_CUDA_CHECK(call)
#endif

#ifndef TORCH_CUDABLAS_CHECK
#define TORCH_CUDABLAS_CHECK(call)                                                            \
  do {                                                                                        \
    const cublasStatus_t porter_status = (call);                                              \
    if (porter_status != CUBLAS_STATUS_SUCCESS)                                               \
      throw CompatException("cuBLAS", __FILE__, __LINE__, std::to_string(int(porter_status))); \
  } while (0)
#endif

#ifndef TORCH_CUDASPARSE_CHECK
#define TORCH_CUDASPARSE_CHECK(call)                                                            \
  do {                                                                                          \
    const cusparseStatus_t porter_status = (call);                                              \
    if (porter_status != CUSPARSE_STATUS_SUCCESS)                                               \
      throw CompatException("cuSPARSE", __FILE__, __LINE__, std::to_string(int(porter_status))); \
  } while (0)
#endif

#ifndef TORCH_CUSPARSE_CHECK
#define TORCH_CUSPARSE_CHECK(call)                                                              \
  do {                                                                                          \
    const cusparseStatus_t porter_status = (call);                                              \
    if (porter_status != CUSPARSE_STATUS_SUCCESS)                                               \
      throw CompatException("cuSPARSE", __FILE__, __LINE__, std::to_string(int(porter_status))); \
  } while (0)
#endif

#ifndef TORCH_CUSOLVER_CHECK
#define TORCH_CUSOLVER_CHECK(call)                                                              \
  do {                                                                                          \
    const cusolverStatus_t porter_status = (call);                                              \
    if (porter_status != CUSOLVER_STATUS_SUCCESS)                                               \
      throw CompatException("cuSOLVER", __FILE__, __LINE__, std::to_string(int(porter_status))); \
  } while (0)
#endif

#ifndef AT_CUDNN_CHECK
#define AT_CUDNN_CHECK(call, ...)                                                            \
  do {                                                                                       \
    const cudnnStatus_t porter_status = (call);                                              \
    if (porter_status != CUDNN_STATUS_SUCCESS)                                               \
      throw CompatException("cuDNN", __FILE__, __LINE__, std::to_string(int(porter_status))); \
  } while (0)
#endif

#ifndef AT_CUDA_DRIVER_CHECK
#define AT_CUDA_DRIVER_CHECK(call)                                                                 \
  do {                                                                                             \
    const CUresult porter_status = (call);                                                         \
    if (porter_status != CUDA_SUCCESS)                                                             \
      throw CompatException("CUDA driver", __FILE__, __LINE__, std::to_string(int(porter_status))); \
  } while (0)
#endif

#ifndef AT_CUDA_NVRTC_CHECK
#define AT_CUDA_NVRTC_CHECK(call)                                                            \
  do {                                                                                       \
    const nvrtcResult porter_status = (call);                                                \
    if (porter_status != NVRTC_SUCCESS)                                                      \
      throw CompatException("NVRTC", __FILE__, __LINE__, std::to_string(int(porter_status))); \
  } while (0)
#endif
