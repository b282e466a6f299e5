#pragma once
#include <ATen/cuda/DeviceUtils.cuh>
#include <c10/macros/Macros.h>

namespace at::native::cuda_utils {

constexpr int kCUDABlockReduceNumThreads = 512;

constexpr int kCUDABlockReduceMaxThreads() { return 1024; }

struct Block1D {
  static __device__ int Tid() { return threadIdx.x; }
  static __device__ int Warps() { return blockDim.x / 32; }
};

struct Block2D {
  static __device__ int Tid() { return threadIdx.x + threadIdx.y * blockDim.x; }
  static __device__ int Warps() { return blockDim.x * blockDim.y / 32; }
};

// Lane 0 has the sum.
template <typename T>
__device__ inline T WarpReduceSum(T value) {
  for (int offset = 16; offset > 0; offset /= 2) value += WARP_SHFL_DOWN(value, offset);
  return value;
}

template <typename T>
__device__ inline T WarpReduceMax(T value) {
  for (int offset = 16; offset > 0; offset /= 2) {
    const T other = WARP_SHFL_DOWN(value, offset);
    value = value != value || value > other ? value : other;
  }
  return value;
}

// `op` has combine and warp_shfl_down.
template <typename T, class ReduceOp>
__device__ inline T WarpReduce(T value, const ReduceOp& op) {
  for (int offset = 16; offset > 0; offset /= 2) value = op.combine(value, op.warp_shfl_down(value, offset));
  return value;
}

// Thread 0 has the sum; `shared` has a place for each warp.
template <typename T, typename B = Block1D>
__device__ inline T BlockReduceSum(T value, T* shared) {
  const int lane = B::Tid() % 32, warp = B::Tid() / 32;
  value = WarpReduceSum(value);
  __syncthreads();
  if (lane == 0) shared[warp] = value;
  __syncthreads();
  value = B::Tid() < B::Warps() ? shared[lane] : T(0);
  return warp == 0 ? WarpReduceSum(value) : value;
}

template <typename T, typename B = Block1D>
__device__ inline T BlockReduceMax(T value, T* shared) {
  const int lane = B::Tid() % 32, warp = B::Tid() / 32;
  value = WarpReduceMax(value);
  __syncthreads();
  if (lane == 0) shared[warp] = value;
  __syncthreads();
  value = shared[B::Tid() < B::Warps() ? lane : 0];
  return warp == 0 ? WarpReduceMax(value) : value;
}

template <typename T, class ReduceOp, typename B = Block1D>
__device__ inline T BlockReduce(T value, const ReduceOp& op, const T& identity, T* shared) {
  const int lane = B::Tid() % 32, warp = B::Tid() / 32;
  value = WarpReduce(value, op);
  __syncthreads();
  if (lane == 0) shared[warp] = value;
  __syncthreads();
  value = B::Tid() < B::Warps() ? shared[lane] : identity;
  return warp == 0 ? WarpReduce(value, op) : value;
}

}  // namespace at::native::cuda_utils
