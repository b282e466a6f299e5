#pragma once
#include <ATen/cuda/CUDAGeneratorImpl.h>
#include <ATen/cuda/PhiloxUtils.cuh>
#include <c10/cuda/CUDAStream.h>

namespace at::cuda {

enum class CaptureStatus : int { None = 0, Active = 1, Invalidated = 2 };

inline CaptureStatus currentStreamCaptureStatus() {
  cudaStreamCaptureStatus status{};
  C10_CUDA_CHECK(cudaStreamIsCapturing(getCurrentCUDAStream(), &status));
  return static_cast<CaptureStatus>(
      status == cudaStreamCaptureStatusNone ? 0 : status == cudaStreamCaptureStatusActive ? 1 : 2);
}

inline void assertNotCapturing(const ::std::string& attempt) {
  cudaStreamCaptureStatus status{};
  C10_CUDA_CHECK(cudaStreamIsCapturing(getCurrentCUDAStream(), &status));
  PD_CHECK(status == cudaStreamCaptureStatusNone, attempt, " during CUDA graph capture");
}

}  // namespace at::cuda
