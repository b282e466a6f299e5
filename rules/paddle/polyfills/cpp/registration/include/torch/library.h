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

#include <algorithm>
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

// Where the first tensor in an IValue is that is not on the CPU.
inline c10::DeviceType place_in(const IValue& value) {
  if (value.is_tensor() && value.to_tensor().defined()) return value.to_tensor().device().type();
  if (value.is_list()) {
    for (const IValue& each : value.to_list()) {
      if (const auto type = place_in(each); type != c10::kCPU) return type;
    }
  }
  return c10::kCPU;
}

struct NotImplemented : py::builtin_exception {
  using py::builtin_exception::builtin_exception;
  void set_error() const override { PyErr_SetString(PyExc_NotImplementedError, what()); }
};

inline OperatorRegistration& registered(const std::string& name) {
  auto* found = OperatorRegistry::instance().find_operator(name);
  if (!found) throw std::runtime_error("Could not find schema for " + name + ".");
  return *found;
}

// Calls what is registered for the arguments: for autograd, for their device, for any.
inline IValue dispatched(const std::string& name, const Stack& stack) {
  using Key = DispatchKey;
  auto type = c10::kCPU;
  for (const IValue& value : stack) type = type == c10::kCPU ? place_in(value) : type;
  const bool gpu = type == c10::kCUDA, custom = type == c10::kCUSTOM;
  const Key keys[] = {gpu      ? Key::AutogradCUDA
                      : custom ? Key::AutogradPrivateUse1
                               : Key::AutogradCPU,
                      Key::Autograd,
                      gpu      ? Key::CUDA
                      : custom ? Key::PrivateUse1
                               : Key::CPU,
                      Key::CompositeExplicitAutograd,
                      Key::CompositeExplicitAutogradNonFunctional, Key::CompositeImplicitAutograd,
                      Key::CatchAll, Key::BackendSelect};
  const auto& functions = registered(name).implementations;
  for (const Key* key = keys + (at::compat_detail::below_autograd() ? 2 : 0); key < std::end(keys); ++key) {
    const auto found = functions.find(*key);
    if (found != functions.end() && found->second.valid()) {
      return found->second.call_with_args(FunctionArgs::from_vector(stack)).get_value();
    }
  }
  throw NotImplemented("Could not run '" + name + "' with arguments from the '" +
                       (gpu ? "CUDA" : custom ? "PrivateUse1" : "CPU") + "' backend.");
}

// Makes an operator an attribute of torch.ops.
inline void publish(const std::string& name) {
  if (!Py_IsInitialized()) return;
  py::gil_scoped_acquire locked;
  const auto schema = [](const std::string& name) { return registered(name).schema; };
  const auto call = [](const std::string& name, const py::list& values) {
    const auto stack = from_python(values);
    IValue result;
    {
      py::gil_scoped_release unlocked;
      result = dispatched(name, stack);
    }
    return to_python(result);
  };
  python("publish")(name, py::cpp_function(schema), py::cpp_function(call));
}

// Registers a function as what an operator does under a key, and how it is called.
template <typename F>
void implement(const std::string& name, DispatchKey key, F function) {
  using Of = SignatureOf<F>;
  auto& registry = OperatorRegistry::instance();
  const auto* op = registry.find_operator(name);
  if (!op || (op->schema.empty() && key == DispatchKey::CatchAll)) {
    registry.register_schema(name, Of::schema());
  }
  registry.register_implementation(name, key, CppFunction::boxed(Of::boxed(function)));
  publish(name);
}

}  // namespace torch::compat_detail
