#pragma once
#include <ATen/core/Tensor.h>
#include <ATen/ops/empty_strided.h>
#include <ATen/ops/from_blob.h>
#include <torch/headeronly/util/shim_utils.h>
#include <torch/headeronly/version.h>

#ifdef PADDLE_WITH_CUDA
#include <c10/cuda/CUDAStream.h>
#endif

#include <cstdint>
#include <cstdio>
#include <exception>
#include <utility>

struct AtenTensorOpaque {
  at::Tensor value;
};

using AtenTensorHandle = AtenTensorOpaque*;

// A value of an operator's stack: itself, or a pointer to it.
using StableIValue = uint64_t;

using AOTITorchError = int32_t;

#define AOTI_TORCH_SUCCESS 0

#define AOTI_TORCH_FAILURE 1

#ifndef AOTI_TORCH_ERROR_CODE_CHECK
#define AOTI_TORCH_ERROR_CODE_CHECK(call) TORCH_ERROR_CODE_CHECK(call)
#endif

namespace torch::stable::compat_detail {

// 0, or 1 and a word on stderr where the function throws: C knows no exceptions.
template <typename F>
AOTITorchError guarded(const F& function) {
  try {
    function();
    return AOTI_TORCH_SUCCESS;
  } catch (const ::std::exception& error) {
    ::std::fprintf(stderr, "Exception in aoti_torch: %s\n", error.what());
    return AOTI_TORCH_FAILURE;
  }
}

inline AtenTensorHandle handle(at::Tensor tensor) {
  return new AtenTensorOpaque{::std::move(tensor)};
}

}  // namespace torch::stable::compat_detail

inline int32_t aoti_torch_dtype_float32() { return static_cast<int32_t>(c10::ScalarType::Float); }

inline int32_t aoti_torch_dtype_float64() { return static_cast<int32_t>(c10::ScalarType::Double); }

inline int32_t aoti_torch_dtype_float16() { return static_cast<int32_t>(c10::ScalarType::Half); }

inline int32_t aoti_torch_dtype_bfloat16() { return static_cast<int32_t>(c10::ScalarType::BFloat16); }

inline int32_t aoti_torch_dtype_int8() { return static_cast<int32_t>(c10::ScalarType::Char); }

inline int32_t aoti_torch_dtype_int16() { return static_cast<int32_t>(c10::ScalarType::Short); }

inline int32_t aoti_torch_dtype_int32() { return static_cast<int32_t>(c10::ScalarType::Int); }

inline int32_t aoti_torch_dtype_int64() { return static_cast<int32_t>(c10::ScalarType::Long); }

inline int32_t aoti_torch_dtype_uint8() { return static_cast<int32_t>(c10::ScalarType::Byte); }

inline int32_t aoti_torch_dtype_uint16() { return static_cast<int32_t>(c10::ScalarType::UInt16); }

inline int32_t aoti_torch_dtype_uint32() { return static_cast<int32_t>(c10::ScalarType::UInt32); }

inline int32_t aoti_torch_dtype_uint64() { return static_cast<int32_t>(c10::ScalarType::UInt64); }

inline int32_t aoti_torch_dtype_bool() { return static_cast<int32_t>(c10::ScalarType::Bool); }

inline int32_t aoti_torch_dtype_complex64() { return static_cast<int32_t>(c10::ScalarType::ComplexFloat); }

inline int32_t aoti_torch_dtype_complex128() { return static_cast<int32_t>(c10::ScalarType::ComplexDouble); }

inline int32_t aoti_torch_dtype_float8_e4m3fn() { return static_cast<int32_t>(c10::ScalarType::Float8_e4m3fn); }

inline int32_t aoti_torch_dtype_float8_e5m2() { return static_cast<int32_t>(c10::ScalarType::Float8_e5m2); }

inline int32_t aoti_torch_device_type_cpu() { return static_cast<int32_t>(c10::DeviceType::CPU); }

inline int32_t aoti_torch_device_type_cuda() { return static_cast<int32_t>(c10::DeviceType::CUDA); }

inline int32_t aoti_torch_device_type_xpu() { return static_cast<int32_t>(c10::DeviceType::XPU); }

inline int32_t aoti_torch_layout_strided() { return static_cast<int32_t>(c10::Layout::Strided); }

inline AOTITorchError aoti_torch_get_data_ptr(AtenTensorHandle tensor, void** result) {
  return torch::stable::compat_detail::guarded([&] { *result = tensor->value.data_ptr(); });
}

inline AOTITorchError torch_get_mutable_data_ptr(AtenTensorHandle tensor, void** result) {
  return torch::stable::compat_detail::guarded([&] { *result = tensor->value.data_ptr(); });
}

inline AOTITorchError torch_get_const_data_ptr(AtenTensorHandle tensor, const void** result) {
  return torch::stable::compat_detail::guarded([&] { *result = tensor->value.data_ptr(); });
}

inline AOTITorchError aoti_torch_get_dim(AtenTensorHandle tensor, int64_t* result) {
  return torch::stable::compat_detail::guarded([&] { *result = tensor->value.dim(); });
}

inline AOTITorchError aoti_torch_get_numel(AtenTensorHandle tensor, int64_t* result) {
  return torch::stable::compat_detail::guarded([&] { *result = tensor->value.numel(); });
}

inline AOTITorchError aoti_torch_get_sizes(AtenTensorHandle tensor, int64_t** result) {
  return torch::stable::compat_detail::guarded([&] { *result = const_cast<int64_t*>(tensor->value.sizes().data()); });
}

inline AOTITorchError aoti_torch_get_strides(AtenTensorHandle tensor, int64_t** result) {
  return torch::stable::compat_detail::guarded([&] { *result = const_cast<int64_t*>(tensor->value.strides().data()); });
}

inline AOTITorchError aoti_torch_get_size(AtenTensorHandle tensor, int64_t dim, int64_t* result) {
  return torch::stable::compat_detail::guarded([&] { *result = tensor->value.size(dim); });
}

inline AOTITorchError aoti_torch_get_stride(AtenTensorHandle tensor, int64_t dim, int64_t* result) {
  return torch::stable::compat_detail::guarded([&] { *result = tensor->value.stride(dim); });
}

inline AOTITorchError aoti_torch_get_dtype(AtenTensorHandle tensor, int32_t* result) {
  return torch::stable::compat_detail::guarded([&] { *result = static_cast<int32_t>(tensor->value.scalar_type()); });
}

inline AOTITorchError aoti_torch_get_device_type(AtenTensorHandle tensor, int32_t* result) {
  return torch::stable::compat_detail::guarded([&] { *result = static_cast<int32_t>(tensor->value.device().type()); });
}

inline AOTITorchError aoti_torch_get_device_index(AtenTensorHandle tensor, int32_t* result) {
  return torch::stable::compat_detail::guarded([&] { *result = tensor->value.device().is_cpu() ? -1 : tensor->value.device().index(); });
}

inline AOTITorchError aoti_torch_get_layout(AtenTensorHandle tensor, int32_t* result) {
  return torch::stable::compat_detail::guarded([&] { *result = static_cast<int32_t>(c10::Layout::Strided); });
}

inline AOTITorchError aoti_torch_get_storage_offset(AtenTensorHandle tensor, int64_t* result) {
  return torch::stable::compat_detail::guarded([&] { *result = tensor->value.storage_offset(); });
}

inline AOTITorchError aoti_torch_is_contiguous(AtenTensorHandle tensor, bool* result) {
  return torch::stable::compat_detail::guarded([&] { *result = tensor->value.is_contiguous(); });
}

inline AOTITorchError aoti_torch_is_defined(AtenTensorHandle tensor, bool* result) {
  return torch::stable::compat_detail::guarded([&] { *result = tensor->value.defined(); });
}

inline AOTITorchError aoti_torch_new_tensor_handle(AtenTensorHandle tensor, AtenTensorHandle* result) {
  return torch::stable::compat_detail::guarded([&] { *result = torch::stable::compat_detail::handle(tensor->value); });
}

inline AOTITorchError aoti_torch_clone(AtenTensorHandle tensor, AtenTensorHandle* result) {
  return torch::stable::compat_detail::guarded([&] { *result = torch::stable::compat_detail::handle(tensor->value.clone()); });
}

inline AOTITorchError aoti_torch_new_uninitialized_tensor(AtenTensorHandle* result) {
  *result = new AtenTensorOpaque;
  return AOTI_TORCH_SUCCESS;
}

inline AOTITorchError aoti_torch_delete_tensor_object(AtenTensorHandle tensor) {
  delete tensor;
  return AOTI_TORCH_SUCCESS;
}

inline AOTITorchError aoti_torch_copy_(AtenTensorHandle to, AtenTensorHandle from, int32_t non_blocking) {
  return torch::stable::compat_detail::guarded([&] { to->value.copy_(from->value, non_blocking); });
}

inline AOTITorchError aoti_torch_zero_(AtenTensorHandle tensor) {
  return torch::stable::compat_detail::guarded([&] { tensor->value.zero_(); });
}

inline size_t aoti_torch_dtype_element_size(int32_t dtype) {
  return phi::SizeOf(compat::_PD_AtenScalarTypeToPhiDataType(static_cast<c10::ScalarType>(dtype)));
}

inline AOTITorchError aoti_torch_empty_strided(
    int64_t dims, const int64_t* sizes, const int64_t* strides, int32_t dtype, int32_t device_type,
    int32_t device_index, AtenTensorHandle* result) {
  return torch::stable::compat_detail::guarded([&] {
    const c10::Device device(static_cast<c10::DeviceType>(device_type), device_index < 0 ? 0 : device_index);
    const auto options = at::TensorOptions().dtype(static_cast<c10::ScalarType>(dtype)).device(device);
    *result = torch::stable::compat_detail::handle(at::empty_strided(
        c10::IntArrayRef(sizes, dims), c10::IntArrayRef(strides, dims), options));
  });
}

inline AOTITorchError aoti_torch_create_tensor_from_blob(
    void* data, int64_t dims, const int64_t* sizes, const int64_t* strides, int64_t storage_offset,
    int32_t dtype, int32_t device_type, int32_t device_index, AtenTensorHandle* result) {
  return torch::stable::compat_detail::guarded([&] {
    const c10::Device device(static_cast<c10::DeviceType>(device_type), device_index < 0 ? 0 : device_index);
    const auto options = at::TensorOptions().dtype(static_cast<c10::ScalarType>(dtype)).device(device);
    void* first = static_cast<char*>(data) + storage_offset * aoti_torch_dtype_element_size(dtype);
    *result = torch::stable::compat_detail::handle(at::from_blob(
        first, c10::IntArrayRef(sizes, dims), c10::IntArrayRef(strides, dims), options));
  });
}

#ifdef PADDLE_WITH_CUDA
inline AOTITorchError aoti_torch_get_current_cuda_stream(int32_t device, void** result) {
  return torch::stable::compat_detail::guarded([&] {
    *result = c10::cuda::getCurrentCUDAStream(static_cast<c10::DeviceIndex>(device)).stream();
  });
}
#endif

#ifdef PADDLE_WITH_CUDA
inline AOTITorchError aoti_torch_get_current_stream(int32_t device, void** result) {
  return torch::stable::compat_detail::guarded([&] {
    *result = c10::cuda::getCurrentCUDAStream(static_cast<c10::DeviceIndex>(device)).stream();
  });
}
#endif

#ifdef PADDLE_WITH_CUDA
inline AOTITorchError aoti_torch_get_current_device_index(int32_t* result) {
  *result = phi::backends::gpu::GetCurrentDeviceId();
  return AOTI_TORCH_SUCCESS;
}
#endif

#ifdef PADDLE_WITH_CUDA
inline AOTITorchError aoti_torch_set_current_device_index(int32_t device) {
  return torch::stable::compat_detail::guarded([&] { phi::backends::gpu::SetDeviceId(device); });
}
#endif
