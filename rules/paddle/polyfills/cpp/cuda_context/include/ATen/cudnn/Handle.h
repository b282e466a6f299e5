#pragma once
#include <ATen/cuda/CUDAContext.h>

#ifdef PADDLE_WITH_CUDA
namespace at::native {

// Of Paddle's context of the current device.
inline cudnnHandle_t getCudnnHandle() {
  return at::cuda::compat_detail::current_context()->cudnn_handle();
}

}  // namespace at::native
#endif
