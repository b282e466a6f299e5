#pragma once

namespace torch::python {
namespace detail {

// instead of the one with: return *reinterpret_cast<Dtype*>(obj);
inline Dtype py_object_to_dtype(py::object object) {
  return compat::_PD_PhiDataTypeToAtenScalarType(
      static_cast<phi::DataType>(static_cast<int>(py::int_(object))));
}

}  // namespace detail
}  // namespace torch::python
