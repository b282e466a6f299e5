#pragma once
#include <ATen/core/TensorBody.h>
#include <c10/core/WrapDimMinimal.h>
#include <c10/util/Exception.h>

#include <initializer_list>

#define TORCH_CHECK_TENSOR_ALL(cond, ...) \
  TORCH_CHECK((cond)._is_all_true().item<bool>(), ##__VA_ARGS__)

namespace at {

// The function that checks its arguments, for messages.
using CheckedFrom = const char*;

// An argument with its name and place.
struct TensorArg {
  const Tensor& tensor;
  const char* name;
  int pos;
  TensorArg(const Tensor& tensor, const char* name, int pos)
      : tensor(tensor), name(name), pos(pos) {}
  TensorArg(Tensor&& tensor, const char* name, int pos) = delete;
  const Tensor* operator->() const { return &tensor; }
  const Tensor& operator*() const { return tensor; }
};

struct TensorGeometryArg {
  Tensor tensor;
  const char* name;
  int pos;
  TensorGeometryArg(const TensorArg& arg) : tensor(arg.tensor), name(arg.name), pos(arg.pos) {}
  TensorGeometryArg(const Tensor& tensor, const char* name, int pos)
      : tensor(tensor), name(name), pos(pos) {}
  const Tensor* operator->() const { return &tensor; }
  const Tensor& operator*() const { return tensor; }
};

namespace compat_detail {

inline std::string said(const TensorGeometryArg& t) {
  return (t.pos ? ::c10::str("argument #", t.pos, " '") : "'") + t.name + "'";
}

inline std::string said(const TensorArg& t) { return said(TensorGeometryArg(t)); }

template <typename T>
const T& said(const T& part) {
  return part;
}

template <typename... Parts>
void check_argument(bool good, CheckedFrom c, const Parts&... parts) {
  TORCH_CHECK(good, said(parts)..., " (while checking arguments for ", c, ")");
}

}  // namespace compat_detail

inline std::ostream& operator<<(std::ostream& out, const TensorGeometryArg& t) {
  return out << compat_detail::said(t);
}

namespace compat_detail {

inline std::string type_name(const Tensor& t) {
  return ::c10::str("torch.", t.is_cuda() ? "cuda." : "", t.scalar_type(), "Tensor");
}

template <typename Check>
void check_all_same(at::ArrayRef<TensorArg> tensors, Check check) {
  const TensorArg* first = nullptr;
  for (const TensorArg& t : tensors) {
    if (!t->defined()) continue;
    if (first) check(*first, t);
    first = first ? first : &t;
  }
}

}  // namespace compat_detail

inline void checkDim(CheckedFrom c, const TensorGeometryArg& t, int64_t dim) {
  compat_detail::check_argument(t->dim() == dim, c, "Expected ", dim, "-dimensional tensor, but got ",
                                t->dim(), "-dimensional tensor for ", t);
}

inline void checkDim(CheckedFrom c, const Tensor& tensor, const char* name, int pos, int64_t dim) {
  compat_detail::check_argument(tensor.dim() == dim, c, "Expected ", dim,
                                "-dimensional tensor, but got ", tensor.dim(),
                                "-dimensional tensor for ", TensorGeometryArg(tensor, name, pos));
}

inline void checkDimRange(CheckedFrom c, const TensorGeometryArg& t, int64_t start, int64_t end) {
  compat_detail::check_argument(t->dim() >= start && t->dim() < end, c, "Expected ", start, " to ",
                                end - 1, " dimensions, but got ", t->dim(),
                                "-dimensional tensor for ", t);
}

inline void checkSameDim(CheckedFrom c, const TensorGeometryArg& t1, const TensorGeometryArg& t2) {
  compat_detail::check_argument(t1->dim() == t2->dim(), c, "Expected tensor for ", t1,
                                " to have the same dimension as tensor for ", t2, "; but ",
                                t1->dim(), " does not equal ", t2->dim());
}

inline void checkContiguous(CheckedFrom c, const TensorGeometryArg& t) {
  compat_detail::check_argument(t->is_contiguous(), c,
                                "Expected contiguous tensor, but got non-contiguous tensor for ", t);
}

inline void checkAllContiguous(CheckedFrom c, at::ArrayRef<TensorArg> tensors) {
  for (const TensorArg& t : tensors) {
    if (t->defined()) checkContiguous(c, t);
  }
}

inline void checkSize(CheckedFrom c, const TensorGeometryArg& t, IntArrayRef sizes) {
  compat_detail::check_argument(t->dim() == static_cast<int64_t>(sizes.size()), c, "Expected ",
                                sizes.size(), "-dimensional tensor, but got ", t->dim(),
                                "-dimensional tensor for ", t);
  compat_detail::check_argument(t->sizes() == sizes, c, "Expected tensor of size ", sizes,
                                ", but got tensor of size ", t->sizes(), " for ", t);
}

inline void checkSize(CheckedFrom c, const TensorGeometryArg& t, int64_t dim, int64_t size) {
  compat_detail::check_argument(t->size(dim) == size, c, "Expected tensor to have size ", size,
                                " at dimension ", dim, ", but got size ", t->size(dim), " for ", t);
}

inline void checkNumel(CheckedFrom c, const TensorGeometryArg& t, int64_t numel) {
  compat_detail::check_argument(t->numel() == numel, c, "Expected tensor for ", t, " to have ",
                                numel, " elements; but it actually has ", t->numel(), " elements");
}

inline void checkSameNumel(CheckedFrom c, const TensorArg& t1, const TensorArg& t2) {
  compat_detail::check_argument(t1->numel() == t2->numel(), c, "Expected tensor for ",
                                TensorGeometryArg(t1), " to have same number of elements as tensor for ",
                                TensorGeometryArg(t2), "; but ", t1->numel(), " does not equal ",
                                t2->numel());
}

inline void checkAllSameNumel(CheckedFrom c, at::ArrayRef<TensorArg> tensors) {
  compat_detail::check_all_same(tensors, [c](auto& a, auto& b) { checkSameNumel(c, a, b); });
}

inline void checkSameSize(CheckedFrom c, const TensorArg& t1, const TensorArg& t2) {
  compat_detail::check_argument(t1->sizes() == t2->sizes(), c, "Expected tensor for ",
                                TensorGeometryArg(t1), " to have same size as tensor for ",
                                TensorGeometryArg(t2), "; but ", t1->sizes(), " does not equal ",
                                t2->sizes());
}

inline void checkAllSameSize(CheckedFrom c, at::ArrayRef<TensorArg> tensors) {
  compat_detail::check_all_same(tensors, [c](auto& a, auto& b) { checkSameSize(c, a, b); });
}

inline void checkSameType(CheckedFrom c, const TensorArg& t1, const TensorArg& t2) {
  compat_detail::check_argument(
      t1->scalar_type() == t2->scalar_type() && t1->is_cuda() == t2->is_cuda(), c,
      "Expected tensor for ", TensorGeometryArg(t1), " to have the same type as tensor for ",
      TensorGeometryArg(t2), "; but type ", compat_detail::type_name(*t1), " does not equal ",
      compat_detail::type_name(*t2));
}

inline void checkAllSameType(CheckedFrom c, at::ArrayRef<TensorArg> tensors) {
  compat_detail::check_all_same(tensors, [c](auto& a, auto& b) { checkSameType(c, a, b); });
}

inline void checkScalarType(CheckedFrom c, const TensorArg& t, ScalarType type) {
  compat_detail::check_argument(t->scalar_type() == type, c, "Expected tensor for ",
                                TensorGeometryArg(t), " to have scalar type ", type, "; but got ",
                                compat_detail::type_name(*t), " instead");
}

inline void checkScalarTypes(CheckedFrom c, const TensorArg& t, at::ArrayRef<ScalarType> types) {
  for (ScalarType type : types) {
    if (t->scalar_type() == type) return;
  }
  compat_detail::check_argument(false, c, "Expected tensor for ", TensorGeometryArg(t),
                                " to have one of the following scalar types: ",
                                ::c10::Join(", ", types), "; but got ",
                                compat_detail::type_name(*t), " instead");
}

inline void checkSameGPU(CheckedFrom c, const TensorArg& t1, const TensorArg& t2) {
  if (!t1->is_cuda() || !t2->is_cuda()) {
    std::string text;
    for (const TensorArg* t : {&t1, &t2}) {
      if (!(*t)->is_cuda()) text += ::c10::str("Tensor for ", compat_detail::said(*t), " is on CPU, ");
    }
    compat_detail::check_argument(false, c, text, "but expected ",
                                  t1->is_cuda() || t2->is_cuda() ? "them" : "it", " to be on GPU");
  }
  compat_detail::check_argument(t1->get_device() == t2->get_device(), c, "Expected tensor for ",
                                TensorGeometryArg(t1), " to have the same device as tensor for ",
                                TensorGeometryArg(t2), "; but device ", int(t1->get_device()),
                                " does not equal ", int(t2->get_device()));
}

inline void checkAllSameGPU(CheckedFrom c, at::ArrayRef<TensorArg> tensors) {
  compat_detail::check_all_same(tensors, [c](auto& a, auto& b) { checkSameGPU(c, a, b); });
}

inline void checkDefined(CheckedFrom c, const TensorArg& t) {
  compat_detail::check_argument(t->defined(), c, "Expected tensor for ", TensorGeometryArg(t),
                                " to be non-null, but it was undefined ");
}

inline void checkAllDefined(CheckedFrom c, at::ArrayRef<TensorArg> tensors) {
  for (const TensorArg& t : tensors) checkDefined(c, t);
}

inline void checkDeviceType(CheckedFrom c, const Tensor& t, DeviceType type) {
  compat_detail::check_argument(!t.defined() || t.device().type() == type, c,
                                "Expected tensor to have ", type,
                                " DeviceType, but got tensor with ", t.device().type(),
                                " DeviceType");
}

inline void checkDeviceType(CheckedFrom c, at::ArrayRef<Tensor> tensors, DeviceType type) {
  for (const Tensor& t : tensors) checkDeviceType(c, t, type);
}

inline void check_dim_size(const Tensor& tensor, int64_t dim, int64_t dim_size, int64_t size) {
  const int64_t found = tensor.size(::c10::maybe_wrap_dim(dim_size, tensor.dim(), false));
  TORCH_CHECK(tensor.dim() == dim && found == size, "Expected a tensor of dimension ", dim,
              " and tensor.size[", dim_size, "] == ", size, " but got: dimension ", tensor.dim(),
              " and tensor.size[", dim_size, "] = ", found);
}

}  // namespace at
