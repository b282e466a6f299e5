#include <torch/extension.h>
#include <ATen/cuda/CUDAContext.h>
#include <ATen/cuda/CUDAEvent.h>
#include <ATen/cuda/CUDAUtils.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/core/DeviceGuard.h>
#include <c10/core/StreamGuard.h>
#include <c10/core/Event.h>
#include <ATen/DeviceGuard.h>
#include <ATen/cudnn/Handle.h>
#include <c10/cuda/CUDAMathCompat.h>

__global__ void C10_LAUNCH_BOUNDS_1(256) k(float* p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  CUDA_KERNEL_ASSERT(n > 0);
  if (C10_LIKELY(i < n)) p[i] = c10::cuda::compat::max(p[i], c10::cuda::compat::exp(1.f)) + C10_WARP_SIZE;
  else CUDA_KERNEL_ASSERT_PRINTF(i > 0, "i %d", i);
}
void f(at::Tensor x) {
  if (!at::cuda::check_device({x, x})) return;
  const at::cuda::OptionalCUDAGuard guard(device_of(x));
  const at::cuda::CUDAGuard g2(x.device());
  c10::OptionalDeviceGuard g3(at::device_of(x));
  at::DeviceGuard g4(x.device());
  auto stream = at::cuda::getCurrentCUDAStream();
  cudaStream_t raw = at::cuda::getCurrentCUDAStream(x.get_device()).stream();
  auto pool = at::cuda::getStreamFromPool();
  auto pool2 = c10::cuda::getStreamFromPool(/*isHighPriority=*/true, x.device().index());
  at::cuda::CUDAStream d = at::cuda::getDefaultCUDAStream();
  { at::cuda::CUDAStreamGuard sg(pool); }
  { c10::cuda::CUDAStreamGuard sg(pool.unwrap()); sg.reset_stream(stream); at::cuda::CUDAMultiStreamGuard m({pool, pool2}); }
  { c10::cuda::OptionalCUDAStreamGuard o; o.reset_stream(pool); o.current_stream(); }
  { c10::StreamGuard o(pool.unwrap()); }
  at::cuda::setCurrentCUDAStream(pool);
  auto ext = at::cuda::getStreamFromExternal(raw, x.get_device());
  if (ext == pool || pool.query()) pool.synchronize();
  TORCH_CHECK(pool.device_index() == 0 && pool.priority() < 0);
  k<<<1, 256, 0, pool>>>(x.data_ptr<float>(), 3);
  if (x.numel()) C10_CUDA_KERNEL_LAUNCH_CHECK(); else AT_CUDA_CHECK(cudaGetLastError());
  C10_CUDA_CHECK_WARN(cudaGetLastError()); C10_CUDA_IGNORE_ERROR(cudaGetLastError()); C10_CUDA_CLEAR_ERROR();
  at::cuda::CUDAEvent e, e2(cudaEventDefault);
  e.record(); e.record(pool); e.block(stream); e.synchronize(); if (e.query()) e.elapsed_time(e2);
  torch::Event te(torch::kCUDA); te.record(pool); pool.unwrap().wait(te); te.synchronize();
  x.record_stream(pool);
  x.record_stream(pool.unwrap());
  TORCH_CUDABLAS_CHECK(cublasSetPointerMode(at::cuda::getCurrentCUDABlasHandle(), CUBLAS_POINTER_MODE_HOST));
  at::cuda::getCurrentCUDABlasLtHandle(); at::cuda::getCurrentCUDASparseHandle(); at::cuda::getCurrentCUDASolverDnHandle();
  at::native::getCudnnHandle();
  at::cuda::getCurrentDeviceProperties()->multiProcessorCount; at::cuda::warp_size(); at::cuda::getDeviceProperties(0);
  c10::cuda::current_device(); at::cuda::device_count(); c10::cuda::set_device(0); at::cuda::is_available(); torch::cuda::is_available(); torch::cuda::device_count();
  c10::cuda::MaybeSetDevice(1);
  torch::cuda::CUDAStream ts = torch::cuda::getCurrentCUDAStream();
}
