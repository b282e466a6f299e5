#pragma once
#include <ATen/cuda/Exceptions.h>

#ifdef PADDLE_WITH_CUDA
#include <c10/cuda/CUDAFunctions.h>
#include <c10/cuda/CUDAStream.h>
#include <cublasLt.h>
#include "paddle/phi/backends/context_pool.h"
#include "paddle/phi/backends/dynload/cublas.h"
#include "paddle/phi/backends/dynload/cusolver.h"
#include "paddle/phi/backends/dynload/cusparse.h"
#include "paddle/phi/backends/gpu/gpu_context.h"
#endif

namespace at::cuda::compat_detail {

#ifdef PADDLE_WITH_CUDA
inline const phi::GPUContext* current_context() {
  const phi::GPUPlace place(phi::backends::gpu::GetCurrentDeviceId());
  return static_cast<const phi::GPUContext*>(phi::DeviceContextPool::Instance().Get(place));
}
#endif

}  // namespace at::cuda::compat_detail

namespace at::cuda {

#ifdef PADDLE_WITH_CUDA
inline int warp_size() { return getCurrentDeviceProperties()->warpSize; }
#endif

#ifdef PADDLE_WITH_CUDA
inline bool canDeviceAccessPeer(c10::DeviceIndex device, c10::DeviceIndex peer) {
  int answer = 0;
  C10_CUDA_CHECK(cudaDeviceCanAccessPeer(&answer, device, peer));
  return answer != 0;
}
#endif

#ifdef PADDLE_WITH_CUDA
inline int64_t getNumGPUs() { return phi::backends::gpu::GetGPUDeviceCount(); }
#endif

#ifdef PADDLE_WITH_CUDA
inline cublasHandle_t getCurrentCUDABlasHandle(bool setup = true) {
  const auto* context = compat_detail::current_context();
  const cublasHandle_t handle = context->cublas_handle();
  if (setup) phi::dynload::cublasSetStream_v2(handle, context->stream());
  return handle;
}
#endif

#ifdef PADDLE_WITH_CUDA
inline cublasLtHandle_t getCurrentCUDABlasLtHandle() {
  return compat_detail::current_context()->cublaslt_handle();
}
#endif

#ifdef PADDLE_WITH_CUDA
inline cusparseHandle_t getCurrentCUDASparseHandle() {
  const auto* context = compat_detail::current_context();
  const cusparseHandle_t handle = context->cusparse_handle();
  phi::dynload::cusparseSetStream(handle, context->stream());
  return handle;
}
#endif

#ifdef PADDLE_WITH_CUDA
inline cusolverDnHandle_t getCurrentCUDASolverDnHandle() {
  const auto* context = compat_detail::current_context();
  const cusolverDnHandle_t handle = context->cusolver_dn_handle();
  phi::dynload::cusolverDnSetStream(handle, context->stream());
  return handle;
}
#endif

}  // namespace at::cuda
