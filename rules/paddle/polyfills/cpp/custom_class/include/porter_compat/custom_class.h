// Classes of torch::class_ as classes of Python.
#pragma once

#include <ATen/core/ivalue.h>
#include <porter_compat/boxing.h>
#include <porter_compat/python_values.h>
#include <porter_compat/schema.h>

#include <string>
#include <typeinfo>
#include <utility>
#include <vector>

namespace torch::compat_detail {

template <typename F>
struct InitFunction {
  F function;
};

template <typename C, typename Class, typename R, typename... Args>
auto bound_member(R (Class::*member)(Args...)) {
  return [member](const intrusive_ptr<C>& self, Args... args) -> R {
    return ((*self).*member)(std::forward<Args>(args)...);
  };
}

template <typename C, typename Class, typename R, typename... Args>
auto bound_member(R (Class::*member)(Args...) const) {
  return [member](const intrusive_ptr<C>& self, Args... args) -> R {
    return ((*self).*member)(std::forward<Args>(args)...);
  };
}

// torch.classes.space.name, made if it is not there; nothing without Python.
template <typename T>
py::handle python_class(const std::string& space, const std::string& name) {
  if (!Py_IsInitialized()) return {};
  py::gil_scoped_acquire locked;
  auto& made = python_classes()[typeid(T).name()];
  if (made) return made;
  const auto module = "paddle.classes." + space;
  py::object classes = py::module_::import("paddle").attr("classes").attr(space.c_str());
  py::module_::import("sys").attr("modules")[module.c_str()] = classes;  // for pickle
  py::dict content;
  content["__module__"] = module;
  made = py::module_::import("builtins").attr("type")(name, py::tuple(), content).release();
  py::setattr(classes, name.c_str(), made);
  return made;
}

// A function of Python's that takes its arguments by a schema; `last` are the last of them.
template <typename F>
auto python_function(const std::string& name, F function, const std::vector<Parameter>& last = {}) {
  using Of = SignatureOf<F>;
  auto schema = parsed("(" + Of::arguments() + ") -> " + Of::result());
  const size_t first = schema.parameters.size() - last.size();
  for (size_t i = 0; i < last.size(); ++i) {
    schema.parameters[first + i].name = last[i].name;
    schema.parameters[first + i].value = last[i].value;
  }
  return [name, schema, call = boxed(function)](const py::args& args, const py::kwargs& kwargs) {
    const auto stack = bound(schema, name, args, kwargs);
    return to_python(call(stack), schema.results.size() == 1 ? schema.results[0] : "");
  };
}

template <typename F>
void set_method(
    py::handle type, const std::string& name, F function, const std::vector<Parameter>& last = {}) {
  if (!type) return;
  py::gil_scoped_acquire locked;
  py::setattr(type, name.c_str(),
              py::cpp_function(python_function(name, function, last), py::is_method(type)));
}

template <typename F>
void set_static(py::handle type, const std::string& name, F function) {
  if (!type) return;
  py::gil_scoped_acquire locked;
  py::setattr(type, name.c_str(), py::staticmethod(py::cpp_function(python_function(name, function))));
}

template <typename Getter, typename... Setter>
void set_property(py::handle type, const std::string& name, Getter getter, Setter... setter) {
  if (!type) return;
  py::gil_scoped_acquire locked;
  auto property = py::module_::import("builtins").attr("property");
  py::setattr(type, name.c_str(), property(py::cpp_function(python_function(name, getter)),
                                           py::cpp_function(python_function(name, setter))...));
}

// A method that makes the object out of the function's arguments.
template <typename F>
void set_maker(py::handle type, const char* name, F function) {
  if (!type) return;
  py::gil_scoped_acquire locked;
  const auto schema = parsed("(" + SignatureOf<F>::arguments() + ")");
  auto make = [schema, call = boxed(function)](const py::args& args, const py::kwargs& kwargs) {
    python_object(call(bound(schema, "__init__", args, kwargs, 1)), args[0]);
  };
  py::setattr(type, name, py::cpp_function(make, py::is_method(type)));
}

}  // namespace torch::compat_detail
