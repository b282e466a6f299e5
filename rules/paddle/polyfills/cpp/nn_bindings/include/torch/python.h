#pragma once

#include <porter_compat/module_wrapper.h>
#include <porter_compat/tensor_caster.h>
#include <torch/detail/static.h>
#include <torch/nn/module.h>
#include <torch/ordered_dict.h>
#include <torch/types.h>

#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#if !defined(PADDLE_ON_INFERENCE) && !defined(PADDLE_NO_PYTHON)
namespace torch::python {

template <typename ModuleType, typename... Extra>
py::class_<ModuleType, Extra...> add_module_bindings(py::class_<ModuleType, Extra...> module);

namespace detail {

template <typename ModuleType>
using PyModuleClass = py::class_<ModuleType, torch::nn::Module, std::shared_ptr<ModuleType>>;

}  // namespace detail

namespace compat_detail {

inline bool is_dtype(const py::object& object) {
  return py::isinstance(object, py::module_::import("paddle").attr("dtype"));
}

template <typename Value>
void bind_ordered_dict(py::module_& module, const char* name) {
  using Dict = OrderedDict<std::string, Value>;
  py::class_<Dict>(module, name, py::module_local())
      .def("items", &Dict::pairs)
      .def("keys", &Dict::keys)
      .def("values", &Dict::values)
      .def("__iter__", [](const Dict& dict) { return py::iter(py::cast(dict.pairs())); })
      .def("__len__", &Dict::size)
      .def("__contains__", &Dict::contains)
      .def("__getitem__", [](const Dict& dict, const std::string& key) { return dict[key]; })
      .def("__getitem__", [](const Dict& dict, size_t index) { return dict[index].value(); });
}

// What the classes of modules derive from and return, once in an extension. A template, so that
// only a source that binds a module compiles it.
template <typename Module>
void bind_bases(py::module_& module) {
  if (py::detail::get_local_type_info(typeid(Module))) return;
  bind_ordered_dict<at::Tensor>(module, "OrderedTensorDict");
  bind_ordered_dict<std::shared_ptr<Module>>(module, "OrderedModuleDict");
  add_module_bindings(
      py::class_<Module, std::shared_ptr<Module>>(module, "Module", py::module_local()));
}

inline py::object wrapped(const char* name, const py::object& cpp_class, const py::module_& home) {
  static PyObject* scope = nullptr;  // never freed: Python may be gone before this library is
  if (!scope) {
    py::dict made;
    made["__builtins__"] = py::reinterpret_borrow<py::object>(PyEval_GetBuiltins());
    made["__name__"] = "paddle.nn.cpp";  // code of Paddle's
    auto* done = PyRun_String(MODULE_WRAPPER, Py_file_input, made.ptr(), made.ptr());
    if (!done) throw py::error_already_set();
    Py_DECREF(done);
    scope = made.release().ptr();
  }
  return py::handle(scope)["wrapped"](name, cpp_class, home.attr("__name__"));
}

}  // namespace compat_detail

// What every module can do; T is its class.
template <typename T, typename... Extra>
py::class_<T, Extra...> add_module_bindings(py::class_<T, Extra...> module) {
  const auto move = [](T& self, const py::object& device, const py::object& dtype, bool later) {
    if (device.is_none()) self.to(dtype.cast<at::ScalarType>(), later);
    else if (dtype.is_none()) self.to(device.cast<at::Device>(), later);
    else self.to(device.cast<at::Device>(), dtype.cast<at::ScalarType>(), later);
  };
  return module
      .def("train", [](T& self, bool mode) { self.train(mode); }, py::arg("mode") = true)
      .def("eval", [](T& self) { self.eval(); })
      .def("clone", [](T& self) { return self.clone(); })
      .def_property_readonly("training", [](T& self) { return self.is_training(); })
      .def("zero_grad", [](T& self) { self.zero_grad(); })
      .def_property_readonly("_parameters", [](T& self) { return self.named_parameters(false); })
      .def("parameters", [](T& self, bool recurse) { return self.parameters(recurse); },
           py::arg("recurse") = true)
      .def("named_parameters", [](T& self, bool recurse) { return self.named_parameters(recurse); },
           py::arg("recurse") = true)
      .def_property_readonly("_buffers", [](T& self) { return self.named_buffers(false); })
      .def("buffers", [](T& self, bool recurse) { return self.buffers(recurse); },
           py::arg("recurse") = true)
      .def("named_buffers", [](T& self, bool recurse) { return self.named_buffers(recurse); },
           py::arg("recurse") = true)
      .def_property_readonly("_modules", [](T& self) { return self.named_children(); })
      .def("modules", [](T& self) { return self.modules(); })
      .def("named_modules",
           [](T& self, const py::object&, std::string prefix, bool) {
             return self.named_modules(std::move(prefix));
           },
           py::arg("memo") = py::none(), py::arg("prefix") = std::string(),
           py::arg("remove_duplicate") = true)
      .def("children", [](T& self) { return self.children(); })
      .def("named_children", [](T& self) { return self.named_children(); })
      .def("to",
           [move](T& self, const py::object& to, bool later) {
             const bool dtype = compat_detail::is_dtype(to);
             move(self, dtype ? py::object(py::none()) : to, dtype ? to : py::none(), later);
           },
           py::arg("dtype_or_device"), py::arg("non_blocking") = false)
      .def("to", move, py::arg("device"), py::arg("dtype"), py::arg("non_blocking") = false)
      .def("cuda", [](T& self) { self.to(at::Device(at::kCUDA)); })
      .def("cpu", [](T& self) { self.to(at::Device(at::kCPU)); })
      .def("float", [](T& self) { self.to(at::kFloat); })
      .def("double", [](T& self) { self.to(at::kDouble); })
      .def("half", [](T& self) { self.to(at::kHalf); })
      .def("__str__", [](T& self) { return self.name(); })
      .def("__repr__", [](T& self) { return self.name(); });
}

// The module's class as cpp.NAME, and a layer of it as NAME.
template <typename ModuleType, bool force_enable = false>
std::enable_if_t<
    !torch::detail::has_forward<ModuleType>::value || force_enable,
    detail::PyModuleClass<ModuleType>>
bind_module(py::module_ module, const char* name) {
  auto cpp = module.def_submodule("cpp");
  compat_detail::bind_bases<torch::nn::Module>(cpp);
  auto cpp_class = add_module_bindings(detail::PyModuleClass<ModuleType>(cpp, name));
  module.attr(name) = compat_detail::wrapped(name, cpp_class, module);
  return cpp_class;
}

template <
    typename ModuleType,
    typename = std::enable_if_t<torch::detail::has_forward<ModuleType>::value>>
detail::PyModuleClass<ModuleType> bind_module(py::module_ module, const char* name) {
  return bind_module<ModuleType, true>(module, name)
      .def("forward", &ModuleType::forward)
      .def("__call__", &ModuleType::forward);
}

}  // namespace torch::python
#endif
