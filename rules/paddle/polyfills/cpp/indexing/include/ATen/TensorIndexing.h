#pragma once
#include <ATen/core/TensorBase.h>
#include <ATen/indexing.h>
#include <string>
#include <type_traits>

namespace at::indexing {

// One part of an index: None, ..., an integer, a bool, a slice or a tensor.
struct TensorIndex final {
  TensorIndex(std::nullopt_t) : type_(TensorIndexType::None) {}
  TensorIndex(EllipsisIndexType) : type_(TensorIndexType::Ellipsis) {}
  TensorIndex(const char* dots) : type_(TensorIndexType::Ellipsis) {
    if (std::string(dots) != "...") throw std::invalid_argument("expected \"...\" as an index");
  }
  template <class T, std::enable_if_t<std::is_same_v<T, bool>, int> = 0>
  TensorIndex(T boolean) : type_(TensorIndexType::Boolean), integer_(boolean) {}
  template <class T, std::enable_if_t<std::is_integral_v<T> && !std::is_same_v<T, bool>, int> = 0>
  TensorIndex(T integer) : type_(TensorIndexType::SymInt), integer_(integer) {}
  TensorIndex(Slice slice) : type_(TensorIndexType::Slice), slice_(slice) {}
  TensorIndex(const at::TensorBase& tensor) : type_(TensorIndexType::Tensor), tensor_(tensor) {}

  bool is_none() const { return type_ == TensorIndexType::None; }
  bool is_ellipsis() const { return type_ == TensorIndexType::Ellipsis; }
  bool is_integer() const { return type_ == TensorIndexType::SymInt; }
  bool is_boolean() const { return type_ == TensorIndexType::Boolean; }
  bool is_slice() const { return type_ == TensorIndexType::Slice; }
  bool is_tensor() const { return type_ == TensorIndexType::Tensor; }
  c10::SymInt integer() const { return integer_; }
  bool boolean() const { return integer_ != 0; }
  const Slice& slice() const { return slice_; }
  const at::TensorBase& tensor() const { return tensor_; }

 private:
  TensorIndexType type_;
  int64_t integer_ = 0;
  Slice slice_;
  at::TensorBase tensor_;
};

}  // namespace at::indexing
