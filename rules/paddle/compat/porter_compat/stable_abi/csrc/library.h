// What libraries register, and how it is found and called.
#pragma once

#include "values.h"

namespace shim {

using Values = std::vector<Value>;

// What a library registers: it takes its arguments off the stack and puts results there.
using Boxed = void (*)(StableValue*, uint64_t, uint64_t);

// The schema of "ns::name.overload"; nothing if no library has defined it.
std::optional<Schema> schema_of(const std::string& name);

// Calls what is registered for the arguments: for autograd, for their device, for any.
Values called(const Schema& schema, const Values& arguments);

// An operator of torch's own that this shim has: nothing if it has none of that name.
struct Native {
  Schema schema;
  Values (*call)(const Values&);
};
const Native* native(const std::string& name);

// What Python is asked: to make an operator an attribute of torch.ops, for the schema of one that
// only Python knows, and to call that. All of them may be called in any thread.
struct Python {
  void (*publish)(const std::string& name) = nullptr;
  std::optional<Schema> (*schema)(const std::string& name) = nullptr;
  Values (*call)(const Schema& schema, const Values& arguments) = nullptr;
  int64_t (*device)(const std::string& what, int64_t argument) = nullptr;
};
Python& python();

}  // namespace shim
