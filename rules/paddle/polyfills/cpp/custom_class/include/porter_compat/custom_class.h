// Classes of torch::class_ as classes of Python.
#pragma once

#include <ATen/core/ivalue.h>
#include <porter_compat/boxing.h>
#include <porter_compat/python_values.h>

#include <optional>
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

// What calls functions of classes: `last` are names and defaults of their last parameters.
inline const char* const CLASSES = R"py(
def function(name, schema, call, last):
    parameters, result = parsed(schema)
    first = len(parameters) - len(last)
    named = [(kind, *more, False) for (kind, *_), more in zip(parameters[first:], last)]
    def called(*args, **kwargs):
        made = call(bound(name, [*parameters[:first], *named], args, kwargs))
        return dict(made) if result.startswith("Dict(") else made
    return called

def maker(name, schema, make):
    def made(self, *args, **kwargs):
        make(self, bound(name, parsed(schema)[0], args, kwargs))
    return made
)py";

// What CLASSES defines under a name.
inline py::object class_python(const char* name) {
  auto scope = py::reinterpret_borrow<py::dict>(python("bound").attr("__globals__"));
  if (!scope.contains(name)) py::exec(CLASSES, scope);
  return scope[name];
}

// An object of a class of torch::class_; `made` has an attribute with its IValue.
inline py::object python_object(const IValue& value, py::object made) {
  made.attr("_value") = py::capsule(
      new IValue(value), [](void* held) { delete static_cast<IValue*>(held); });
  return made;
}

// torch.classes.space.name, made if it is not there; nothing without Python.
template <typename T>
py::handle python_class(const std::string& space, const std::string& name) {
  static py::handle made;
  if (made || !Py_IsInitialized()) return made;
  py::gil_scoped_acquire locked;
  const auto module = "paddle.classes." + space;
  py::object classes = py::module_::import("paddle").attr("classes").attr(space.c_str());
  py::module_::import("sys").attr("modules")[module.c_str()] = classes;  // for pickle
  py::dict content;
  content["__module__"] = module;
  made = py::module_::import("builtins").attr("type")(name, py::tuple(), content).release();
  py::setattr(classes, name.c_str(), made);
  makers()[typeid(T).name()] = [](const IValue& value) {
    return python_object(value, made.attr("__new__")(made));
  };
  return made;
}

// The name of a parameter, and what it is when it is not given.
struct Named {
  std::string name;
  std::optional<IValue> value;
};

// A function of Python's that takes its arguments by a schema; `last` are the last of them.
template <typename F>
py::object python_function(
    const std::string& name, F function, const std::vector<Named>& last = {}) {
  using Of = SignatureOf<F>;
  py::list names;
  for (const auto& each : last) {
    const auto value = py::repr(to_python(each.value.value_or(IValue())));
    names.append(py::make_tuple(each.name, each.value ? py::object(value) : py::none()));
  }
  const auto call = [call = Of::boxed(function)](const py::list& values) {
    return to_python(call(from_python(values)));
  };
  return class_python("function")(name, Of::schema(), py::cpp_function(call), names);
}

template <typename F>
void set_method(
    py::handle type, const std::string& name, F function, const std::vector<Named>& last = {}) {
  if (!type) return;
  py::gil_scoped_acquire locked;
  py::setattr(type, name.c_str(), python_function(name, function, last));
}

template <typename F>
void set_static(py::handle type, const std::string& name, F function) {
  if (!type) return;
  py::gil_scoped_acquire locked;
  py::setattr(type, name.c_str(), py::staticmethod(python_function(name, function)));
}

template <typename Getter, typename... Setter>
void set_property(py::handle type, const std::string& name, Getter getter, Setter... setter) {
  if (!type) return;
  py::gil_scoped_acquire locked;
  auto property = py::module_::import("builtins").attr("property");
  py::setattr(type, name.c_str(),
              property(python_function(name, getter), python_function(name, setter)...));
}

// A method that makes the object out of the function's arguments.
template <typename F>
void set_maker(py::handle type, const char* name, F function) {
  if (!type) return;
  py::gil_scoped_acquire locked;
  using Of = SignatureOf<F>;
  const auto make = [make = Of::boxed(function)](py::object self, const py::list& values) {
    python_object(make(from_python(values)), self);
  };
  py::setattr(type, name, class_python("maker")(name, Of::schema(), py::cpp_function(make)));
}

}  // namespace torch::compat_detail
