#include <torch/extension.h>
#include <THC/THC.h>
#include <THC/THCDeviceUtils.cuh>
#include <THC/THCNumerics.cuh>
#include <ATen/cuda/CUDAGraphsUtils.cuh>
#include <ATen/CUDAGeneratorImpl.h>
#include <ATen/cuda/ThrustAllocator.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <curand_kernel.h>
#include <thrust/device_ptr.h>
#include <thrust/sort.h>
#include <thrust/execution_policy.h>
extern THCState* state;
__global__ void drop(float* p, at::PhiloxCudaState philox) {
  auto seeds = at::cuda::philox::unpack(philox);
  curandStatePhilox4_32_10_t s; curand_init(std::get<0>(seeds), threadIdx.x, std::get<1>(seeds), &s);
  if (THCNumerics<float>::gt(p[0], 1.f)) p[threadIdx.x] = curand_uniform(&s);
}
void h(at::Tensor x, c10::optional<at::Generator> gen_) {
  auto gen = at::get_generator_or_default<at::CUDAGeneratorImpl>(gen_, at::cuda::detail::getDefaultCUDAGenerator());
  at::PhiloxCudaState args;
  { std::lock_guard<std::mutex> lock(gen->mutex_); args = gen->philox_cuda_state(4); }
  auto inputs = gen->philox_engine_inputs(4); uint64_t seed = inputs.first;
  drop<<<THCCeilDiv(3, 2), 32, 0, THCState_getCurrentStream(state)>>>(x.data_ptr<float>(), args);
  THCudaCheck(cudaGetLastError()); THArgCheck(x.dim() == 1, 1, "one"); if (!seed) THError("no");
  void* p = THCudaMalloc(state, 12); THCudaFree(state, p);
  auto* a = c10::cuda::CUDACachingAllocator::get(); p = a->raw_alloc(3); a->raw_delete(p); auto buffer = a->allocate(7); buffer.get();
  p = c10::cuda::CUDACachingAllocator::raw_alloc_with_stream(3, at::cuda::getCurrentCUDAStream()); c10::cuda::CUDACachingAllocator::recordStream(p, at::cuda::getCurrentCUDAStream());
  c10::cuda::CUDACachingAllocator::emptyCache();
  auto allocator = at::cuda::ThrustAllocator(); auto policy = thrust::cuda::par(allocator).on(at::cuda::getCurrentCUDAStream());
  thrust::sort(policy, x.data_ptr<int>(), x.data_ptr<int>() + 3);
  at::cuda::getCUDADeviceAllocator()->allocate(3);
}
