// What pybind11 makes of tensors, types, devices, sizes and numbers.
#pragma once
#include <ATen/core/TensorBody.h>

#if !defined(PADDLE_ON_INFERENCE) && !defined(PADDLE_NO_PYTHON)
#include "paddle/utils/pybind.h"
#include <pybind11/complex.h>
#include <pybind11/stl.h>

#include <type_traits>

namespace pybind11::detail {

// Partial on purpose, here and below: a caster that Paddle declares itself is preferred.
template <typename T>
struct type_caster<T, std::enable_if_t<std::is_same_v<T, at::Tensor>>> {
  PYBIND11_TYPE_CASTER(at::Tensor, const_name("torch.Tensor"));

  bool load(handle source, bool convert) {
    make_caster<paddle::Tensor> inner;
    if (!inner.load(source, convert)) return false;
    value = at::Tensor(cast_op<paddle::Tensor&>(inner));
    return true;
  }
  static handle cast(const at::Tensor& source, return_value_policy policy, handle parent) {
    return make_caster<paddle::Tensor>::cast(source._PD_GetInner(), policy, parent);
  }
};

template <typename T>
struct type_caster<T, std::enable_if_t<std::is_same_v<T, at::ScalarType>>> {
  PYBIND11_TYPE_CASTER(at::ScalarType, const_name("torch.dtype"));

  bool load(handle source, bool) {
    if (!isinstance(source, module_::import("paddle").attr("dtype"))) return false;
    value = compat::_PD_PhiDataTypeToAtenScalarType(
        static_cast<phi::DataType>(static_cast<int>(int_(reinterpret_borrow<object>(source)))));
    return true;
  }
  static handle cast(at::ScalarType source, return_value_policy, handle) {
    return paddle::pybind::ToPyObject(compat::_PD_AtenScalarTypeToPhiDataType(source));
  }
};

template <typename T>
struct type_caster<T, std::enable_if_t<std::is_same_v<T, at::Device>>> {
  static constexpr auto name = const_name("torch.device");
  at::Device value = at::Device(at::kCPU);
  operator at::Device*() { return &value; }
  operator at::Device&() { return value; }
  template <typename>
  using cast_op_type = at::Device&;

  bool load(handle source, bool) {
    std::string text = str(source);  // of a place: Place(gpu:0)
    if (!isinstance<str>(source) && text.rfind("Place(", 0) != 0) return false;
    if (text.rfind("Place(", 0) == 0) text = text.substr(6, text.size() - 7);
    if (text.rfind("gpu", 0) == 0) text.replace(0, 3, "cuda");
    value = at::Device(text);
    return true;
  }
  static handle cast(const at::Device& source, return_value_policy, handle) {
    const std::string text = source.is_cpu() ? "cpu" : "cuda:" + std::to_string(source.index());
    return module_::import("paddle").attr("device").attr("Device")(text).release();
  }
};

template <typename T>
struct type_caster<T, std::enable_if_t<std::is_same_v<T, at::IntArrayRef>>> {
  PYBIND11_TYPE_CASTER(at::IntArrayRef, const_name("Tuple[int, ...]"));
  std::vector<int64_t> held;

  bool load(handle source, bool convert) {
    make_caster<std::vector<int64_t>> inner;
    if (!inner.load(source, convert)) return false;
    held = cast_op<std::vector<int64_t>&&>(std::move(inner));
    value = held;
    return true;
  }
  static handle cast(at::IntArrayRef source, return_value_policy, handle) {
    return pybind11::tuple(pybind11::cast(source.vec())).release();
  }
};

template <typename T>
struct type_caster<T, std::enable_if_t<std::is_same_v<T, at::Scalar>>> {
  PYBIND11_TYPE_CASTER(at::Scalar, const_name("Number"));

  bool load(handle source, bool) {
    PyObject* number = source.ptr();
    if (PyBool_Check(number)) value = number == Py_True;
    else if (PyLong_Check(number)) value = pybind11::cast<int64_t>(source);
    else if (PyFloat_Check(number)) value = pybind11::cast<double>(source);
    else if (PyComplex_Check(number)) value = pybind11::cast<std::complex<double>>(source);
    else return false;
    return true;
  }
  static handle cast(const at::Scalar& source, return_value_policy, handle) {
    switch (source.dtype()) {
      case phi::DataType::BOOL: return pybind11::cast(source.to<bool>()).release();
      case phi::DataType::FLOAT16:
      case phi::DataType::BFLOAT16:
      case phi::DataType::FLOAT32:
      case phi::DataType::FLOAT64: return pybind11::cast(source.to<double>()).release();
      default: return pybind11::cast(source.to<int64_t>()).release();
    }
  }
};

}  // namespace pybind11::detail
#endif
