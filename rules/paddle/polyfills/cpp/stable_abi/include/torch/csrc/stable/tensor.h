#pragma once
#include <torch/csrc/inductor/aoti_torch/c/shim.h>
#include <torch/csrc/stable/accelerator.h>
#include <torch/csrc/stable/device.h>
#include <torch/csrc/stable/macros.h>
#include <torch/headeronly/core/Layout.h>
#include <torch/headeronly/core/ScalarType.h>
#include <torch/headeronly/util/HeaderOnlyArrayRef.h>

#include <memory>
#include <utility>

namespace torch::stable {

using ScalarType = torch::headeronly::ScalarType;

using Layout = torch::headeronly::Layout;

using IntHeaderOnlyArrayRef = torch::headeronly::IntHeaderOnlyArrayRef;

// Copies share the at::Tensor that a handle stands for.
class Tensor {
 public:
  Tensor() : handle_(new AtenTensorOpaque) {}
  explicit Tensor(AtenTensorHandle handle) : handle_(handle) {}

  AtenTensorHandle get() const { return handle_.get(); }

  void* data_ptr() const { return value().data_ptr(); }
  void* mutable_data_ptr() const { return value().data_ptr(); }
  const void* const_data_ptr() const { return value().data_ptr(); }
  template <typename T>
  T* mutable_data_ptr() const { return value().template data_ptr<T>(); }
  template <typename T>
  const T* const_data_ptr() const { return value().template data_ptr<T>(); }

  bool defined() const { return value().defined(); }
  int64_t dim() const { return value().dim(); }
  int64_t numel() const { return value().numel(); }
  IntHeaderOnlyArrayRef sizes() const { return value().sizes(); }
  IntHeaderOnlyArrayRef strides() const { return value().strides(); }
  int64_t size(int64_t dim) const { return value().size(dim); }
  int64_t stride(int64_t dim) const { return value().stride(dim); }
  bool is_contiguous() const { return value().is_contiguous(); }
  size_t element_size() const { return value().element_size(); }
  ScalarType scalar_type() const { return value().scalar_type(); }
  Layout layout() const { return Layout::Strided; }
  Device device() const { return compat_detail::stable(value().device()); }
  DeviceIndex get_device_index() const { return is_cpu() ? -1 : value().device().index(); }
  int8_t get_device() const { return static_cast<int8_t>(get_device_index()); }
  bool is_cuda() const { return value().device().is_cuda(); }
  bool is_cpu() const { return value().device().is_cpu(); }

  // Templates, so that they want nothing of at::Tensor where they are not called.
  template <typename T = at::Tensor>
  int64_t storage_offset() const { return static_cast<const T&>(value()).storage_offset(); }
  template <typename T = at::Tensor>
  const Tensor& set_requires_grad(bool requires_grad) const {
    static_cast<const T&>(value()).requires_grad_(requires_grad);
    return *this;
  }

 private:
  at::Tensor& value() const { return handle_->value; }

  ::std::shared_ptr<AtenTensorOpaque> handle_;
};

}  // namespace torch::stable

namespace torch::stable::compat_detail {

inline at::Tensor& plain(const Tensor& tensor) { return tensor.get()->value; }

inline Tensor stable(at::Tensor tensor) {
  return Tensor(new AtenTensorOpaque{::std::move(tensor)});
}

}  // namespace torch::stable::compat_detail
