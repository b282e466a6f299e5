// What the CUDA pieces offer, called; the same source means the same with torch's own headers.
#include <ATen/ATen.h>
#include <ATen/Dispatch.h>
#include <ATen/DeviceGuard.h>
#include <ATen/ceil_div.h>
#include <ATen/cuda/Atomic.cuh>
#include <ATen/cuda/CUDAContext.h>
#include <ATen/cuda/CUDAEvent.h>
#include <ATen/cuda/CUDAGeneratorImpl.h>
#include <ATen/cuda/CUDAGraphsUtils.cuh>
#include <ATen/cuda/DeviceUtils.cuh>
#include <ATen/cuda/NumericLimits.cuh>
#include <ATen/cuda/detail/IndexUtils.cuh>
#include <ATen/cuda/detail/KernelUtils.h>
#include <ATen/cuda/detail/OffsetCalculator.cuh>
#include <ATen/native/cuda/KernelUtils.cuh>
#include <ATen/native/cuda/block_reduce.cuh>
#include <c10/core/StreamGuard.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/util/complex.h>
#include <torch/library.h>

namespace {

using at::cuda::detail::GET_BLOCKS;
using at::cuda::detail::IndexToOffset;
using at::cuda::detail::TensorInfo;
constexpr int kThreads = 64;

at::Tensor numbers(std::vector<double> values) {
  at::Tensor out = at::empty({static_cast<int64_t>(values.size())}, at::TensorOptions().dtype(at::kDouble).device(at::kCPU));
  std::copy(values.begin(), values.end(), out.data_ptr<double>());
  return out;
}

// ------------------------------------------------------------------ atomics

template <typename T>
__global__ void atomics_kernel(const T* x, T* out, int n) {
  CUDA_KERNEL_LOOP(i, n) {
    gpuAtomicAdd(out, x[i]);
    gpuAtomicAddNoReturn(out + 1, x[i]);
    gpuAtomicMax(out + 2, x[i]);
    gpuAtomicMin(out + 3, x[i]);
    at::native::fastAtomicAdd(out, 4 + i % 2, 6, x[i], true);
  }
}

at::Tensor atomics(const at::Tensor& x) {
  at::Tensor out = at::zeros({6}, x.options());
  AT_DISPATCH_ALL_TYPES_AND2(at::kHalf, at::kBFloat16, x.scalar_type(), "atomics", [&] {
    atomics_kernel<scalar_t><<<GET_BLOCKS(x.numel()), at::cuda::detail::CUDA_NUM_THREADS, 0, at::cuda::getCurrentCUDAStream()>>>(
        x.data_ptr<scalar_t>(), out.data_ptr<scalar_t>(), static_cast<int>(x.numel()));
  });
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return out;
}

__global__ void products_kernel(const float* x, float* out, int64_t n) {
  CUDA_KERNEL_LOOP_TYPE(i, n, int64_t) gpuAtomicMul(out, x[i]);
}

at::Tensor products(const at::Tensor& x) {
  at::Tensor out = at::ones({1}, x.options());
  products_kernel<<<at::ceil_div<int64_t>(x.numel(), kThreads), kThreads, 0, at::cuda::getCurrentCUDAStream()>>>(
      x.data_ptr<float>(), out.data_ptr<float>(), x.numel());
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return out;
}

// ----------------------------------------------------------------- indexing

template <int dims>
__global__ void compact_kernel(TensorInfo<float, unsigned> x, float* out, unsigned n) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    out[i] = x.data[IndexToOffset<float, unsigned, dims>::get(i, x)];
  }
}

// The elements of a strided tensor in their order, by each of the ways there are.
at::Tensor compact(const at::Tensor& x, int64_t way) {
  const unsigned n = static_cast<unsigned>(x.numel());
  at::Tensor out = at::empty({x.numel()}, x.options());
  auto info = at::cuda::detail::getTensorInfo<float, unsigned>(x);
  if (way > 0) info.collapseDims();
  const cudaStream_t stream = at::cuda::getCurrentCUDAStream();
  if (info.dims == 2) compact_kernel<2><<<2, kThreads, 0, stream>>>(info, out.data_ptr<float>(), n);
  else compact_kernel<-1><<<2, kThreads, 0, stream>>>(info, out.data_ptr<float>(), n);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return out;
}

__global__ void offsets_kernel(OffsetCalculator<2> offsets, at::cuda::detail::IntDivider<unsigned> divider, int* out) {
  const unsigned i = threadIdx.x;
  const auto at = offsets.get(i);
  const auto divided = divider.divmod(i);
  out[4 * i] = at[0], out[4 * i + 1] = at[1], out[4 * i + 2] = divided.div, out[4 * i + 3] = divided.mod;
}

at::Tensor offsets(const at::Tensor& x) {
  at::Tensor out = at::empty({kThreads, 4}, x.options().dtype(at::kInt));
  const int64_t sizes[2] = {3, 40}, first[2] = {1, 7}, second[2] = {0, 5};
  const int64_t* strides[2] = {first, second};
  offsets_kernel<<<1, kThreads, 0, at::cuda::getCurrentCUDAStream()>>>(OffsetCalculator<2>(2, sizes, strides), 7u, out.data_ptr<int>());
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return out;
}

template <typename T>
__global__ void limits_kernel(T* out) {
  using limits = at::numeric_limits<T>;
  out[0] = limits::lowest(), out[1] = limits::max(), out[2] = limits::lower_bound(), out[3] = limits::upper_bound();
}

at::Tensor limits(const at::Tensor& x) {
  at::Tensor out = at::empty({4}, x.options());
  AT_DISPATCH_ALL_TYPES_AND2(at::kHalf, at::kBFloat16, x.scalar_type(), "limits", [&] {
    limits_kernel<scalar_t><<<1, 1, 0, at::cuda::getCurrentCUDAStream()>>>(out.data_ptr<scalar_t>());
  });
  return out;
}

// -------------------------------------------------------------- warps, blocks

__global__ void warps_kernel(const float* x, float* out) {
  __shared__ float room[32];
  const float v = x[threadIdx.x];
  float* mine = out + 7 * threadIdx.x;
  mine[0] = WARP_SHFL(v, 3);
  mine[1] = WARP_SHFL_XOR(v, 5);
  mine[2] = WARP_SHFL_UP(v, 2);
  mine[3] = WARP_SHFL_DOWN(v, 1, 16);
  mine[4] = static_cast<float>(__popc(WARP_BALLOT(v > 0.5f, 0xffffffffu)));
  WARP_SYNC();
  mine[5] = at::native::cuda_utils::WarpReduceSum(v);
  mine[6] = at::native::cuda_utils::BlockReduceSum(v, room);
}

at::Tensor warps(const at::Tensor& x) {
  at::Tensor out = at::empty({x.numel(), 7}, x.options());
  warps_kernel<<<1, x.numel(), 0, at::cuda::getCurrentCUDAStream()>>>(x.data_ptr<float>(), out.data_ptr<float>());
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  // sums are the first lane's
  return at::cat({out.narrow(1, 0, 5).reshape({-1}), out.narrow(0, 0, 1).narrow(1, 5, 2).reshape({-1})});
}

template <typename T>
__global__ void arithmetic_kernel(const T* x, T* out, int n, float factor) {
  CUDA_KERNEL_LOOP(i, n) {
    T s = x[i] * factor;
    s += x[i] > static_cast<T>(0) ? T(2) : T(-1.5);
    out[i] = static_cast<T>(::exp(-std::abs(static_cast<float>(s)))) + T(1) / (s * s + T(1)) - x[i];
  }
}

__global__ void complex_kernel(c10::complex<float>* x, int n) {
  CUDA_KERNEL_LOOP(i, n) {
    c10::complex<float>& z = x[i];
    z *= 0.5f;
    z += c10::complex<float>(1, z.imag()) / (z + 2.0f);
    z = std::conj(z) * std::abs(z) + c10::complex<float>(std::arg(z), std::norm(z));
  }
}

at::Tensor arithmetic(const at::Tensor& x) {
  at::Tensor out = at::empty_like(x);
  const int n = static_cast<int>(x.numel());
  AT_DISPATCH_FLOATING_TYPES_AND2(at::kHalf, at::kBFloat16, x.scalar_type(), "arithmetic", [&] {
    arithmetic_kernel<scalar_t><<<1, kThreads, 0, at::cuda::getCurrentCUDAStream()>>>(
        x.data_ptr<scalar_t>(), out.data_ptr<scalar_t>(), n, 0.75f);
  });
  return out;
}

// Pairs of numbers, taken for complex ones.
at::Tensor complex_numbers(const at::Tensor& x) {
  at::Tensor out = x.clone();
  complex_kernel<<<1, kThreads, 0, at::cuda::getCurrentCUDAStream()>>>(
      reinterpret_cast<c10::complex<float>*>(out.data_ptr<float>()), static_cast<int>(x.numel() / 2));
  return out;
}

// ------------------------------------------- streams, events, guards, memory

__global__ void fill_kernel(float* out, int n, float value) {
  CUDA_KERNEL_LOOP(i, n) out[i] = value;
}

at::Tensor streams(const at::Tensor& x) {
  using namespace c10::cuda;
  const CUDAStream before = getCurrentCUDAStream();
  const CUDAStream pool = getStreamFromPool(), high = getStreamFromPool(true, x.device().index());
  std::vector<double> said = {double(pool == before), double(pool == high), double(high.device_index()),
                              double(getDefaultCUDAStream().stream() == nullptr),
                              double(getStreamFromExternal(pool.stream(), x.get_device()) == pool)};
  {
    CUDAStreamGuard guard(pool);
    said.insert(said.end(), {double(getCurrentCUDAStream() == pool), double(guard.original_stream() == before),
                             double(guard.current_device().index())});
    guard.reset_stream(high);
    said.push_back(getCurrentCUDAStream() == high);
  }
  said.push_back(getCurrentCUDAStream() == before);
  {
    OptionalCUDAStreamGuard guard;
    said.push_back(getCurrentCUDAStream() == before);
    guard.reset_stream(pool);
    said.push_back(getCurrentCUDAStream() == pool);
  }
  {
    c10::StreamGuard guard(pool.unwrap());
    said.push_back(getCurrentCUDAStream() == pool);
  }
  setCurrentCUDAStream(pool);
  said.push_back(getCurrentCUDAStream() == pool);
  setCurrentCUDAStream(before);
  said.push_back(getCurrentCUDAStream() == before);
  pool.synchronize();
  said.push_back(pool.query());
  return numbers(said);
}

// A kernel on another stream, which the current one waits for by an event.
at::Tensor filled(const at::Tensor& x) {
  at::Tensor out = at::empty_like(x);
  const c10::cuda::CUDAStream other = c10::cuda::getStreamFromPool();
  at::cuda::CUDAEvent ready, done(cudaEventDefault);
  ready.record();
  ready.block(other);
  {
    c10::cuda::CUDAStreamGuard guard(other);
    fill_kernel<<<1, kThreads, 0, c10::cuda::getCurrentCUDAStream()>>>(out.data_ptr<float>(), static_cast<int>(out.numel()), 3.5f);
    done.record();
  }
  done.block(c10::cuda::getCurrentCUDAStream());
  return out;
}

at::Tensor events(const at::Tensor& x) {
  at::cuda::CUDAEvent begin(cudaEventDefault), end(cudaEventDefault), never;
  std::vector<double> said = {double(begin.isCreated()), double(never.query())};
  begin.record();
  end.record();
  end.synchronize();
  said.insert(said.end(), {double(begin.isCreated()), double(end.query()), double(begin.elapsed_time(end) >= 0),
                           double(begin.device_index())});
  return numbers(said);
}

at::Tensor guards(const at::Tensor& x) {
  const at::OptionalDeviceGuard optional(at::device_of(x));
  const at::DeviceGuard guard(x.device());
  const c10::cuda::OptionalCUDAGuard cuda(x.device());
  const at::Tensor host = at::zeros({2}, x.options().device(at::kCPU));
  const c10::OptionalDeviceGuard none(at::device_of(host));
  return numbers({double(at::device_of(x)->is_cuda()), double(at::device_of(at::Tensor()).has_value()),
                  double(guard.original_device().is_cuda()), double(cuda.current_device()->index()),
                  double(c10::cuda::current_device()), double(c10::cuda::device_count()),
                  double(at::cuda::is_available()), double(at::cuda::warp_size()),
                  double(at::cuda::getCurrentDeviceProperties()->major),
                  double(at::cuda::getDeviceProperties(0)->maxThreadsPerBlock)});
}

at::Tensor memory(const at::Tensor& x) {
  at::Tensor out = at::empty_like(x);
  const size_t bytes = size_t(x.numel()) * sizeof(float);
  const cudaStream_t stream = c10::cuda::getCurrentCUDAStream();
  void* raw = c10::cuda::CUDACachingAllocator::raw_alloc(bytes);
  fill_kernel<<<1, kThreads, 0, stream>>>(static_cast<float*>(raw), static_cast<int>(x.numel()), 1.25f);
  auto held = c10::cuda::CUDACachingAllocator::get()->allocate(bytes);
  AT_CUDA_CHECK(cudaMemcpyAsync(held.get(), raw, bytes, cudaMemcpyDeviceToDevice, stream));
  AT_CUDA_CHECK(cudaMemcpyAsync(out.data_ptr<float>(), held.get(), bytes, cudaMemcpyDeviceToDevice, stream));
  AT_CUDA_CHECK(cudaStreamSynchronize(stream));
  c10::cuda::CUDACachingAllocator::raw_delete(raw);
  return out;
}

// ------------------------------------------------------------ random numbers

__global__ void unpack_kernel(at::PhiloxCudaState state, int64_t* out) {
  const auto seeds = at::cuda::philox::unpack(state);
  out[0] = static_cast<int64_t>(std::get<0>(seeds)), out[1] = static_cast<int64_t>(std::get<1>(seeds));
}

at::Tensor philox_states(const at::Tensor& x) {
  auto* generator = at::get_generator_or_default<at::CUDAGeneratorImpl>(
      std::nullopt, at::cuda::detail::getDefaultCUDAGenerator());
  at::Tensor out = at::empty({3, 2}, x.options().dtype(at::kLong));
  std::lock_guard<std::mutex> lock(generator->mutex_);
  generator->set_current_seed(1234);
  for (int k = 0; k < 3; ++k) {
    unpack_kernel<<<1, 1, 0, at::cuda::getCurrentCUDAStream()>>>(generator->philox_cuda_state(5), out.data_ptr<int64_t>() + 2 * k);
  }
  return out;
}

// ------------------------------------------------------------------- checks

at::Tensor fails(const at::Tensor& x, int64_t way) {
  if (way == 0) {
    fill_kernel<<<1, 2048, 0, at::cuda::getCurrentCUDAStream()>>>(x.data_ptr<float>(), 1, 0.f);
    C10_CUDA_KERNEL_LAUNCH_CHECK();
  }
  if (way == 1) AT_CUDA_CHECK(cudaErrorInvalidValue);
  if (way == 2) C10_CUDA_CHECK(cudaErrorInvalidValue);
  return x;
}

}  // namespace

TORCH_LIBRARY(emulated_pieces, m) {
  m.def("atomics(Tensor x) -> Tensor", &atomics);
  m.def("products(Tensor x) -> Tensor", &products);
  m.def("compact(Tensor x, int way) -> Tensor", &compact);
  m.def("offsets(Tensor x) -> Tensor", &offsets);
  m.def("limits(Tensor x) -> Tensor", &limits);
  m.def("warps(Tensor x) -> Tensor", &warps);
  m.def("arithmetic(Tensor x) -> Tensor", &arithmetic);
  m.def("complex_numbers(Tensor x) -> Tensor", &complex_numbers);
  m.def("streams(Tensor x) -> Tensor", &streams);
  m.def("filled(Tensor x) -> Tensor", &filled);
  m.def("events(Tensor x) -> Tensor", &events);
  m.def("guards(Tensor x) -> Tensor", &guards);
  m.def("memory(Tensor x) -> Tensor", &memory);
  m.def("philox_states(Tensor x) -> Tensor", &philox_states);
  m.def("fails(Tensor x, int way) -> Tensor", &fails);
}
