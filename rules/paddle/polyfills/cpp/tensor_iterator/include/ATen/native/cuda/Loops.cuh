#pragma once
#include <ATen/TensorIterator.h>
#include <ATen/cuda/detail/OffsetCalculator.cuh>
#include <ATen/detail/FunctionTraits.h>
#include <ATen/native/cuda/thread_constants.h>
#include <c10/core/ScalarType.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAStream.h>

#include <array>
#include <type_traits>
#include <utility>

template <int N, bool signed_strides = false>
OffsetCalculator<N, uint32_t, signed_strides> make_offset_calculator(
    const at::TensorIteratorBase& iter) {
  ::std::array<const int64_t*, N> strides;
  for (int arg = 0; arg < N; ++arg) strides[arg] = iter.strides(arg).data();
  return OffsetCalculator<N, uint32_t, signed_strides>(iter.ndim(), iter.shape().data(), strides.data());
}

template <int N, bool signed_strides = false>
OffsetCalculator<N, uint32_t, signed_strides> make_element_offset_calculator(
    const at::TensorIteratorBase& iter) {
  ::std::array<const int64_t*, N> strides;
  ::std::array<int64_t, N> sizes;
  for (int arg = 0; arg < N; ++arg) {
    strides[arg] = iter.strides(arg).data();
    sizes[arg] = iter.element_size(arg);
  }
  return OffsetCalculator<N, uint32_t, signed_strides>(
      iter.ndim(), iter.shape().data(), strides.data(), sizes.data());
}

namespace at::native {

namespace compat_detail {

template <class F, size_t i>
using cuda_argument_of = ::std::decay_t<typename ::function_traits<F>::template arg<i>::type>;

template <class F, class Offsets, class Pointers, size_t... i>
__device__ void call_at(const F& f, const Offsets& at, const Pointers& data, ::std::index_sequence<i...>) {
  using R = typename ::function_traits<F>::result_type;
  *reinterpret_cast<R*>(data[0] + at[0]) =
      f(*reinterpret_cast<cuda_argument_of<F, i>*>(data[i + 1] + at[i + 1])...);
}

template <class F, class Calculator, class Pointers>
__global__ void call_on_elements(int64_t count, F f, Calculator calculator, Pointers data) {
  const int64_t step = static_cast<int64_t>(blockDim.x) * gridDim.x;
  for (int64_t n = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; n < count; n += step) {
    call_at(f, calculator.get(n), data, ::std::make_index_sequence<::function_traits<F>::arity>());
  }
}

template <class F, class Index, int N>
void launch(const TensorIteratorBase& iter, const F& f) {
  ::std::array<const int64_t*, N> strides;
  at::detail::Array<char*, N> data;
  for (int arg = 0; arg < N; ++arg) {
    strides[arg] = iter.strides(arg).data();
    data[arg] = static_cast<char*>(iter.data_ptr(arg));
  }
  const OffsetCalculator<N, Index> calculator(iter.ndim(), iter.shape().data(), strides.data());
  const int64_t count = iter.numel(), blocks = (count + 255) / 256;
  const auto stream = c10::cuda::getCurrentCUDAStream();
  call_on_elements<<<static_cast<unsigned>(blocks < 65535 ? blocks : 65535), 256, 0, stream>>>(
      count, f, calculator, data);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
}

template <class F, size_t... i>
void convert_operands(TensorIteratorBase& iter, ::std::index_sequence<i...>) {
  iter._PD_convert(0, c10::CppTypeToScalarType<typename ::function_traits<F>::result_type>::value);
  (iter._PD_convert(i + 1, c10::CppTypeToScalarType<cuda_argument_of<F, i>>::value), ...);
}

}  // namespace compat_detail

template <typename func_t>
void gpu_kernel(TensorIteratorBase& iter, const func_t& f) {
  constexpr int arity = ::function_traits<func_t>::arity;
  at::compat_detail::check(iter.noutputs() == 1 && iter.ninputs() == arity,
                           "the function takes another number of values than the iterator has");
  if (iter.numel() == 0) return;
  compat_detail::convert_operands<func_t>(iter, ::std::make_index_sequence<arity>());
  if (iter.can_use_32bit_indexing()) {
    compat_detail::launch<func_t, uint32_t, arity + 1>(iter, f);
  } else {
    compat_detail::launch<func_t, uint64_t, arity + 1>(iter, f);
  }
  iter.cast_outputs();
}

// Numbers on the CPU are on the device already.
template <typename func_t>
void gpu_kernel_with_scalars(TensorIteratorBase& iter, const func_t& f) {
  gpu_kernel(iter, f);
}

}  // namespace at::native
