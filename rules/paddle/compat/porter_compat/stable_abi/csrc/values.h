// Schemas of operators, and values as schemas type them.
#pragma once

#include "abi.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace shim {

// A type as a schema writes it: "Tensor?[]" is a list of optional tensors.
struct Type {
  enum Kind { BASE, LIST, OPTIONAL };
  Kind kind = BASE;
  std::string name;             // of a base
  std::shared_ptr<Type> inner;  // of a list or an optional
  int64_t count = 0;            // of a list that one number fills: int[2]

  std::string text() const;
};

struct Parameter {
  Type type;
  std::string name;
  std::string default_value;  // as written
  bool has_default = false;
  bool by_name = false;
};

struct Schema {
  std::string text;
  std::string space, name, overload;
  std::vector<Parameter> parameters;
  std::vector<Type> returns;
  bool single = true;  // whether the result is not a tuple

  std::string full_name() const {  // "ns::name.overload"
    return space + "::" + name + (overload.empty() ? "" : "." + overload);
  }
};

// Reads a schema; of an operator without a namespace in `space`.
Schema parsed(const std::string& text, const std::string& space);

// The number of a dtype, a layout or a memory format.
struct Code {
  int32_t number;
};

struct Value {
  std::variant<std::monostate, Tensor, int64_t, double, bool, std::string, Device, Code,
               std::vector<Value>>
      held;

  bool none() const { return std::holds_alternative<std::monostate>(held); }
  template <typename T>
  const T& as() const {
    return std::get<T>(held);
  }
  Sizes ints() const;
};

// Between values and what libraries hand over, which owns what it points to.
Value taken(StableValue value, const Type& type);
StableValue given(const Value& value, const Type& type);

}  // namespace shim
