#pragma once
#include <porter_compat/recorded.h>
#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <torch/csrc/stable/stableivalue_conversions.h>
#include <torch/csrc/stable/tensor.h>
#include <torch/headeronly/core/MemoryFormat.h>

#include <memory>
#include <optional>
#include <string>
#include <type_traits>

namespace torch::stable::compat_detail {

inline at::TensorOptions options(const at::Tensor& like, ::std::optional<ScalarType> dtype = ::std::nullopt,
                                 ::std::optional<Device> device = ::std::nullopt) {
  const auto type = dtype.value_or(like.scalar_type());
  return at::TensorOptions().dtype(type).device(device ? plain(*device) : like.device());
}

inline at::TensorOptions options(::std::optional<ScalarType> dtype, ::std::optional<Device> device) {
  return at::TensorOptions()
      .dtype(dtype.value_or(ScalarType::Float))
      .device(plain(device.value_or(Device(DeviceType::CPU))));
}

}  // namespace torch::stable::compat_detail

namespace torch::stable {

inline Tensor empty_like(const Tensor& self) {
  return compat_detail::stable(at::empty_like(compat_detail::plain(self)));
}

inline Tensor fill_(const Tensor& self, double value) {
  return (compat_detail::plain(self).fill_(value), self);
}

inline Tensor narrow(Tensor& self, int64_t dim, int64_t start, int64_t length) {
  return compat_detail::stable(compat_detail::plain(self).narrow(dim, start, length));
}

inline Tensor new_empty(const Tensor& self, IntHeaderOnlyArrayRef size, ::std::optional<ScalarType> dtype = ::std::nullopt,
    ::std::optional<Layout> = ::std::nullopt, ::std::optional<Device> device = ::std::nullopt,
    ::std::optional<bool> = ::std::nullopt) {
  return compat_detail::stable(at::empty(size, compat_detail::options(compat_detail::plain(self), dtype, device)));
}

inline Tensor new_zeros(const Tensor& self, IntHeaderOnlyArrayRef size, ::std::optional<ScalarType> dtype = ::std::nullopt,
    ::std::optional<Layout> = ::std::nullopt, ::std::optional<Device> device = ::std::nullopt,
    ::std::optional<bool> = ::std::nullopt) {
  return compat_detail::stable(at::zeros(size, compat_detail::options(compat_detail::plain(self), dtype, device)));
}

inline Tensor transpose(const Tensor& self, int64_t dim0, int64_t dim1) {
  return compat_detail::stable(compat_detail::plain(self).transpose(dim0, dim1));
}

inline Tensor zero_(Tensor& self) {
  return (compat_detail::plain(self).zero_(), self);
}

inline Tensor copy_(Tensor& self, const Tensor& src, ::std::optional<bool> non_blocking = ::std::nullopt) {
  return (compat_detail::plain(self).copy_(compat_detail::plain(src), non_blocking.value_or(false)), self);
}

inline Tensor clone(const Tensor& self) {
  return compat_detail::stable(compat_detail::plain(self).clone());
}

inline Tensor flatten(const Tensor& self, int64_t start_dim = 0, int64_t end_dim = -1) {
  return compat_detail::stable(compat_detail::plain(self).flatten(start_dim, end_dim));
}

inline Tensor unsqueeze(const Tensor& self, int64_t dim) {
  return compat_detail::stable(compat_detail::plain(self).unsqueeze(dim));
}

inline Tensor squeeze(const Tensor& self, int64_t dim) {
  return compat_detail::stable(compat_detail::plain(self).squeeze(dim));
}

inline Tensor select(const Tensor& self, int64_t dim, int64_t index) {
  return compat_detail::stable(compat_detail::plain(self).select(dim, index));
}

inline Tensor matmul(const Tensor& self, const Tensor& other) {
  return compat_detail::stable(compat_detail::plain(self).matmul(compat_detail::plain(other)));
}

inline Tensor amax(const Tensor& self, int64_t dim, bool keepdim = false) {
  return compat_detail::stable(compat_detail::plain(self).amax({dim}, keepdim));
}

inline Tensor amax(const Tensor& self, IntHeaderOnlyArrayRef dims, bool keepdim = false) {
  return compat_detail::stable(compat_detail::plain(self).amax(dims, keepdim));
}

// With a constant only.
inline Tensor pad(const Tensor& self, IntHeaderOnlyArrayRef pad, const ::std::string& mode = "constant", double value = 0.0) {
  STD_TORCH_CHECK(mode == "constant", "torch::stable::pad: no mode ", mode);
  ::std::vector<int> ends(2 * self.dim(), 0);
  STD_TORCH_CHECK(pad.size() % 2 == 0 && pad.size() <= ends.size(), "torch::stable::pad: two widths for each dimension");
  for (size_t i = 0; i < pad.size(); ++i) ends[ends.size() - 2 * (i / 2 + 1) + i % 2] = static_cast<int>(pad[i]);
  const auto& inner = compat_detail::plain(self)._PD_GetInner();
  return compat_detail::stable(at::Tensor(paddle::recorded::pad(inner, ends, value)));
}

inline Tensor reshape(const Tensor& self, IntHeaderOnlyArrayRef shape) {
  return compat_detail::stable(compat_detail::plain(self).reshape(shape));
}

inline Tensor view(const Tensor& self, IntHeaderOnlyArrayRef size) {
  return compat_detail::stable(compat_detail::plain(self).view(size));
}

inline Tensor subtract(const Tensor& self, const Tensor& other, double alpha = 1.0) {
  return compat_detail::stable(compat_detail::plain(self).sub(compat_detail::plain(other), alpha));
}

inline Tensor contiguous(const Tensor& self, torch::headeronly::MemoryFormat format = torch::headeronly::MemoryFormat::Contiguous) {
  return compat_detail::stable(compat_detail::plain(self).contiguous(format));
}

inline Tensor sum(const Tensor& self, ::std::optional<IntHeaderOnlyArrayRef> dim = ::std::nullopt, bool keepdim = false,
    ::std::optional<ScalarType> dtype = ::std::nullopt) {
  return compat_detail::stable(dim ? compat_detail::plain(self).sum(*dim, keepdim, dtype) : compat_detail::plain(self).sum(dtype));
}

inline Tensor& sum_out(Tensor& out, const Tensor& self, ::std::optional<IntHeaderOnlyArrayRef> dim = ::std::nullopt, bool keepdim = false,
    ::std::optional<ScalarType> dtype = ::std::nullopt) {
  return (compat_detail::plain(out).copy_(compat_detail::plain(sum(self, dim, keepdim, dtype))), out);
}

inline Tensor empty(IntHeaderOnlyArrayRef size, ::std::optional<ScalarType> dtype = ::std::nullopt,
    ::std::optional<Layout> = ::std::nullopt, ::std::optional<Device> device = ::std::nullopt,
    ::std::optional<bool> pin_memory = ::std::nullopt,
    ::std::optional<torch::headeronly::MemoryFormat> = ::std::nullopt) {
  return compat_detail::stable(at::empty(size, compat_detail::options(dtype, device).pinned_memory(pin_memory.value_or(false))));
}

inline Tensor full(IntHeaderOnlyArrayRef size, double value, ::std::optional<ScalarType> dtype = ::std::nullopt,
    ::std::optional<Layout> = ::std::nullopt, ::std::optional<Device> device = ::std::nullopt,
    ::std::optional<bool> pin_memory = ::std::nullopt) {
  return compat_detail::stable(at::full(size, value, compat_detail::options(dtype, device)));
}

inline Tensor to(const Tensor& self, ::std::optional<ScalarType> dtype = ::std::nullopt,
    ::std::optional<Layout> = ::std::nullopt, ::std::optional<Device> device = ::std::nullopt,
    ::std::optional<bool> = ::std::nullopt, bool non_blocking = false, bool copy = false,
    ::std::optional<torch::headeronly::MemoryFormat> = ::std::nullopt) {
  const at::Tensor& from = compat_detail::plain(self);
  return compat_detail::stable(from.to(compat_detail::options(from, dtype, device), non_blocking, copy));
}

inline Tensor to(const Tensor& self, Device device, bool non_blocking = false, bool copy = false) {
  return to(self, ::std::nullopt, ::std::nullopt, device, ::std::nullopt, non_blocking, copy);
}

inline Tensor from_blob(void* data, IntHeaderOnlyArrayRef sizes, IntHeaderOnlyArrayRef strides, Device device, ScalarType dtype,
    int64_t storage_offset = 0, Layout = Layout::Strided) {
  void* first = static_cast<char*>(data) + storage_offset * aoti_torch_dtype_element_size(static_cast<int32_t>(dtype));
  return compat_detail::stable(at::from_blob(first, sizes, strides, compat_detail::options(dtype, device)));
}

template <class F, ::std::enable_if_t<::std::is_invocable_v<F, void*>, int> = 0>
inline Tensor from_blob(void* data, IntHeaderOnlyArrayRef sizes, IntHeaderOnlyArrayRef strides, Device device, ScalarType dtype,
    F deleter, int64_t storage_offset = 0, Layout = Layout::Strided) {
  void* first = static_cast<char*>(data) + storage_offset * aoti_torch_dtype_element_size(static_cast<int32_t>(dtype));
  const auto release = [data, deleter](void*) mutable { deleter(data); };
  return compat_detail::stable(at::from_blob(first, sizes, strides, release, compat_detail::options(dtype, device)));
}

template <class F>
inline void parallel_for(int64_t begin, int64_t end, int64_t grain_size, const F& f) {
  at::parallel_for(begin, end, grain_size, f);
}

inline uint32_t get_num_threads() { return static_cast<uint32_t>(at::get_num_threads()); }

}  // namespace torch::stable
