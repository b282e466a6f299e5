#pragma once
#include <ATen/cuda/CUDAEvent.h>

namespace c10::cuda {

using CUDAEvent = at::cuda::CUDAEvent;

}  // namespace c10::cuda
