// The side of the shim that Python sees: a module in the same library.
#include "library.h"

#include "paddle/utils/pybind.h"

namespace egr {

class AutogradMeta;

// What libpaddle exports of its autograd engine, whose headers are not installed.
class EagerUtils {
 public:
  static AutogradMeta* autograd_meta(paddle::Tensor* tensor);
};

}  // namespace egr

namespace shim {

namespace {

py::handle& callbacks() {
  static py::handle found;  // never freed: Python may be gone before this library is
  return found;
}

Value from_python(py::handle value, const Type& type) {
  if (type.kind == Type::OPTIONAL) return value.is_none() ? Value() : from_python(value, *type.inner);
  if (type.kind == Type::LIST) {
    Values items;
    for (py::handle each : value) items.push_back(from_python(each, *type.inner));
    return {items};
  }
  if (value.is_none()) return {};
  if (type.name == "Tensor") {
    auto& tensor = paddle::pybind::CastPyArg2Tensor(value.ptr(), 0);
    egr::EagerUtils::autograd_meta(&tensor);  // so that Python sees what is done to it
    return {tensor};
  }
  if (type.name == "str") return {value.cast<std::string>()};
  if (type.name == "float") return {value.cast<double>()};
  if (type.name == "bool" || type.name == "SymBool") return {value.cast<bool>()};
  if (type.name == "int" || type.name == "SymInt") return {value.cast<int64_t>()};
  if (type.name == "Device") {
    const auto [kind, index] = value.cast<std::pair<int32_t, int32_t>>();
    return {Device{kind, index}};
  }
  if (type.name == "ScalarType" || type.name == "Layout" || type.name == "MemoryFormat") {
    return {Code{value.cast<int32_t>()}};
  }
  throw NotImplemented("torch's stable ABI has no value of the type " + type.text());
}

// Tensors among the arguments of a call, and what they are in Python.
using Known = std::vector<std::pair<const void*, py::object>>;

py::object to_python(const Value& value, const Known& known = {}) {
  struct Maker {
    const Known& known;
    py::object operator()(std::monostate) const { return py::none(); }
    py::object operator()(const Tensor& tensor) const {
      if (!tensor.impl()) return py::none();
      for (const auto& [impl, object] : known) {
        if (impl == tensor.impl().get()) return object;
      }
      return py::reinterpret_steal<py::object>(paddle::pybind::ToPyObject(tensor, false));
    }
    py::object operator()(int64_t number) const { return py::int_(number); }
    py::object operator()(double number) const { return py::float_(number); }
    py::object operator()(bool flag) const { return py::bool_(flag); }
    py::object operator()(const std::string& text) const { return py::str(text); }
    py::object operator()(const Device& device) const {
      return py::make_tuple(device.type, device.index);
    }
    py::object operator()(const Code& code) const { return py::int_(code.number); }
    py::object operator()(const Values& values) const {
      py::list found;
      for (const Value& each : values) found.append(to_python(each, known));
      return found;
    }
  };
  return std::visit(Maker{known}, value.held);
}

void remember(py::handle value, const Value& made, Known& known) {
  if (const auto* tensor = std::get_if<Tensor>(&made.held)) {
    known.emplace_back(tensor->impl().get(), py::reinterpret_borrow<py::object>(value));
  } else if (const auto* values = std::get_if<Values>(&made.held)) {
    size_t i = 0;
    for (py::handle each : value) remember(each, (*values)[i++], known);
  }
}

Schema existing(const std::string& name) {
  if (const Native* own = native(name)) return own->schema;
  const auto found = schema_of(name);
  if (!found) fail("Could not find schema for " + name + ".");
  return *found;
}

// The results of a call from Python, as a list; without Python's lock while the operator runs.
py::list call(const std::string& name, const py::list& arguments) {
  const Schema schema = existing(name);
  Values values, results;
  Known known;
  for (size_t i = 0; i < schema.parameters.size(); ++i) {
    values.push_back(from_python(arguments[i], schema.parameters[i].type));
    remember(arguments[i], values.back(), known);
  }
  {
    py::gil_scoped_release unlocked;
    const Native* own = native(name);
    results = own ? own->call(values) : called(schema, values);
  }
  py::list found;
  for (const Value& each : results) found.append(to_python(each, known));
  return found;
}

py::list call_or_raise(const std::string& name, const py::list& arguments) {
  struct Raised : py::builtin_exception {
    using py::builtin_exception::builtin_exception;
    void set_error() const override { PyErr_SetString(PyExc_NotImplementedError, what()); }
  };
  try {
    return call(name, arguments);
  } catch (const NotImplemented& error) {
    throw Raised(error.what());
  }
}

// (text, [(type, name, default or None, by name)], [type], whether the result is no tuple)
py::tuple described(const Schema& schema) {
  py::list parameters, returns;
  for (const Parameter& each : schema.parameters) {
    py::object value = py::none();
    if (each.has_default) value = py::str(each.default_value);
    parameters.append(py::make_tuple(each.type.text(), each.name, value, each.by_name));
  }
  for (const Type& each : schema.returns) returns.append(each.text());
  return py::make_tuple(schema.text, parameters, returns, schema.single);
}

// An exception of Python as one of C++, which other threads may read.
template <typename F>
auto asking(F&& function) {
  py::gil_scoped_acquire locked;
  try {
    return function(callbacks());
  } catch (const py::error_already_set& error) {
    fail(error.what());
  }
}

void publish(const std::string& name) {
  if (Py_IsInitialized()) asking([&](py::handle python) { python.attr("publish")(name); });
}

std::optional<Schema> schema_in_python(const std::string& name) {
  if (!Py_IsInitialized()) return std::nullopt;
  return asking([&](py::handle python) -> std::optional<Schema> {
    const py::object text = python.attr("schema_in_python")(name);
    if (text.is_none()) return std::nullopt;
    return parsed(text.cast<std::string>(), name.substr(0, name.find("::")));
  });
}

Values call_in_python(const Schema& schema, const Values& arguments) {
  return asking([&](py::handle python) {
    py::list values;
    for (const Value& each : arguments) values.append(to_python(each));
    const py::list made = python.attr("call_in_python")(schema.full_name(), values);
    Values found;
    for (size_t i = 0; i < schema.returns.size(); ++i) {
      found.push_back(from_python(made[i], schema.returns[i]));
    }
    return found;
  });
}

int64_t device(const std::string& what, int64_t argument) {
  return asking([&](py::handle python) {
    return python.attr("device_in_python")(what, argument).cast<int64_t>();
  });
}

void require_grad(Tensor& tensor, bool wanted) {
  egr::EagerUtils::autograd_meta(&tensor);  // of this tensor too, not of Python's alone
  asking([&](py::handle) { to_python({tensor}).attr("stop_gradient") = !wanted; });
}

}  // namespace

}  // namespace shim

EXPORT Error torch_set_requires_grad(Handle self, bool wanted) {
  return shim::guarded([&] {
    const auto dtype = shim::dense(*self).dtype();
    if (wanted && !shim::is_floating(dtype) && !shim::is_complex(dtype)) {
      shim::fail("only Tensors of floating point dtype can require gradients");
    }
    shim::require_grad(*self, wanted);
  });
}

PYBIND11_MODULE(_porter_stable_abi, module) {
  module.def("call", &shim::call_or_raise);
  module.def("described", [](const std::string& name) {
    return shim::described(shim::existing(name));
  });
  module.def("parsed", [](const std::string& text, const std::string& space) {
    return shim::described(shim::parsed(text, space));
  });
  module.def("connect", [](py::object callbacks) {
    shim::callbacks() = callbacks.release();
    shim::python() = {&shim::publish, &shim::schema_in_python, &shim::call_in_python,
                      &shim::device};
  });
}
