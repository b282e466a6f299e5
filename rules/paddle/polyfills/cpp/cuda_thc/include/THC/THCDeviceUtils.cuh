#pragma once
#include <ATen/cuda/DeviceUtils.cuh>

template <typename T>
__host__ __device__ inline T THCCeilDiv(T a, T b) { return (a + b - 1) / b; }

template <typename T>
__host__ __device__ inline T THCRoundUp(T a, T b) { return (a + b - 1) / b * b; }
