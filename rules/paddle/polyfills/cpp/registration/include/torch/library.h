#pragma once

#include <ATen/core/Dict.h>
#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/core/List.h>
#include <ATen/core/enum_tag.h>
#include <ATen/core/ivalue.h>
#include <c10/util/intrusive_ptr.h>
#include <porter_compat/boxing.h>
#include <porter_compat/operators.h>
#include <porter_compat/python_values.h>
#include <porter_compat/schema.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace torch {
// extends
enum class DispatchKey {
  CatchAll = 0,
  BackendSelect = 1000,
  Meta = 1001,
  PrivateUse1 = 1002,
  HIP = 1003,
  XPU = 1004,
  MPS = 1005,
  QuantizedCPU = 1006,
  QuantizedCUDA = 1007,
  SparseCPU = 1008,
  SparseCUDA = 1009,
  SparseCsrCPU = 1010,
  SparseCsrCUDA = 1011,
  MkldnnCPU = 1012,
  Autograd = 1020,
  AutogradCPU = 1021,
  AutogradCUDA = 1022,
  AutogradXPU = 1023,
  AutogradMPS = 1024,
  AutogradMeta = 1025,
  AutogradPrivateUse1 = 1026,
  AutogradOther = 1027,
  AutogradNestedTensor = 1028,
  ADInplaceOrView = 1030,
  Autocast = 1031,
  AutocastCUDA = 1031,
  AutocastCPU = 1032,
  AutocastXPU = 1033,
  Functionalize = 1034,
  Python = 1035,
  FuncTorchBatched = 1036,
  NestedTensorCPU = 1037,
  NestedTensorCUDA = 1038,
  CompositeImplicitAutograd = 1040,
  CompositeExplicitAutograd = 1041,
  CompositeExplicitAutogradNonFunctional = 1042
};
}  // namespace torch

namespace c10 {

using torch::DispatchKey;

}  // namespace c10

namespace at {

using torch::DispatchKey;

}  // namespace at

namespace torch {
// extends
class CppFunction {
  // Errors keep their type in it, unlike in those of the constructors.
  static CppFunction boxed(compat_detail::Boxed function) {
    CppFunction made;
    made.func_ = [function](const FunctionArgs& args) {
      return FunctionResult(function(compat_detail::Stack(args.begin(), args.end())));
    };
    return made;
  }
  static compat_detail::Fallthrough makeFallthrough() { return {}; }
};

// extends
class Library {
  // instead of the one with: OperatorRegistry::instance().register_schema(qualified_name, name_or_schema);
  template <typename Func>
  Library& def(const std::string& name_or_schema, Func&& f) & {
    const auto name = compat_detail::qualified(ns_, name_or_schema);
    if (name_or_schema.find('(') != std::string::npos) {
      OperatorRegistry::instance().register_schema(name, name_or_schema);
    }
    compat_detail::implement(name, dispatch_key_.value_or(DispatchKey::CatchAll),
                             std::forward<Func>(f));
    return *this;
  }
  Library& def(const char* schema) & {
    const auto name = compat_detail::qualified(ns_, schema);
    OperatorRegistry::instance().register_schema(name, schema);
    compat_detail::publish(name);
    return *this;
  }
  Library& def(const char* schema, const std::vector<at::Tag>&) & { return def(schema); }
  // instead of the one with: auto dispatch_key = dispatch_key_.value_or(DispatchKey::CPU);
  template <typename Func>
  Library& impl(const std::string& op_name, Func&& f) & {
    compat_detail::implement(compat_detail::qualified(ns_, op_name),
                             dispatch_key_.value_or(DispatchKey::CatchAll), std::forward<Func>(f));
    return *this;
  }
  template <typename Func>
  Library& impl(const std::string& op_name, DispatchKey key, Func&& f) & {
    compat_detail::implement(compat_detail::qualified(ns_, op_name), key, std::forward<Func>(f));
    return *this;
  }
  // Where the Python side of the operators is: of no use here, they are published at once.
  Library& set_python_module(const char*, const char* = "") & { return *this; }
  Library& impl_abstract_pystub(const char*, const char* = "") & { return *this; }
  // What all operators do that have nothing for a key is left to the other keys.
  template <typename Func>
  Library& fallback(Func&&) & {
    return *this;
  }
};
}  // namespace torch

#define TORCH_FN(func) (&(func))

#define TORCH_SELECTIVE_SCHEMA(schema) schema

#define TORCH_SELECTIVE_NAME(name) name

namespace torch {

template <typename Func>
auto dispatch(DispatchKey key, Func&& function) {
  return compat_detail::Keyed<std::decay_t<Func>>{key, std::forward<Func>(function)};
}

inline std::string schema(std::string text) { return text; }

}  // namespace torch

namespace torch::compat_detail {

// Whether an IValue is on the GPU, or there is one in it.
inline bool on_gpu(const IValue& value) {
  if (value.is_tensor()) return value.to_tensor().defined() && value.to_tensor().is_cuda();
  if (!value.is_list()) return false;
  for (const auto& item : value.to_list()) {
    if (on_gpu(item)) return true;
  }
  return false;
}

inline const CppFunction* implementation(
    OperatorRegistration& op, std::initializer_list<DispatchKey> keys) {
  for (auto key : keys) {
    auto found = op.implementations.find(key);
    if (found != op.implementations.end() && found->second.valid()) return &found->second;
  }
  return nullptr;
}

struct NotImplemented : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Calls what is registered for the arguments: for autograd, for their device, for any.
inline IValue dispatched(const std::string& name, const Stack& stack) {
  using Key = DispatchKey;
  auto* op = OperatorRegistry::instance().find_operator(name);
  if (!op) throw std::runtime_error("Could not find schema for " + name + ".");
  bool gpu = false;
  for (const auto& value : stack) gpu = gpu || on_gpu(value);
  const CppFunction* found = nullptr;
  if (at::compat_detail::below_autograd() == 0) {
    found = implementation(*op, {gpu ? Key::AutogradCUDA : Key::AutogradCPU, Key::Autograd});
  }
  if (!found) {
    found = implementation(
        *op, {gpu ? Key::CUDA : Key::CPU, Key::CompositeExplicitAutograd,
              Key::CompositeExplicitAutogradNonFunctional, Key::CompositeImplicitAutograd,
              Key::CatchAll, Key::BackendSelect});
  }
  if (!found) {
    throw NotImplemented("Could not run '" + name + "' with arguments from the '" +
                         (gpu ? "CUDA" : "CPU") + "' backend.");
  }
  return found->call_with_args(FunctionArgs::from_vector(stack)).get_value();
}

template <typename F>
void implement(const std::string& name, DispatchKey key, F&& function) {
  using Plain = std::decay_t<F>;
  if constexpr (is_keyed<Plain>) {
    implement(name, function.key, function.function);
  } else if constexpr (!std::is_same_v<Plain, Fallthrough>) {
    auto& registry = OperatorRegistry::instance();
    auto* op = registry.find_operator(name);
    if (!op || op->schema.empty()) {
      using Of = SignatureOf<Plain>;
      if (!op || key == DispatchKey::CatchAll) {
        registry.register_schema(
            name, name.substr(name.find("::") + 2) + "(" + Of::arguments() + ") -> " + Of::result());
      }
    }
    registry.register_implementation(name, key, CppFunction::boxed(boxed<Plain>(function)));
    publish(name);
  }
}

inline Schema schema_of(const std::string& name) {
  auto* op = OperatorRegistry::instance().find_operator(name);
  if (!op) throw std::runtime_error("Could not find schema for " + name + ".");
  return parsed(op->schema);
}

// The names of the overloads of "ns::name", which is that of the default one.
inline std::vector<std::string>& overloads_of(const std::string& name) {
  static std::map<std::string, std::vector<std::string>> overloads;
  return overloads[name];
}

// Calls the first of some overloads that takes the arguments.
inline py::object called(
    const std::vector<std::string>& names, const py::args& args, const py::kwargs& kwargs) {
  for (const auto& name : names) {
    const auto schema = schema_of(name);
    Stack stack;
    try {
      stack = bound(schema, name, args, kwargs);
    } catch (const Mismatch&) {
      if (name == names.back()) throw;
      continue;
    }
    IValue result;
    try {
      py::gil_scoped_release unlocked;
      result = dispatched(name, stack);
    } catch (const NotImplemented& error) {
      PyErr_SetString(PyExc_NotImplementedError, error.what());
      throw py::error_already_set();
    }
    return to_python(result, schema.results.size() == 1 ? schema.results[0] : "");
  }
  throw std::runtime_error("an operator without a schema");
}

// What torch.ops.ns.name is in Python, and each of its overloads.
inline const char* const OPERATOR = R"(
class Operator:
    def __init__(self, name, call):
        self.__name__ = name.rsplit("::", 1)[-1]
        self._name = self._qualified_op_name = name
        self._call = call

    def __call__(self, *args, **kwargs):
        return self._call(*args, **kwargs)

    def __repr__(self):
        return self._name.replace("::", ".")

    def overloads(self):
        return [k for k, v in vars(self).items() if isinstance(v, Operator)]
)";

// An operator of some overloads; `names` gives them when it is called.
template <typename Names>
py::object python_operator(const std::string& name, Names names) {
  static py::handle made;  // never freed: Python may be gone before this library is
  if (!made) {
    py::dict scope;
    py::exec(OPERATOR, scope);
    made = py::object(scope["Operator"]).release();
  }
  return made(name, py::cpp_function([names](const py::args& args, const py::kwargs& kwargs) {
                return called(names(), args, kwargs);
              }));
}

// Sets the attribute of torch.ops.
inline void publish(const std::string& name) {
  if (!Py_IsInitialized()) return;
  py::gil_scoped_acquire locked;
  const auto colons = name.find("::");
  const auto base = name.substr(0, name.find('.'));
  const auto overload = base == name ? "default" : name.substr(base.size() + 1);
  auto& known = overloads_of(base);
  if (std::find(known.begin(), known.end(), name) != known.end()) return;
  known.push_back(name);
  try {
    const auto prefix = name.substr(0, colons);
    py::object space = py::module_::import("paddle").attr("ops").attr(prefix.c_str());
    const auto attribute = base.substr(colons + 2);
    auto all = py::reinterpret_borrow<py::dict>(space.attr("__dict__"));
    if (!all.contains(attribute.c_str())) {
      all[attribute.c_str()] = python_operator(base, [base] { return overloads_of(base); });
    }
    py::setattr(all[attribute.c_str()], overload.c_str(),
                python_operator(name, [name] { return std::vector<std::string>{name}; }));
  } catch (py::error_already_set& error) {
    std::cerr << "torch.ops: " << name << ": " << error.what() << "\n";
  }
}

}  // namespace torch::compat_detail
