#include <torch/extension.h>
#include <ATen/cuda/detail/KernelUtils.h>
#include <ATen/cuda/detail/IndexUtils.cuh>
#include <ATen/cuda/detail/OffsetCalculator.cuh>
#include <ATen/cuda/CUDAApplyUtils.cuh>
#include <ATen/cuda/NumericLimits.cuh>
#include <ATen/ceil_div.h>
#include <ATen/cuda/Atomic.cuh>
#include <THC/THCAtomics.cuh>
#include <ATen/native/cuda/KernelUtils.cuh>
#include <ATen/native/cuda/block_reduce.cuh>
#include <ATen/native/cuda/thread_constants.h>
using at::cuda::detail::TensorInfo;
using at::cuda::detail::GET_BLOCKS;
template <typename T> __global__ void atomics(T* p, int n) {
  CUDA_KERNEL_LOOP(i, n) { gpuAtomicAdd(p + i, static_cast<T>(1)); gpuAtomicAddNoReturn(p, T(2)); atomicAdd(p, T(3)); at::native::fastAtomicAdd(p, i, n, T(1), true); }
  { CUDA_KERNEL_LOOP_TYPE(j, n, int64_t) { gpuAtomicMul(p + j, static_cast<T>(1)); gpuAtomicMax(p, T(1)); gpuAtomicMin(p, T(1)); } }
}
template <typename T> __global__ void add_only(T* p) { gpuAtomicAdd(p, T(1)); atomicAdd(p, T(1)); }
template __global__ void atomics<float>(float*, int);
template __global__ void atomics<double>(double*, int);
template __global__ void atomics<at::Half>(at::Half*, int);
template __global__ void atomics<at::BFloat16>(at::BFloat16*, int);
template __global__ void atomics<int>(int*, int);
template __global__ void atomics<int64_t>(int64_t*, int);
template __global__ void atomics<uint8_t>(uint8_t*, int);
template __global__ void atomics<int8_t>(int8_t*, int);
template __global__ void atomics<int16_t>(int16_t*, int);
template __global__ void add_only<bool>(bool*);
template __global__ void add_only<c10::complex<float>>(c10::complex<float>*);
template <typename T, typename I> __global__ void idx(TensorInfo<T, I> a, OffsetCalculator<2> oc, at::cuda::detail::IntDivider<unsigned> d) {
  I o = at::cuda::detail::IndexToOffset<T, I, -1>::get(threadIdx.x, a); o += at::cuda::detail::IndexToOffset<T, I, 2>::get(threadIdx.x, a);
  a.data[o] = at::numeric_limits<T>::lower_bound(); a.data[oc.get(3)[1]] = at::numeric_limits<T>::max(); a.data[d.divmod(3).mod] = at::ceil_div(3, 2);
  __shared__ T s[32];
  T v = at::native::cuda_utils::BlockReduceSum(a.data[0], s); v = at::native::cuda_utils::BlockReduceMax(v, s);
  v = WARP_SHFL(v, 0) + WARP_SHFL_XOR(v, 1) + WARP_SHFL_UP(v, 1) + WARP_SHFL_DOWN(v, 1, 32); WARP_SYNC(); if (WARP_BALLOT(v > T(0), ACTIVE_MASK())) a.data[1] = doLdg(a.data);
}
void g(at::Tensor x) {
  dim3 grid; at::cuda::getApplyGrid(x.numel(), grid, 0); dim3 block = at::cuda::getApplyBlock();
  if (at::cuda::detail::canUse32BitIndexMath(x)) { auto info = at::cuda::detail::getTensorInfo<float, unsigned>(x); info.collapseDims();
    int64_t s[1] = {3}; const int64_t* st[2] = {s, s};
    idx<float, unsigned><<<GET_BLOCKS(x.numel()), at::cuda::detail::CUDA_NUM_THREADS>>>(info, OffsetCalculator<2>(1, s, st), 7u); }
  else { auto info = at::cuda::detail::getTensorInfo<at::Half, uint64_t>(x); idx<at::Half, uint64_t><<<at::cuda::ATenCeilDiv<int64_t>(x.numel(), 3), block>>>(info, OffsetCalculator<2>(0, nullptr, nullptr), 1); }
}
