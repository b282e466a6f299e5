// The operators that libraries register.
#include "library.h"

#include <algorithm>
#include <array>
#include <memory>
#include <mutex>
#include <set>

namespace shim {

namespace {

// What torch::Library is in torch: what it registered goes with it.
struct Library {
  enum Kind { DEFINITION, FRAGMENT, IMPLEMENTATION };
  Kind kind;
  std::string space;
  std::string key;
  std::vector<std::function<void()>> undo;
};

struct Kernel {
  std::string key;
  Boxed function;
  const Library* owner;
};

struct Operator {
  std::optional<Schema> schema;
  std::vector<Kernel> kernels;  // the newest for a key is the one
};

struct Registry {
  std::mutex lock;
  std::map<std::string, Operator> operators;
  std::set<std::string> spaces;  // those that one library defines
};

// Never freed: libraries take back what they registered when the process ends, after everything.
Registry& registry() {
  static auto* found = new Registry;
  return *found;
}

const char* const KEYS[] = {
    "CPU", "CUDA", "HIP", "XPU", "MPS", "Meta", "PrivateUse1", "BackendSelect", "Autograd",
    "AutogradCPU", "AutogradCUDA", "AutogradXPU", "AutogradMPS", "AutogradMeta",
    "AutogradPrivateUse1", "AutogradOther", "ADInplaceOrView", "Autocast", "AutocastCPU",
    "AutocastCUDA", "AutocastXPU", "AutocastPrivateUse1", "QuantizedCPU", "QuantizedCUDA",
    "SparseCPU", "SparseCUDA", "SparseCsrCPU", "SparseCsrCUDA", "MkldnnCPU", "NestedTensorCPU",
    "NestedTensorCUDA", "Functionalize", "FuncTorchBatched", "Python", "CatchAll",
    "CompositeImplicitAutograd", "CompositeExplicitAutograd",
    "CompositeExplicitAutogradNonFunctional", "CompositeImplicitAutogradNestedTensor"};

// The dispatch key of a device, and of where a value is; empty for those that are nowhere.
std::string key_of(const Device& device) {
  switch (device.type) {
    case CPU:
      return "CPU";
    case CUDA:
      return "CUDA";
    case XPU:
      return "XPU";
    case MPS:
      return "MPS";
    case META:
      return "Meta";
    default:
      return "PrivateUse1";
  }
}

void collect(const Value& value, std::vector<std::string>& found) {
  if (const auto* tensor = std::get_if<Tensor>(&value.held)) {
    if (tensor->impl()) found.push_back(key_of(device_of(tensor->place())));
  } else if (const auto* values = std::get_if<Values>(&value.held)) {
    for (const Value& each : *values) collect(each, found);
  }
}

std::string backend_of(const Values& arguments) {
  std::vector<std::string> found;
  for (const Value& each : arguments) collect(each, found);
  if (found.empty()) return "";
  const auto other = std::find_if(found.begin(), found.end(),
                                  [](const std::string& key) { return key != "CPU"; });
  return other == found.end() ? "CPU" : *other;
}

Boxed kernel_for(const std::string& name, const Values& arguments) {
  const std::string backend = backend_of(arguments);
  std::vector<std::string> keys = {"BackendSelect"};
  if (!backend.empty()) keys = {"Autograd" + backend, "Autograd", backend};
  keys.insert(keys.end(), {"CompositeExplicitAutograd", "CompositeExplicitAutogradNonFunctional",
                           "CompositeImplicitAutograd", "CatchAll", "BackendSelect"});
  std::lock_guard<std::mutex> locked(registry().lock);
  const auto& kernels = registry().operators[name].kernels;
  for (const std::string& key : keys) {
    const auto found = std::find_if(kernels.rbegin(), kernels.rend(),
                                    [&](const Kernel& each) { return each.key == key; });
    if (found != kernels.rend()) return found->function;
  }
  throw NotImplemented("Could not run '" + name + "' with arguments from the '" + backend +
                       "' backend.");
}

std::string qualified(const Library& library, const std::string& name) {
  const auto colons = name.find("::");
  if (colons == std::string::npos) return library.space + "::" + name;
  if (name.substr(0, colons) != library.space) {
    fail("the namespace of " + name + " is not that of the library, " + library.space);
  }
  return name;
}

void define(Library& library, const std::string& text) {
  if (library.kind == Library::IMPLEMENTATION) {
    fail("a library that implements operators cannot define one: " + text);
  }
  const Schema schema = parsed(text, library.space);
  const std::string name = schema.full_name();
  {
    std::lock_guard<std::mutex> locked(registry().lock);
    auto& found = registry().operators[name].schema;
    if (found) {
      fail("Tried to register an operator (" + schema.text +
           ") with the same name and overload name multiple times.");
    }
    found = schema;
  }
  library.undo.push_back([name] { registry().operators[name].schema.reset(); });
  if (python().publish) python().publish(name);
}

void implement(Library& library, const std::string& given, Boxed function) {
  const std::string name = qualified(library, given);
  const std::string key = library.key.empty() ? "CompositeImplicitAutograd" : library.key;
  std::lock_guard<std::mutex> locked(registry().lock);
  registry().operators[name].kernels.push_back({key, function, &library});
  library.undo.push_back([name, owner = &library] {
    auto& kernels = registry().operators[name].kernels;
    const auto of_it = [owner](const Kernel& each) { return each.owner == owner; };
    kernels.erase(std::remove_if(kernels.begin(), kernels.end(), of_it), kernels.end());
  });
}

Library* opened(Library::Kind kind, const std::string& space, const std::string& key = "") {
  auto made = std::make_unique<Library>(Library{kind, space, key, {}});
  if (kind == Library::DEFINITION) {
    std::lock_guard<std::mutex> locked(registry().lock);
    if (!registry().spaces.insert(space).second) {
      fail("Only a single TORCH_LIBRARY can be used to register the namespace " + space);
    }
    made->undo.push_back([space] { registry().spaces.erase(space); });
  }
  return made.release();
}

// The stack of a call: as long as the arguments, or as the results where there are more.
Values run(Boxed function, const Schema& schema, const Values& arguments) {
  const size_t count = schema.parameters.size(), results = schema.returns.size();
  std::vector<StableValue> stack(std::max(count, results) + 1);
  for (size_t i = 0; i < count; ++i) stack[i] = given(arguments[i], schema.parameters[i].type);
  function(stack.data(), count, results);
  Values found;
  for (size_t i = 0; i < results; ++i) found.push_back(taken(stack[i], schema.returns[i]));
  return found;
}

// What a library has defined, or Python where it has kernels for what no library has one for.
Values called_somewhere(const Schema& schema, const Values& arguments) {
  try {
    return called(schema, arguments);
  } catch (const NotImplemented&) {
    if (!python().schema || !python().schema(schema.full_name())) throw;
  }
  return python().call(schema, arguments);
}

void dispatch(const std::string& name, StableValue* stack) {
  const Native* own = native(name);
  auto schema = own ? std::optional<Schema>(own->schema) : schema_of(name);
  const bool defined = schema.has_value();
  if (!defined && python().schema) schema = python().schema(name);
  if (!schema) fail("Could not find schema for " + name + ".");
  Values arguments;
  for (size_t i = 0; i < schema->parameters.size(); ++i) {
    arguments.push_back(taken(stack[i], schema->parameters[i].type));
  }
  const auto results = own       ? own->call(arguments)
                       : defined ? called_somewhere(*schema, arguments)
                                 : python().call(*schema, arguments);
  for (size_t i = 0; i < results.size(); ++i) stack[i] = given(results[i], schema->returns[i]);
}

}  // namespace

Python& python() {
  static Python functions;
  return functions;
}

std::optional<Schema> schema_of(const std::string& name) {
  std::lock_guard<std::mutex> locked(registry().lock);
  const auto found = registry().operators.find(name);
  return found == registry().operators.end() ? std::nullopt : found->second.schema;
}

Values called(const Schema& schema, const Values& arguments) {
  return run(kernel_for(schema.full_name(), arguments), schema, arguments);
}

}  // namespace shim

using shim::guarded;
using shim::Library;

EXPORT Error aoti_torch_library_init_def(const char* space, const char*, uint32_t,
                                         Library** made) {
  return guarded([&] { *made = shim::opened(Library::DEFINITION, space); });
}

EXPORT Error aoti_torch_library_init_fragment(const char* space, const char*, uint32_t,
                                              Library** made) {
  return guarded([&] { *made = shim::opened(Library::FRAGMENT, space); });
}

EXPORT Error aoti_torch_library_init_impl(const char* space, const char* key, const char*,
                                          uint32_t, Library** made) {
  return guarded([&] {
    const std::string wanted = key;
    if (std::find(std::begin(shim::KEYS), std::end(shim::KEYS), wanted) == std::end(shim::KEYS)) {
      shim::fail("could not parse dispatch key: " + wanted);
    }
    *made = shim::opened(Library::IMPLEMENTATION, space, wanted);
  });
}

EXPORT Error aoti_torch_library_def(Library* self, const char* schema) {
  return guarded([&] { shim::define(*self, schema); });
}

EXPORT Error torch_library_def_with_tags(Library* self, const char* schema, const int32_t*,
                                         int32_t) {
  return aoti_torch_library_def(self, schema);
}

EXPORT Error torch_library_impl(Library* self, const char* name, shim::Boxed function, uint64_t) {
  return guarded([&] { shim::implement(*self, name, function); });
}

EXPORT Error aoti_torch_library_impl(Library* self, const char* name, shim::Boxed function) {
  return torch_library_impl(self, name, function, 0);
}

// Where the Python side of the operators is: of no use here.
EXPORT Error torch_library_set_python_module(Library*, const char*, const char*) { return 0; }

EXPORT Error aoti_torch_delete_library_object(Library* self) {
  return guarded([&] {
    std::unique_ptr<Library> gone(self);
    if (!self) return;
    std::lock_guard<std::mutex> locked(shim::registry().lock);
    for (const auto& undo : self->undo) undo();
  });
}

EXPORT Error torch_call_dispatcher(const char* name, const char* overload, StableValue* stack,
                                   uint64_t) {
  return guarded([&] {
    shim::dispatch(*overload ? std::string(name) + "." + overload : name, stack);
  });
}

EXPORT Error aoti_torch_call_dispatcher(const char* name, const char* overload,
                                        StableValue* stack) {
  return torch_call_dispatcher(name, overload, stack, 0);
}
