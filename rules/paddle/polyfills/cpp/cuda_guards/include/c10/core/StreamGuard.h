#pragma once
#include <c10/core/Stream.h>
#include <c10/cuda/CUDAGuard.h>

namespace c10 {

using StreamGuard = c10::cuda::CUDAStreamGuard;

}  // namespace c10

namespace at {

using StreamGuard = c10::StreamGuard;

}  // namespace at

namespace torch {

using StreamGuard = c10::StreamGuard;

}  // namespace torch
