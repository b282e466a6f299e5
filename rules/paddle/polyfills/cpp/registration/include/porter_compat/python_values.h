// IValues from Python's objects and back, by the types that a schema names.
#pragma once

#include <ATen/core/ivalue.h>
#include <porter_compat/eager.h>
#include <porter_compat/schema.h>

#include "paddle/utils/pybind.h"
#include "pybind11/eval.h"

#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace torch::compat_detail {

// A class registered with torch::class_ in Python, by the name that its IValues have.
inline std::map<std::string, py::handle>& python_classes() {
  static std::map<std::string, py::handle> classes;
  return classes;
}

inline const char* const VALUE = "_value";

// An object of such a class; `made` has an attribute with the IValue.
inline py::object python_object(const IValue& value, py::object made) {
  made.attr(VALUE) = py::capsule(
      new IValue(value), [](void* held) { delete static_cast<IValue*>(held); });
  return made;
}

inline bool ends(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

// Arguments that are not those of a schema.
struct Mismatch : std::runtime_error {
  using std::runtime_error::runtime_error;
};

[[noreturn]] inline void refuse(py::handle value, const std::string& type) {
  throw Mismatch("Expected a value of type '" + type + "' but instead found type '" +
                           Py_TYPE(value.ptr())->tp_name + "'.");
}

inline IValue from_python(py::handle value, const std::string& type);

// Of an object whose type no schema tells.
inline IValue from_python(py::handle value) {
  if (value.is_none()) return IValue();
  if (PyBool_Check(value.ptr())) return from_python(value, "bool");
  if (PyLong_Check(value.ptr())) return from_python(value, "int");
  if (PyFloat_Check(value.ptr())) return from_python(value, "float");
  if (PyUnicode_Check(value.ptr())) return from_python(value, "str");
  if (paddle::pybind::PyCheckTensor(value.ptr())) return from_python(value, "Tensor");
  if (PyDict_Check(value.ptr())) return from_python(value, "Dict(Any, Any)");
  if (py::hasattr(value, VALUE)) return from_python(value, "Object");
  if (PyTuple_Check(value.ptr())) {
    std::vector<IValue> items;
    for (auto item : value) items.push_back(from_python(item));
    IValue tuple(std::make_tuple(IValue()));
    tuple.to_tuple() = GenericTuple(items);
    return tuple;
  }
  if (PyList_Check(value.ptr())) return from_python(value, "Any[]");
  return from_python(value, "ScalarType");
}

inline IValue list_from_python(py::handle value, const std::string& type) {
  const auto inner = type.substr(0, type.rfind('['));
  std::vector<IValue> items;
  if (repeated(type) && (PyLong_Check(value.ptr()) || PyFloat_Check(value.ptr()))) {
    items.assign(repeated(type), from_python(value, inner));
    return IValue(items);
  }
  if (!PySequence_Check(value.ptr()) || PyUnicode_Check(value.ptr()) ||
      paddle::pybind::PyCheckTensor(value.ptr())) {
    refuse(value, type);
  }
  for (auto item : value) items.push_back(from_python(item, inner));
  return IValue(items);
}

// "cuda:0" of a string, a place of Paddle or an object with type and index.
inline std::string device_name(py::handle value) {
  auto text = py::str(value).cast<std::string>();
  if (py::hasattr(value, "type") && py::hasattr(value, "index")) {
    text = py::str(value.attr("type")).cast<std::string>();
    if (!value.attr("index").is_none()) {
      text += ":" + py::str(value.attr("index")).cast<std::string>();
    }
  }
  if (text.rfind("Place(", 0) == 0) text = text.substr(6, text.size() - 7);
  return text.rfind("gpu", 0) == 0 ? "cuda" + text.substr(3) : text;
}

// Raises Mismatch if the object has another type.
inline IValue from_python(py::handle value, const std::string& type) {
  PyObject* object = value.ptr();
  const bool tensor = paddle::pybind::PyCheckTensor(object);
  if (ends(type, "?")) {
    return value.is_none() ? IValue() : from_python(value, type.substr(0, type.size() - 1));
  }
  if (ends(type, "]")) return list_from_python(value, type);
  if (type == "Any") return from_python(value);
  if (type == "Tensor") {
    if (!tensor) refuse(value, type);
    auto& inner = paddle::pybind::CastPyArg2Tensor(object, 0);
    egr::EagerUtils::autograd_meta(&inner);  // so that what C++ does to it is seen in Python
    return IValue(at::Tensor(inner));
  }
  if (type == "bool") {
    if (!PyBool_Check(object) && !tensor) refuse(value, type);
    return IValue(PyObject_IsTrue(object) == 1);
  }
  if (type == "int" || type == "SymInt") {
    if (PyFloat_Check(object) || PyUnicode_Check(object)) refuse(value, type);
    auto number = py::reinterpret_steal<py::object>(
        tensor ? PyNumber_Long(object) : PyNumber_Index(object));
    if (!number) PyErr_Clear(), refuse(value, type);
    return IValue(static_cast<int64_t>(PyLong_AsLongLong(number.ptr())));
  }
  if (type == "float") {
    if (PyUnicode_Check(object) || !PyNumber_Check(object)) refuse(value, type);
    return IValue(py::float_(py::reinterpret_borrow<py::object>(value)).cast<double>());
  }
  if (type == "str") {
    if (!PyUnicode_Check(object)) refuse(value, type);
    return IValue(value.cast<std::string>());
  }
  if (type == "Scalar") {
    if (PyBool_Check(object)) return from_python(value, "bool");
    if (PyLong_Check(object)) return from_python(value, "int");
    return from_python(value, "float");
  }
  if (type == "Device") return IValue(device_name(value));
  if (type == "ScalarType" && !PyLong_Check(object)) {
    auto number = py::reinterpret_steal<py::object>(PyNumber_Long(object));
    if (!number) PyErr_Clear(), refuse(value, type);
    return IValue(compat::_PD_PhiDataTypeToAtenScalarType(
        static_cast<phi::DataType>(PyLong_AsLong(number.ptr()))));
  }
  if (type.rfind("Dict(", 0) == 0) {
    if (!PyDict_Check(object)) refuse(value, type);
    const auto types = split(type.substr(5, type.size() - 6), ',');
    std::vector<IValue> items;
    for (auto item : py::reinterpret_borrow<py::dict>(value)) {
      items.emplace_back(std::make_tuple(from_python(item.first, stripped(types[0])),
                                         from_python(item.second, stripped(types[1]))));
    }
    return IValue(items);
  }
  if (type[0] == '(') return from_python(py::tuple(py::reinterpret_borrow<py::object>(value)));
  if (py::hasattr(value, VALUE)) {
    return *py::capsule(value.attr(VALUE)).get_pointer<IValue>();
  }
  if (PyLong_Check(object)) return IValue(value.cast<int64_t>());
  refuse(value, type);
}

inline py::object to_python(const IValue& value, const std::string& type = "") {
  if (value.is_bool()) return py::bool_(value.to_bool());
  if (value.is_int()) return py::int_(value.to_int());
  if (value.is_double()) return py::float_(value.to_double());
  if (value.is_string()) return py::str(value.to_string());
  if (value.is_tensor()) {
    auto* tensor = paddle::pybind::ToPyObject(value.to_tensor()._PD_GetInner(), true);
    return py::reinterpret_steal<py::object>(tensor);
  }
  if (type.rfind("Dict(", 0) == 0) {
    py::dict found;
    for (const auto& item : value.to_list()) {
      found[to_python(item.to_tuple()[0])] = to_python(item.to_tuple()[1]);
    }
    return std::move(found);
  }
  if (value.is_list()) {
    py::list found;
    for (const auto& item : value.to_list()) found.append(to_python(item));
    return std::move(found);
  }
  if (value.is_tuple()) {
    py::tuple found(value.to_tuple().size());
    for (size_t i = 0; i < found.size(); ++i) found[i] = to_python(value.to_tuple()[i]);
    return std::move(found);
  }
  if (value.is_custom_class()) {
    auto known = python_classes().find(value.get_custom_class_name());
    if (known == python_classes().end()) {
      throw py::type_error("an object of a class that is not registered with torch::class_");
    }
    return python_object(value, known->second.attr("__new__")(known->second));
  }
  return py::none();
}

// Raises Mismatch if the arguments are not those of the schema.
inline std::vector<IValue> bound(
    const Schema& schema, const std::string& name, const py::args& args, const py::kwargs& kwargs,
    size_t skipped = 0) {
  std::vector<IValue> found;
  size_t used = 0, most = 0;
  for (const auto& parameter : schema.parameters) {
    const bool named = kwargs.contains(parameter.name.c_str());
    const size_t at = found.size() + skipped;
    most += !parameter.keyword_only;
    used += named;
    const bool positional = at < args.size() && !parameter.keyword_only;
    if (named && positional) {
      throw Mismatch(name + "() got argument '" + parameter.name + "' twice");
    } else if (positional) {
      found.push_back(from_python(args[at], parameter.type));
    } else if (named) {
      found.push_back(from_python(kwargs[parameter.name.c_str()], parameter.type));
    } else if (parameter.value) {
      found.push_back(*parameter.value);
    } else {
      throw Mismatch(name + "() is missing value for argument '" + parameter.name + "'");
    }
  }
  if (args.size() > most + skipped) {
    throw Mismatch(name + "() takes " + std::to_string(most) + " positional argument(s) but " +
                   std::to_string(args.size() - skipped) + " was/were given");
  }
  if (used < kwargs.size()) throw Mismatch("Unknown keyword argument for operator '" + name + "'");
  return found;
}

}  // namespace torch::compat_detail
