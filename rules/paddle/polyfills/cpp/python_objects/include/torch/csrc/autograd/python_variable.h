#pragma once
#include <ATen/core/TensorBody.h>
#include <torch/python.h>

inline bool THPVariable_Check(PyObject* object) { return paddle::pybind::PyCheckTensor(object); }

inline at::Tensor THPVariable_Unpack(PyObject* object) {
  return paddle::pybind::CastPyArg2Tensor(object, 0);
}

inline PyObject* THPVariable_Wrap(const at::Tensor& tensor) {
  return paddle::pybind::ToPyObject(tensor._PD_GetInner(), true);
}
