#pragma once
#include <c10/core/Storage.h>
#include <c10/util/MaybeOwned.h>

namespace at {

// extends
class Tensor {
  ::c10::MaybeOwned<Tensor> expect_contiguous(MemoryFormat format = MemoryFormat::Contiguous) const& {
    return is_contiguous(format) ? ::c10::MaybeOwned<Tensor>::borrowed(*this)
                                 : ::c10::MaybeOwned<Tensor>::owned(contiguous(format));
  }
  ::c10::Storage storage() const {
    return ::c10::Storage(std::dynamic_pointer_cast<phi::DenseTensor>(tensor_.impl())->Holder());
  }
};

using TensorList = ArrayRef<Tensor>;

using ITensorListRef = ArrayRef<Tensor>;

using IOptTensorListRef = ArrayRef<std::optional<Tensor>>;

// A tensor that may be absent, referred to.
class OptionalTensorRef {
 public:
  OptionalTensorRef() = default;
  OptionalTensorRef(const Tensor& tensor) : tensor_(&tensor) {}
  OptionalTensorRef(const std::optional<Tensor>& tensor) : tensor_(tensor ? &*tensor : nullptr) {}
  bool has_value() const { return tensor_ != nullptr; }
  operator bool() const { return has_value(); }
  const Tensor& getTensorRef() const& { return *tensor_; }
  const Tensor& operator*() const& { return *tensor_; }
  const Tensor* operator->() const& { return tensor_; }

 private:
  const Tensor* tensor_ = nullptr;
};

// An undefined tensor if there is none.
inline ::c10::MaybeOwned<Tensor> borrow_from_optional_tensor(const std::optional<Tensor>& tensor) {
  return tensor ? ::c10::MaybeOwned<Tensor>::borrowed(*tensor)
                : ::c10::MaybeOwned<Tensor>::owned(std::in_place);
}

}  // namespace at
