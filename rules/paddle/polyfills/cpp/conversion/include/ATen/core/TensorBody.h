#pragma once
#include <c10/core/Backend.h>
#include <porter_compat/convert.h>

namespace at {
// extends
class Tensor {
  // instead of the one with: PD_CHECK(memory_format == c10::MemoryFormat::Contiguous,
  bool is_contiguous(at::MemoryFormat memory_format = at::MemoryFormat::Contiguous) const {
    return compat_detail::is_contiguous_as(tensor_, memory_format);
  }
  // instead of the one with: PD_CHECK(memory_format == c10::MemoryFormat::Contiguous,
  Tensor contiguous(at::MemoryFormat memory_format = at::MemoryFormat::Contiguous) const {
    if (is_contiguous(memory_format)) return *this;
    compat_detail::check(memory_format != at::MemoryFormat::Preserve,
                         "preserve memory format is unsupported by the contiguous operator");
    return clone(memory_format);
  }
  bool is_non_overlapping_and_dense() const {
    return compat_detail::has_strides(tensor_, compat_detail::like_strides(tensor_));
  }
  at::MemoryFormat suggest_memory_format(bool channels_last_strides_exact_match = false) const {
    return compat_detail::format_of(tensor_);
  }
  // instead of the one with: paddle::experimental::assign(tensor_)
  Tensor clone(::std::optional<at::MemoryFormat> memory_format = ::std::nullopt) const {
    return compat_detail::converted(tensor_, {}, {}, false, true, memory_format);
  }
  // instead of the one with: src._PD_GetInner(), tensor_.place(), /*blocking=*/!non_blocking
  Tensor& copy_(const Tensor& src, bool non_blocking = false) const {
    auto place = tensor_.place();
    compat_detail::copy_into(
        tensor_, compat_detail::moved(src._PD_GetInner(), place, !non_blocking), !non_blocking);
    return const_cast<Tensor&>(*this);
  }
  // instead of the one with: paddle::experimental::fill_(const_cast<PaddleTensor&>(tensor_), value)
  Tensor& fill_(const at::Scalar& value) const {
    auto& self = const_cast<PaddleTensor&>(tensor_);
    compat_detail::write_by(self, {}, [&] { paddle::experimental::fill_(self, value); });
    return const_cast<Tensor&>(*this);
  }
  // instead of the one with: paddle::experimental::fill_(const_cast<PaddleTensor&>(tensor_), 0.0)
  Tensor& zero_() const { return fill_(0); }
  Tensor& fill_(const Tensor& value) const {
    compat_detail::check(value.dim() == 0, "fill_ only supports 0-dimension value tensor");
    return copy_(value);
  }
  // instead of the one with: TensorBase::to(options, non_blocking, copy, memory_format)
  Tensor to(at::TensorOptions options = {}, bool non_blocking = false, bool copy = false,
            ::std::optional<at::MemoryFormat> memory_format = ::std::nullopt) const {
    auto format = memory_format ? memory_format : options.memory_format_opt();
    return compat_detail::converted(tensor_, options.dtype_opt(), options.device_opt(),
                                    non_blocking, copy, format);
  }
  Tensor to(::std::optional<at::ScalarType> dtype, ::std::optional<at::Layout> layout,
            ::std::optional<at::Device> device, ::std::optional<bool> pin_memory,
            bool non_blocking, bool copy, ::std::optional<at::MemoryFormat> memory_format) const {
    return compat_detail::converted(tensor_, dtype, device, non_blocking, copy, memory_format);
  }
  Tensor to(at::Device device, at::ScalarType dtype, bool non_blocking = false, bool copy = false,
            ::std::optional<at::MemoryFormat> memory_format = ::std::nullopt) const {
    return compat_detail::converted(tensor_, dtype, device, non_blocking, copy, memory_format);
  }
  Tensor to(const Tensor& other, bool non_blocking = false, bool copy = false,
            ::std::optional<at::MemoryFormat> memory_format = ::std::nullopt) const {
    return compat_detail::converted(tensor_, other.scalar_type(), other.device(), non_blocking,
                                    copy, memory_format);
  }
  // instead of the one with: paddle::experimental::cast(
  Tensor toType(at::ScalarType t) const {
    return compat_detail::converted(tensor_, t, {}, false, false, {});
  }
  Tensor type_as(const Tensor& other) const { return to(other); }
  Tensor cpu() const {
    return compat_detail::converted(tensor_, {}, at::Device(at::kCPU), false, false, {});
  }
  Tensor cuda() const {
    return compat_detail::converted(tensor_, {}, at::Device(at::kCUDA), false, false, {});
  }
  Tensor toBackend(at::Backend b) const {
    auto device = at::Device(c10::backendToDeviceType(b));
    return compat_detail::converted(tensor_, {}, device, false, false, {});
  }
  Tensor pin_memory() const { return tensor_.copy_to(phi::GPUPinnedPlace(), true); }
  bool is_pinned() const { return tensor_.is_gpu_pinned(); }
  at::Scalar item() const { return compat_detail::item(tensor_); }
  template <typename T>
  T item() const {
    return compat_detail::item(tensor_).template to<T>();
  }
  template <typename T>
  T* data() const {
    return data_ptr<T>();
  }
  Tensor data() const { return variable_data(); }
  Tensor variable_data() const {
    return compat_detail::view(tensor_, sizes().vec(), strides().vec());
  }
  Tensor tensor_data() const { return variable_data(); }
  ::std::string toString() const { return type().toString(); }
  at::Layout layout() const {
    return tensor_.is_sparse_coo_tensor()   ? at::kSparse
           : tensor_.is_sparse_csr_tensor() ? at::kSparseCsr
                                            : at::kStrided;
  }
  bool is_sparse() const { return tensor_.is_sparse_coo_tensor(); }
  bool is_sparse_csr() const { return tensor_.is_sparse_csr_tensor(); }
  bool is_quantized() const { return false; }
  bool is_meta() const { return false; }
  bool is_mkldnn() const { return false; }
  bool is_mps() const { return false; }
  bool is_xpu() const { return tensor_.is_xpu(); }
  bool is_hip() const { return false; }
  bool is_nested() const { return false; }
  bool is_floating_point() const { return c10::isFloatingType(scalar_type()); }
  bool is_complex() const { return c10::isComplexType(scalar_type()); }
  bool is_signed() const {
    auto type = scalar_type();
    return type != at::kBool && type != at::kByte && type != at::kUInt16 && type != at::kUInt32;
  }
  bool is_same(const at::TensorBase& other) const noexcept {
    return tensor_.impl() == other._PD_GetInner().impl();
  }
  bool is_same_size(const Tensor& other) const { return sizes() == other.sizes(); }
  bool is_alias_of(const at::TensorBase& other) const {
    return static_cast<const phi::DenseTensor&>(*tensor_.impl())
        .IsSharedWith(static_cast<const phi::DenseTensor&>(*other._PD_GetInner().impl()));
  }
  bool is_set_to(const Tensor& tensor) const {
    return is_alias_of(tensor) && sizes() == tensor.sizes() && strides() == tensor.strides() &&
           compat_detail::byte_offset(tensor_) ==
               compat_detail::byte_offset(tensor._PD_GetInner());
  }
  size_t use_count() const noexcept { return tensor_.impl().use_count(); }
  bool has_storage() const { return tensor_.defined() && tensor_.has_allocation(); }
  c10::SymInt sym_size(int64_t dim) const { return size(dim); }
  c10::SymInt sym_stride(int64_t dim) const { return stride(dim); }
  at::ArrayRef<c10::SymInt> sym_sizes() const { return sizes(); }
  at::ArrayRef<c10::SymInt> sym_strides() const { return strides(); }
  c10::SymInt sym_numel() const { return numel(); }
  c10::SymInt sym_storage_offset() const { return storage_offset(); }
  // Pinned memory is for CUDA.
  Tensor pin_memory(::std::optional<at::Device> device) const {
    compat_detail::check(!device || device->is_cuda(), "memory is pinned for CUDA only");
    return pin_memory();
  }
  bool is_pinned(::std::optional<at::Device> device) const {
    return is_pinned() && (!device || device->is_cuda());
  }
  // Without elements.
  Tensor& set_() const { return const_cast<Tensor&>(_PD_become(Tensor(paddle::experimental::empty({0}, tensor_.dtype(), tensor_.place())))); }
  Tensor& set_(const Tensor& source) const {
    return const_cast<Tensor&>(_PD_become(source));
  }
  Tensor& set_(const Tensor& source, int64_t storage_offset, at::IntArrayRef size,
               at::IntArrayRef stride = {}) const {
    compat_detail::check(source.is_contiguous(), "set_: the source must be contiguous");
    auto strides = stride.empty() ? compat_detail::contiguous_strides(size.vec()) : stride.vec();
    return const_cast<Tensor&>(_PD_become(source.as_strided(size, strides, storage_offset)));
  }
  // An undefined tensor from now on, and not others of the same storage.
  void reset() { tensor_ = PaddleTensor(); }
  void set_data(const Tensor& new_data) const {
    compat_detail::show_as(tensor_, new_data.tensor_);
  }
  // Other tensors on the storage do not grow with it.
  const Tensor& resize_(at::IntArrayRef size,
                        ::std::optional<at::MemoryFormat> memory_format = ::std::nullopt) const {
    auto sizes = size.vec();
    auto format = memory_format.value_or(at::MemoryFormat::Contiguous);
    auto strides = compat_detail::format_strides(sizes, format);
    auto bytes = static_cast<const phi::DenseTensor&>(*tensor_.impl()).capacity();
    int64_t room = int64_t(bytes) / element_size() - storage_offset();
    int64_t count = compat_detail::product(sizes);
    if (this->sizes() == size && !memory_format) return *this;
    compat_detail::check(!compat_detail::is_recorded(tensor_),
                         "cannot resize variables that require grad");
    if (count <= room) return _PD_become(compat_detail::view(tensor_, sizes, strides));
    auto result = compat_detail::allocated(sizes, strides, tensor_.dtype(), tensor_.place());
    compat_detail::copy_into(compat_detail::view(result, {room}, {1}),
                             compat_detail::view(tensor_, {room}, {1}));
    return _PD_become(result);
  }
  const Tensor& resize_as_(const Tensor& the_template,
                           ::std::optional<at::MemoryFormat> format = ::std::nullopt) const {
    return resize_(the_template.sizes(), format);
  }
  bool is_privateuseone() const { return tensor_.is_custom_device(); }
  bool is_xla() const { return false; }
  bool is_hpu() const { return false; }
  bool is_ipu() const { return false; }
  bool is_mtia() const { return false; }
  bool is_maia() const { return false; }
  bool is_lazy() const { return false; }
  bool is_ve() const { return false; }
  bool is_vulkan() const { return false; }
  bool is_metal() const { return false; }
  bool is_inference() const { return false; }
  bool is_distributed() const { return false; }
  bool is_uniquely_owned() const noexcept { return tensor_.impl().use_count() == 1; }
  // What is compared, and asked for its count; it is Paddle's.
  phi::TensorBase* unsafeGetTensorImpl() const { return tensor_.impl().get(); }
  const ::std::shared_ptr<phi::TensorBase>& getIntrusivePtr() const { return tensor_.impl(); }
};
}  // namespace at
