// Paddle's c10/cuda/CUDAException.h, and the check after a kernel launch that it lacks.
#pragma once

#include_next <c10/cuda/CUDAException.h>

#ifndef C10_CUDA_KERNEL_LAUNCH_CHECK
#define C10_CUDA_KERNEL_LAUNCH_CHECK() C10_CUDA_CHECK(cudaGetLastError())
#endif
