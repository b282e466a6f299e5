#pragma once

#include <porter_compat/recorded.h>
#include <ATen/core/TensorBase.h>
#include <c10/core/DefaultDtype.h>
#include <c10/core/ScalarType.h>
#include <porter_compat/strides.h>

#include "paddle/phi/core/dense_tensor.h"
#include "paddle/phi/core/kernel_factory.h"

namespace at::compat_detail {

// bool 0, integers 1, floating 2, complex 3; -1 for no dtype.
inline int category(ScalarType t) {
  if (t == ScalarType::Undefined || t == ScalarType::Bool) return t == ScalarType::Bool ? 0 : -1;
  return c10::isIntegralType(t, false) ? 1 : c10::isFloatingType(t) ? 2 : 3;
}

inline ScalarType type_of(const TensorBase& x) { return x.scalar_type(); }

inline ScalarType type_of(const Scalar& x) {
  const auto t = compat::_PD_PhiDataTypeToAtenScalarType(x.dtype());
  if (c10::isFloatingType(t)) return c10::get_default_dtype();
  if (c10::isComplexType(t)) return c10::get_default_complex_dtype();
  return t == ScalarType::Bool ? t : ScalarType::Long;
}

// Tensors without dimensions yield to those with, numbers to both.
inline int level_of(const TensorBase& x) { return x.dim() == 0 ? 1 : 0; }

inline int level_of(const Scalar&) { return 2; }

// torch::result_type of tensors and numbers.
template <class... Xs>
ScalarType common_type(const Xs&... xs) {
  const auto none = ScalarType::Undefined;
  ScalarType levels[] = {none, none, none};
  ((levels[level_of(xs)] = c10::promoteTypes(levels[level_of(xs)], type_of(xs))), ...);
  auto type = levels[0];
  for (auto lower : {levels[1], levels[2]})
    if (category(lower) > category(type)) type = c10::promoteTypes(type, lower);
  return type;
}

// What a function of real numbers gives: integers become the default dtype.
inline ScalarType floating(ScalarType t) {
  return c10::isIntegralType(t, true) ? c10::get_default_dtype() : t;
}

inline ScalarType not_bool(ScalarType t) {
  check(t != ScalarType::Bool, "not for bool tensors");
  return t;
}

inline ScalarType only_real(const TensorBase& x) {
  check(category(x.scalar_type()) >= 2, "not implemented for this dtype");
  return x.scalar_type();
}

inline paddle::Tensor as(const paddle::Tensor& x, phi::DataType t) {
  return x.dtype() == t ? x : paddle::recorded::cast(x, t);
}

inline paddle::Tensor as(const paddle::Tensor& x, ScalarType t) {
  return as(x, compat::_PD_AtenScalarTypeToPhiDataType(t));
}

// The dtype itself where Paddle has the kernel for it, else a wider one.
inline phi::DataType computed(const char* kernel, ScalarType type, const phi::Place& place) {
  const auto backend = phi::is_cpu_place(place) ? phi::Backend::CPU : phi::Backend::GPU;
  const auto has = [&](phi::DataType t) {
    const phi::KernelKey key(backend, phi::DataLayout::ALL_LAYOUT, t);
    return phi::KernelFactory::Instance().SelectKernel(kernel, key).IsValid();
  };
  const auto own = compat::_PD_AtenScalarTypeToPhiDataType(type);
  const bool whole = c10::isIntegralType(type, true);
  const auto wider = whole ? phi::DataType::INT64 : phi::DataType::FLOAT32;
  if (has(own) || c10::isComplexType(type)) return own;
  if (has(wider)) return wider;
  return whole && has(phi::DataType::FLOAT64) ? phi::DataType::FLOAT64 : own;
}

// Where the operands are computed on: a tensor without dimensions on the CPU goes along.
inline phi::Place place_of(const TensorBase& a, const TensorBase& b) {
  return (a.dim() ? a : b.dim() || !a.is_cpu() ? b : a)._PD_GetInner().place();
}

inline phi::Place place_of(const TensorBase& a, const Scalar&) { return a._PD_GetInner().place(); }

inline phi::Place place_of(const Scalar&, const TensorBase& b) { return b._PD_GetInner().place(); }

inline paddle::Tensor operand(const TensorBase& x, phi::DataType t, const phi::Place& place) {
  const auto own = as(x._PD_GetInner(), t);
  if (own.place() == place) return own;
  check(x.dim() == 0 && x.is_cpu(), "expected all tensors on the same device");
  return paddle::experimental::copy_to(own, place, true);
}

inline paddle::Tensor operand(const Scalar& x, phi::DataType t, const phi::Place& place) {
  return paddle::experimental::full({}, x, t, place);
}

inline const TensorBase& kept(const TensorBase& x, ScalarType) { return x; }

// A number as the dtype holds it: -1 is 255 in a Byte, whatever that is computed in.
inline Scalar kept(const Scalar& x, ScalarType t) {
  return t == ScalarType::Byte ? Scalar(x.to<uint8_t>()) : x;
}

// A kernel applied to x in the dtype `type`; another dtype that it gives (bool) is kept.
template <class F, class... Args>
paddle::Tensor unary(
    const char* kernel, F f, const TensorBase& x, ScalarType type, const Args&... args) {
  const auto in = computed(kernel, type, x._PD_GetInner().place());
  const auto out = f(as(x._PD_GetInner(), in), args..., paddle::none);
  return out.dtype() == in ? as(out, type) : out;
}

// The same of a function of real numbers.
template <class F>
paddle::Tensor real(const char* kernel, F f, const TensorBase& x) {
  return unary(kernel, f, x, floating(x.scalar_type()));
}

// A kernel applied to two tensors, or a tensor and a number, in the dtype `type`.
template <class F, class A, class B>
paddle::Tensor binary(const char* kernel, F f, const A& a, const B& b, ScalarType type) {
  const auto place = place_of(a, b);
  const auto in = computed(kernel, type, place);
  const auto x = operand(kept(a, type), in, place), y = operand(kept(b, type), in, place);
  const auto out = f(x, y, paddle::none);
  return out.dtype() == in ? as(out, type) : out;
}

template <class F, class A, class B>
paddle::Tensor binary(const char* kernel, F f, const A& a, const B& b) {
  return binary(kernel, f, a, b, common_type(a, b));
}

// A result put into `out`, which takes its shape, and its storage if nothing else has it.
template <class T>
T& write_out(T& out, const TensorBase& result) {
  check(!is_recorded(result),
        "functions with out=... arguments don't support automatic differentiation, but one of the "
        "arguments requires grad.");
  const auto type = result.scalar_type();
  check(c10::canCast(type, out.scalar_type()), "the result can't be cast to the desired dtype");
  const auto value = as(result._PD_GetInner(), out.scalar_type());
  if (result.sizes() == out.sizes()) {
    paddle::experimental::assign_out_(value, out._PD_GetInner());
    return out;
  }
  const auto& given = static_cast<const phi::DenseTensor&>(*value.impl());
  const auto own = given.Holder().use_count() > 1 ? paddle::recorded::assign(value) : value;
  static_cast<phi::DenseTensor&>(*out._PD_GetInner().impl()) =
      static_cast<const phi::DenseTensor&>(*own.impl());
  return out;
}

// A result put into the elements of a tensor, which keeps its storage, shape and dtype.
template <class T>
T& write(const T& self, const TensorBase& result) {
  check(result.sizes() == self.sizes(),
        "the result of an in-place operation has another shape than its tensor");
  const auto type = result.scalar_type();
  check(c10::canCast(type, self.scalar_type()), "the result can't be cast to the desired dtype");
  auto& to = const_cast<T&>(self)._PD_GetInner();
  const auto value = as(result._PD_GetInner(), self.scalar_type());
  write_by(to, value, [&] { paddle::experimental::assign_out_(value, to); });
  return const_cast<T&>(self);
}

}  // namespace at::compat_detail
